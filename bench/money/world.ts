/**
 * What is true while the agent works, and what of it stands in the prompt: the same lines for every way of building it. A
 * request sees the world as it is when it is built; it moves on when the emulator has answered.
 */
import { readFileSync } from 'node:fs'
import { BEGINNING, PAUSES, prepare, script } from './script.ts'
import { runTool, type ToolInput } from './tools.ts'
import { Workspace } from './workspace.ts'

/** What changes, in the order of the prompt. */
export const KEYS = ['time', 'status', 'branch'] as const

export type Key = (typeof KEYS)[number]

/** The part of the prompt that never changes. */
export const INSTRUCTIONS: string = readFileSync(new URL('instructions.md', import.meta.url), 'utf8').trimEnd()

const MINUTE = 60_000

export class World {
  readonly #workspace: Workspace = new Workspace()
  #now = BEGINNING
  #step = 0

  constructor() {
    prepare(this.#workspace)
    script[0]?.happens?.(this.#workspace)
  }

  readonly now = (): Date => new Date(this.#now)

  /** One of the lines at the end of the prompt, as it is now. */
  line(key: Key): string {
    return lines[key](this.now(), this.#workspace)
  }

  /** All of them, as they stand in a prompt. */
  environment(): string {
    return KEYS.map((key) => this.line(key)).join('\n\n')
  }

  /** The agent calls a tool. */
  run(name: string, input: ToolInput): string {
    return runTool(this.#workspace, name, input)
  }

  /** A request was answered: time passes, and the developer does something. */
  moveOn(): void {
    const pause = PAUSES[this.#step % PAUSES.length] ?? 1
    this.#now += pause * MINUTE
    script[++this.#step]?.happens?.(this.#workspace)
  }
}

const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

const lines: Readonly<Record<Key, (now: Date, workspace: Workspace) => string>> = {
  time(now) {
    const [day, clock] = now.toISOString().slice(0, 16).split('T')
    return `Current time: ${days[now.getUTCDay()]}, ${day}, ${clock} UTC`
  },
  status(_, workspace) {
    const status = workspace.status()
    return `Git status:${status.length === 0 ? ' clean' : `\n${status.join('\n')}`}`
  },
  branch: (_, workspace) => `Git branch: ${workspace.branch}`,
}
