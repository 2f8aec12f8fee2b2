/** What the demo's agent is told of: the repository, a clock, and a mode. Nothing in it changes but by the script. */
import { combine, type Context } from '../../context/index.ts'
import { date, git, instructionFiles, value } from '../../sources/index.ts'
import type { Repository } from './repository.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

/** When the conversation begins: midnight passes before its ninth turn, and no cache entry expires in its first twelve. */
const BEGINNING = Date.parse('2026-12-01T23:43:00Z')

/** What the agent is told of where it works. The folder's own path would make other token counts on every machine. */
const DIRECTORY = '/home/ada/repository'

export class World {
  readonly repository: Repository
  /** The sources that the agent's context is made of. */
  readonly context: Context
  /** What the agent may do. */
  mode: 'plan' | 'build' = 'plan'
  #time: number = BEGINNING

  constructor(repository: Repository) {
    const { folder } = repository
    this.repository = repository
    this.context = combine(
      value('demo/directory', () => DIRECTORY, { label: 'The working directory' }),
      date({ timeZone: 'UTC', clock: this.now }),
      value('demo/mode', () => this.mode, { label: 'The mode' }),
      // On a slow machine the demo rather waits than leaves the model with an old branch.
      git({ cwd: folder, timeoutMs: 60_000 }),
      instructionFiles({ cwd: folder, root: folder }),
    )
  }

  readonly now = (): Date => new Date(this.#time)

  passMinutes(count: number): void {
    this.#time += count * MINUTE
  }

  passMidnight(): void {
    this.#time = Math.floor(this.#time / DAY + 1) * DAY + MINUTE
  }
}
