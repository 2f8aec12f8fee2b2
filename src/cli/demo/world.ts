/** What the demo's agent is told of: the repository, a clock, and a mode. Nothing in it changes but by the script. */
import { combine, type Context } from '../../context/index.ts'
import { date, environment, git, instructionFiles, value } from '../../sources/index.ts'
import type { Repository } from './repository.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

/** When the conversation begins: late enough for midnight to pass during its first twelve turns. */
const BEGINNING = Date.parse('2026-12-01T23:20:00Z')

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
      environment({ cwd: folder }),
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
