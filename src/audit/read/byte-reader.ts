/**
 * A stream of bytes that can be looked into before it is read, and read in pieces of a given size. What was looked at is
 * still to be read. A source that fails does so when all that it gave before has been read.
 */

/** Reads a source once, from start to end. */
export class ByteReader {
  readonly #source: AsyncIterator<Uint8Array>
  readonly #chunks: Uint8Array[] = []
  /** Bytes in the chunks. */
  #buffered = 0
  #ended = false
  #failure: { readonly error: unknown } | undefined
  /** How many bytes were read. */
  position = 0

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]()
  }

  /** The next bytes without reading them: `count` of them, or all that are left where there are fewer. */
  async peek(count: number): Promise<Uint8Array> {
    let more = this.#buffered < count
    while (more) more = (await this.#pull()) && this.#buffered < count
    if (this.#chunks.length === 0) this.#throwFailure()
    const bytes = join(this.#chunks)
    this.#chunks.splice(0, this.#chunks.length, ...(bytes.length > 0 ? [bytes] : []))
    return bytes.subarray(0, count)
  }

  /** Exactly `count` bytes, or undefined where fewer are left, which are then gone. */
  async take(count: number): Promise<Uint8Array | undefined> {
    const pieces: Uint8Array[] = []
    let missing = count
    while (missing > 0) {
      const piece = await this.next(missing)
      if (piece === undefined) return undefined
      pieces.push(piece)
      missing -= piece.length
    }
    return join(pieces)
  }

  /** Some bytes, at least one and at most `most`; undefined at the end. */
  async next(most: number = Number.POSITIVE_INFINITY): Promise<Uint8Array | undefined> {
    while (this.#chunks.length === 0) {
      if (await this.#pull()) continue
      this.#throwFailure()
      return undefined
    }
    const chunk = this.#chunks.shift() ?? new Uint8Array()
    if (chunk.length > most) this.#chunks.unshift(chunk.subarray(most))
    const read = chunk.subarray(0, most)
    this.position += read.length
    this.#buffered -= read.length
    return read
  }

  /** Puts bytes back in front of what is still to be read. */
  unread(bytes: Uint8Array): void {
    if (bytes.length > 0) this.#chunks.unshift(bytes)
    this.position -= bytes.length
    this.#buffered += bytes.length
  }

  /** All that is left. */
  async *rest(): AsyncGenerator<Uint8Array, void, undefined> {
    try {
      for (let chunk = await this.next(); chunk !== undefined; chunk = await this.next()) yield chunk
    } finally {
      await this.close()
    }
  }

  /** Lets go of the source. */
  async close(): Promise<void> {
    if (this.#ended) return
    this.#ended = true
    await this.#source.return?.()
  }

  #throwFailure(): void {
    if (this.#failure !== undefined) throw this.#failure.error
  }

  async #pull(): Promise<boolean> {
    if (this.#ended) return false
    try {
      const { done, value } = await this.#source.next()
      if (done === true) this.#ended = true
      else if (value.length > 0) {
        this.#chunks.push(value)
        this.#buffered += value.length
      }
    } catch (error) {
      this.#ended = true
      this.#failure = { error }
    }
    return !this.#ended
  }
}

function join(pieces: readonly Uint8Array[]): Uint8Array {
  const [first] = pieces
  if (pieces.length === 1 && first !== undefined) return first
  const joined = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0))
  let at = 0
  for (const piece of pieces) {
    joined.set(piece, at)
    at += piece.length
  }
  return joined
}
