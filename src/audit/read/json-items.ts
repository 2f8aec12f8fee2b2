/**
 * The elements of one list in a JSON document, cut out of the bytes as they come, so that a document of any size is read
 * with the memory of its largest element. Only brackets and quotes are followed: whether an element is JSON is for its
 * parser to say.
 *
 * A document that ends before its list does gives the elements that were complete and is reported as broken.
 */
import { ByteBuffer } from './byte-buffer.ts'
import { backslash, closeList, closeObject, colon, comma, lineFeed, openList, openObject, quote } from './json-signs.ts'
import { LINE_LIMIT } from './lines.ts'
import type { Line } from './types.ts'

export interface ItemOptions {
  /** Bytes of one element; those of a line unless given. */
  readonly limit?: number | undefined
  /** Called for an element that was left out, with the line that it begins on and its bytes. */
  readonly tooLarge?: ((line: number, bytes: number) => void) | undefined
  /** Called once where the list is missing or not complete, with the line where that was seen. */
  readonly broken?: ((line: number, message: string) => void) | undefined
}

/**
 * Elements of the list at `path`: keys of objects, one inside the other; empty for a list at the top. Each comes as its
 * text, with the line that it begins on.
 */
export async function* splitItems(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  path: readonly string[],
  options: ItemOptions = {},
): AsyncGenerator<Line, void, undefined> {
  const scanner = new ItemScanner(path, options)
  for await (const chunk of chunks) yield* scanner.push(chunk)
  scanner.end()
}

/** Follows the nesting of a document over its chunks. */
class ItemScanner {
  readonly #path: readonly string[]
  readonly #options: ItemOptions
  readonly #decoder = new TextDecoder()
  readonly #element = new ByteBuffer()
  #line = 1
  #depth = 0
  #inString = false
  #escaped = false
  /** How many keys of the path the objects that are open stand for. */
  #matched = 0
  /** The key that was read last on the way to the list, and whether it is the next one of the path. */
  #key = ''
  #keyLeadsOn = false
  #list: 'before' | 'inside' | 'after' = 'before'
  #elementLine = 0
  /** Bytes of an element that is too large to be kept. */
  #skipped = 0

  constructor(path: readonly string[], options: ItemOptions) {
    this.#path = path
    this.#options = options
  }

  /** The elements that end in this chunk. */
  *push(chunk: Uint8Array): Generator<Line> {
    let from = 0
    for (let at = 0; at < chunk.length; at++) {
      if (this.#list === 'after') return
      if (this.#inString) {
        at = this.#endOfString(chunk, at)
        continue
      }
      const byte = chunk[at]
      if (byte === quote) {
        this.#inString = true
        this.#key = ''
        if (this.#list === 'inside' && this.#elementLine === 0) from = this.#begin(at)
      } else if (byte === lineFeed) {
        this.#line++
      } else if (this.#list === 'before') {
        this.#look(byte)
        from = at + 1
      } else if (byte === openList || byte === openObject) {
        if (this.#elementLine === 0) from = this.#begin(at)
        this.#depth++
      } else if ((byte === closeList || byte === closeObject) && this.#depth > this.#path.length + 1) {
        this.#depth--
      } else if (this.#depth === this.#path.length + 1 && (byte === comma || byte === closeList)) {
        yield* this.#finish(chunk.subarray(from, at))
        if (byte === closeList) this.#list = 'after'
      } else if (this.#elementLine === 0 && byte !== undefined && byte > 0x20) {
        from = this.#begin(at)
      }
    }
    if (this.#list === 'inside' && this.#elementLine > 0) this.#keep(chunk.subarray(from))
  }

  /** Says what is missing. */
  end(): void {
    if (this.#list === 'after') return
    const name = this.#path.length === 0 ? 'the list' : `the list ${this.#path.join('.')}`
    const message = this.#list === 'before' ? `It does not hold ${name}.` : `The file ends inside of ${name}.`
    this.#options.broken?.(this.#line, message)
  }

  #begin(at: number): number {
    this.#elementLine = this.#line
    return at
  }

  #keep(piece: Uint8Array): void {
    const { limit = LINE_LIMIT } = this.#options
    if (this.#skipped > 0 || this.#element.length + piece.length > limit) {
      this.#skipped += this.#element.length + piece.length
      this.#element.clear()
    } else this.#element.append(piece)
  }

  *#finish(piece: Uint8Array): Generator<Line> {
    if (this.#elementLine === 0) return
    this.#keep(piece)
    const line = this.#elementLine
    this.#elementLine = 0
    if (this.#skipped > 0) this.#options.tooLarge?.(line, this.#skipped)
    else yield { text: this.#decoder.decode(this.#element.bytes()).trimEnd(), line }
    this.#skipped = 0
    this.#element.clear()
  }

  /** One byte of what stands before the list. */
  #look(byte: number | undefined): void {
    if (byte === colon) {
      this.#keyLeadsOn = this.#depth === this.#matched + 1 && this.#key === this.#path[this.#matched]
    } else if (byte === comma) {
      this.#keyLeadsOn = false
    } else if (byte === openList) {
      if (this.#matched === this.#path.length - 1 ? this.#keyLeadsOn : this.#path.length === 0 && this.#depth === 0) {
        this.#list = 'inside'
      }
      this.#keyLeadsOn = false
      this.#depth++
    } else if (byte === openObject) {
      if (this.#keyLeadsOn && this.#matched < this.#path.length - 1) this.#matched++
      this.#keyLeadsOn = false
      this.#depth++
    } else if (byte === closeObject || byte === closeList) {
      this.#depth--
      if (this.#matched > 0 && this.#depth <= this.#matched) this.#matched = Math.max(0, this.#depth - 1)
    }
  }

  /** Goes on in a string, and gives the place of its quote or of the end of the chunk. Line ends cannot be in a string. */
  #endOfString(chunk: Uint8Array, from: number): number {
    let start = from
    if (this.#escaped) {
      this.#escaped = false
      start++
    }
    let end = chunk.indexOf(quote, start)
    while (end !== -1 && backslashesBefore(chunk, end, start) % 2 === 1) end = chunk.indexOf(quote, end + 1)
    const stop = end === -1 ? chunk.length : end
    if (this.#list === 'before' && this.#depth === this.#matched + 1 && this.#key.length < 200) {
      this.#key += this.#decoder.decode(chunk.subarray(from, Math.min(stop, from + 200)))
    }
    if (end === -1) this.#escaped = backslashesBefore(chunk, stop, start) % 2 === 1
    else this.#inString = false
    return stop
  }
}

function backslashesBefore(chunk: Uint8Array, end: number, start: number): number {
  let at = end
  while (at > start && chunk[at - 1] === backslash) at--
  return end - at
}
