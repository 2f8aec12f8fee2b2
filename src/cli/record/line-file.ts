/**
 * A file of lines, each written in one go. A line that was written in part has its end put behind it before the next, so
 * that it costs no other.
 */
import { writeSync } from 'node:fs'

/** Text, or the UTF-8 of it. */
export type Piece = string | Uint8Array

/** Writes some of `piece` to a file, and says how many bytes; throws where it cannot. */
export type WriteSome = (file: number, piece: Piece) => number

/** Node encodes a text on its way, which costs half of what a buffer for it would. */
const writeSome: WriteSome = (file, piece) =>
  typeof piece === 'string' ? writeSync(file, piece) : writeSync(file, piece)

/** Lines in an open file. */
export class LineFile {
  readonly #file: number
  readonly #write: WriteSome
  #isTorn = false

  constructor(file: number, write: WriteSome = writeSome) {
    this.#file = file
    this.#write = write
  }

  /** Writes the line that two pieces come to. Throws where the file does not take it. */
  append(start: Piece, end: Piece): void {
    // How much of a failed line is in the file, nobody knows. A blank line does no harm.
    const gap = this.#isTorn ? '\n' : ''
    this.#isTorn = true
    const line =
      typeof start === 'string' && typeof end === 'string'
        ? gap + start + end
        : Buffer.concat([bytesOf(gap), bytesOf(start), bytesOf(end)])
    const written = this.#write(this.#file, line)
    if (written < (typeof line === 'string' ? Buffer.byteLength(line) : line.length)) this.#rest(bytesOf(line), written)
    this.#isTorn = false
  }

  /** A nearly full disk takes a part, and says why at the next attempt. */
  #rest(line: Uint8Array, written: number): void {
    for (let at = written; at < line.length;) at += this.#write(this.#file, line.subarray(at))
  }
}

function bytesOf(piece: Piece): Uint8Array {
  return typeof piece === 'string' ? Buffer.from(piece) : piece
}
