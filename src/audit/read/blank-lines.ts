/** Blank lines for formats in which they are content: readers of lines leave them out, but count them. */
import type { Line } from './types.ts'

/** The lines with an empty one in each gap of their numbers. White space on them, and those behind the last, are gone. */
export async function* withBlank(lines: AsyncIterable<Line>): AsyncGenerator<Line> {
  let next = 1
  for await (const each of lines) {
    for (; next < each.line; next++) yield { text: '', line: next }
    yield each
    next = each.line + 1
  }
}
