/** How much is read, so that no file can take all memory or time: not by its size, and not by what it unpacks to. */
import { LINE_LIMIT } from './lines.ts'

export interface ReadLimits {
  /** Bytes of one line, and of one element of a list that is read in parts. */
  readonly lineBytes: number
  /** Bytes of a file that can only be read as one document. */
  readonly documentBytes: number
  /** Files in one archive. */
  readonly entries: number
  /** Bytes that one archive or compressed file unpacks to. */
  readonly unpackedBytes: number
  /** How many times as large an archive or compressed file may become. Small ones may be of any ratio. */
  readonly ratio: number
  /** Compressed bytes of archive members that have to be held, because calls are spread over several of them. */
  readonly heldBytes: number
}

/** A log of text that repeats itself packs to a tenth, one of little else than white space to a hundredth. */
export const defaultLimits: ReadLimits = {
  lineBytes: LINE_LIMIT,
  documentBytes: 134_217_728,
  entries: 200_000,
  unpackedBytes: 64 * 1_073_741_824,
  ratio: 250,
  heldBytes: 268_435_456,
}

/** Below this, no ratio is looked at: it is nothing that would hurt. */
const harmlessBytes = 16_777_216

/** Something grew beyond a limit; the message says which. */
export class LimitError extends Error {}

/** Watches what a file unpacks to: each of its members by its ratio, all of them by their size. */
export class UnpackGuard {
  readonly #limits: ReadLimits
  #packed = 0
  #unpacked = 0
  #total = 0

  constructor(limits: ReadLimits) {
    this.#limits = limits
  }

  /** Another member begins. */
  begin(): void {
    this.#packed = 0
    this.#unpacked = 0
  }

  packed(bytes: number): void {
    this.#packed += bytes
  }

  /** Throws {@link LimitError} when it has become too much. */
  unpacked(bytes: number): void {
    this.#unpacked += bytes
    this.#total += bytes
    const { unpackedBytes, ratio } = this.#limits
    if (this.#total > unpackedBytes) throw new LimitError(`It unpacks to more than ${unpackedBytes} bytes.`)
    if (this.#unpacked > harmlessBytes && this.#unpacked > this.#packed * ratio) {
      throw new LimitError(`It unpacks to more than ${ratio} times its size, as no log does.`)
    }
  }
}
