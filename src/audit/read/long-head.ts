/**
 * A longer head, for a text whose first bytes tell nothing. It ends with a line: a body may come late in its record, and a
 * log that was rotated or cut by size begins in the middle of one.
 */
import type { ByteReader } from './byte-reader.ts'
import { headOf } from './head.ts'
import { HEAD_BYTES, type Head } from './types.ts'

/** What is searched for the end of a line; no provider takes larger bodies than that. */
const MOST_BYTES = 33_554_432
const lineFeed = 0x0a

/** The head of `bytes` to the end of the line that {@link HEAD_BYTES} goes through and of the one after it. Reads nothing. */
export async function longHeadOf(name: string, bytes: ByteReader): Promise<Head> {
  for (let most = 2 * HEAD_BYTES; ; most *= 2) {
    const start = await bytes.peek(most)
    const first = start.indexOf(lineFeed, HEAD_BYTES)
    const second = first === -1 ? -1 : start.indexOf(lineFeed, first + 1)
    const isWhole = start.length < most
    if (second !== -1) return headOf(name, start.subarray(0, second + 1), isWhole && second + 1 === start.length)
    if (isWhole || most >= MOST_BYTES) return headOf(name, start, isWhole)
  }
}
