/**
 * Bytes to lines of text, as they come. Memory is bounded by one line: a longer one than the limit is skipped to its
 * end and reported. Lines end with LF or CRLF; the last one needs no end; blank ones count and are left out. A byte
 * order mark is dropped at the start of any line, since files get concatenated. Bytes that are no UTF-8 become U+FFFD.
 *
 * Fast, because everything read from a log passes here: the end of a line is searched in bytes, by the engine, and each
 * line is decoded in one piece, straight out of the chunk where it lies in one.
 */
import { ByteBuffer } from './byte-buffer.ts'
import type { Line, RawLine } from './types.ts'

/** Bytes of one line. A request body is at most some tens of megabytes (32 at Anthropic), also with images. */
export const LINE_LIMIT = 268_435_456

export interface LineOptions {
  /** Bytes, {@link LINE_LIMIT} unless given. */
  readonly limit?: number | undefined
  /** Called when a line that was left out has ended, with its number and its length in bytes. */
  readonly tooLarge?: ((line: number, bytes: number) => void) | undefined
}

const lineFeed = 0x0a
const carriageReturn = 0x0d

/** The lines that are not blank, with their numbers. */
export async function* splitLines(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  options?: LineOptions,
): AsyncGenerator<Line, void, undefined> {
  const decoder = new TextDecoder()
  for await (const { bytes, line } of splitRawLines(chunks, options)) yield { text: decoder.decode(bytes), line }
}

/** The same lines, not decoded: with what may be a byte order mark. */
export async function* splitRawLines(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  { limit = LINE_LIMIT, tooLarge }: LineOptions = {},
): AsyncGenerator<RawLine, void, undefined> {
  const started = new ByteBuffer()
  let line = 1
  let skipped = 0
  for await (const chunk of chunks) {
    let from = 0
    while (from < chunk.length) {
      const end = chunk.indexOf(lineFeed, from)
      const piece = chunk.subarray(from, end === -1 ? chunk.length : end)
      from = end === -1 ? chunk.length : end + 1
      if (skipped > 0 || started.length + piece.length > limit) {
        skipped += started.length + piece.length
        started.clear()
      } else if (end === -1 || started.length > 0) {
        started.append(piece)
      }
      if (end === -1) break
      if (skipped > 0) tooLarge?.(line, skipped)
      else {
        const bytes = contentOf(started.length > 0 ? started.bytes() : piece)
        if (bytes !== undefined) yield { bytes, line }
      }
      started.clear()
      skipped = 0
      line++
    }
  }
  if (skipped > 0) tooLarge?.(line, skipped)
  const bytes = contentOf(started.bytes())
  if (bytes !== undefined) yield { bytes, line }
}

/** Without a carriage return at its end; undefined where it is blank. */
function contentOf(line: Uint8Array): Uint8Array | undefined {
  const bytes = line.at(-1) === carriageReturn ? line.subarray(0, -1) : line
  const [first] = bytes
  if (first === undefined) return undefined
  // Nearly every line shows with its first sign that it is not blank.
  return (first <= 0x20 || first > 0x7e) && new TextDecoder().decode(bytes).trim() === '' ? undefined : bytes
}
