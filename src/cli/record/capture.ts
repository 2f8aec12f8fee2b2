/**
 * What is kept of a body for the log while it passes. Bounded twice: by body, and by all bodies that are on their way or
 * wait to be written. What is beyond a bound passes all the same, and the log says that it is not there.
 */

/** Bytes of one body: what Anthropic takes at most. */
export const BODY_LIMIT: number = 32 * 1024 * 1024
/** Bytes of all bodies at one time. */
export const TOTAL_LIMIT: number = 256 * 1024 * 1024

/** What is kept of a body. */
export interface BodyPart {
  readonly bytes: Uint8Array<ArrayBuffer>
  /** Bytes that passed, kept or not. */
  readonly total: number
}

/** Bytes that may be held at one time by all that share it. */
export class Budget {
  #left: number

  constructor(bytes: number) {
    this.#left = bytes
  }

  /** Takes that many, or none. */
  take(bytes: number): boolean {
    if (bytes > this.#left) return false
    this.#left -= bytes
    return true
  }

  giveBack(bytes: number): void {
    this.#left += bytes
  }

  /** Bytes that are not taken. */
  get left(): number {
    return this.#left
  }
}

/** The kept part of one body: its start, up to the first chunk for which there was no room. */
export class Capture {
  readonly #budget: Budget
  readonly #limit: number
  #chunks: Uint8Array[] = []
  #kept = 0
  #total = 0

  constructor(budget: Budget, limit: number = BODY_LIMIT) {
    this.#budget = budget
    this.#limit = limit
  }

  /** Keeps `chunk`, where there is room. It is not copied. */
  add(chunk: Uint8Array): void {
    const isWhole = !this.isCut
    this.#total += chunk.length
    if (!isWhole || this.#total > this.#limit || !this.#budget.take(chunk.length)) return
    this.#chunks.push(chunk)
    this.#kept += chunk.length
  }

  /** True where some of it was not kept. */
  get isCut(): boolean {
    return this.#kept < this.#total
  }

  /** What was kept, in memory of its own, and how many bytes passed. */
  part(): BodyPart {
    // Of its own, as it is handed to another thread, and not cleared, as it is filled at once.
    const bytes = Buffer.allocUnsafeSlow(this.#kept)
    let at = 0
    for (const chunk of this.#chunks) {
      bytes.set(chunk, at)
      at += chunk.length
    }
    this.#chunks = []
    return { bytes, total: this.#total }
  }

  /** Makes room for others, when what was kept is no longer held. */
  release(): void {
    this.#budget.giveBack(this.#kept)
    this.#chunks = []
    this.#kept = this.#total
  }
}
