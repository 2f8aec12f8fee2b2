/**
 * Bytes of unknown number, put together from pieces and used again for the next. It grows by doubling, so each byte is
 * copied twice at most, and gives back what one large line made it take.
 */

const usualCapacity = 65_536
// One that had to grow beyond this is not kept.
const keptCapacity = 4_194_304

/** A buffer that is filled, looked at and cleared. */
export class ByteBuffer {
  length = 0
  #bytes: Uint8Array<ArrayBuffer> = new Uint8Array(usualCapacity)

  /** Copies the bytes of a piece to the end. */
  append(piece: Uint8Array): void {
    const needed = this.length + piece.length
    if (needed > this.#bytes.length) {
      const grown = new Uint8Array(Math.max(needed, this.#bytes.length * 2))
      grown.set(this.#bytes.subarray(0, this.length))
      this.#bytes = grown
    }
    this.#bytes.set(piece, this.length)
    this.length = needed
  }

  /** What was put in, valid until something else is. */
  bytes(): Uint8Array<ArrayBuffer> {
    return this.#bytes.subarray(0, this.length)
  }

  clear(): void {
    this.length = 0
    if (this.#bytes.length > keptCapacity) this.#bytes = new Uint8Array(usualCapacity)
  }
}
