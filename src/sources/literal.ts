/**
 * Names from outside (branches, files, folders) as JSON string literals of bounded length.
 *
 * Whatever a name holds, its literal is one line, ends where its quote ends, and shows every character that is in it:
 * what would break the line, be invisible or turn the reading direction is written as an escape.
 */
import { escapeInvisible } from '../base/invisible.ts'

/**
 * `text` as a JSON string literal of at most `limit` code points, 500 unless said. What is longer is cut, and the
 * length that it had follows the closing quote.
 *
 * @example
 * ```ts
 * import { literal } from 'indelible/sources'
 *
 * console.log(literal('fix/"quotes"\u200b')) // => "fix/\"quotes\"\u200b"
 * console.log(literal('a name without end', 6)) // => "a name" (cut from 18 characters)
 * ```
 */
export function literal(text: string, limit = 500): string {
  // A text has no more code points than code units, which are free to count.
  const points = text.length > limit ? Array.from(text) : []
  if (points.length <= limit) return escapeInvisible(JSON.stringify(text))
  const kept = points.slice(0, limit).join('')
  return `${escapeInvisible(JSON.stringify(kept))} (cut from ${points.length} characters)`
}
