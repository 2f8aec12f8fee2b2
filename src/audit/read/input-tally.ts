/** What was read of one text, counted while it is read. */
import type { Exchange, Fidelity } from '../exchange.ts'
import { leastOf } from './fidelity.ts'
import type { LogReader, Unread } from './types.ts'

/** What came of one text, or of a folder that was read as one. */
export interface InputReport {
  /** As in the sources of its calls; a folder without its files. */
  readonly file: string
  /** Id of the format; null where none was recognised. */
  readonly format: string | null
  readonly exchanges: number
  /** After unpacking. */
  readonly bytes: number
  /** What all of its calls have; null where there is none. */
  readonly fidelity: Fidelity | null
  /** How to record what the format lacks; null where it lacks nothing. */
  readonly hint: string | null
}

/** Counts for one {@link InputReport}. */
export class InputTally {
  readonly file: string
  reader: LogReader | undefined
  bytes = 0
  exchanges = 0
  #fidelity: Fidelity | null = null
  readonly #problems = new Map<Unread['kind'], { count: number; message: string }>()

  constructor(file: string) {
    this.file = file
  }

  add({ fidelity }: Exchange): void {
    this.exchanges++
    this.#fidelity = leastOf(this.#fidelity, fidelity)
  }

  unread({ kind, message }: Unread): void {
    const { count } = this.#problems.get(kind) ?? { count: 0 }
    this.#problems.set(kind, { count: count + 1, message })
  }

  report(): InputReport {
    const { file, exchanges, bytes, reader } = this
    return {
      file,
      format: reader?.id ?? null,
      exchanges,
      bytes,
      fidelity: this.#fidelity,
      hint: reader?.hint ?? null,
    }
  }

  /** Why there is no call in it, in a sentence or a few. */
  reason(): string {
    const as = this.reader === undefined ? '' : `Read as ${this.reader.title}. `
    const problems = [...this.#problems].map(([kind, { count, message }]) =>
      count === 1 ? message : `${message} (${kind}, ${count} times)`,
    )
    return `${as}${problems.length === 0 ? 'It holds no call.' : problems.join(' ')}`
  }
}
