/**
 * Text from outside (session ids, branches, files, stored messages) as a terminal may be shown it. Nothing in it can move
 * the cursor, change colours or titles, or make text read in another order than it is stored.
 */
import { stripVTControlCharacters } from 'node:util'
import { escapeInvisible } from '../base/invisible.ts'

// First and last code point. A newline stays, and a tab becomes a space.
const STRIPPED_RANGES = [
  [0x00, 0x08], // C0 controls, up to the tab
  [0x0b, 0x1f], // C0 controls, after the newline
  [0x7f, 0x9f], // DEL and the C1 controls
  [0xad, 0xad], // soft hyphen
  [0x61c, 0x61c], // Arabic letter mark
  [0x200b, 0x200f], // zero-width characters, direction marks
  [0x2028, 0x202e], // line and paragraph separator, bidirectional embeddings and overrides
  [0x2060, 0x206f], // word joiner, invisible operators, bidirectional isolates
  [0xfeff, 0xfeff], // byte order mark
  [0xfff9, 0xfffb], // interlinear annotation
  [0xe0000, 0xe0fff], // tags
]

const STRIPPED = new RegExp(
  `[${STRIPPED_RANGES.map((range) => range.map((point) => `\\u{${point.toString(16)}}`).join('-')).join('')}]`,
  'gu',
)

/** `text` without control sequences, control characters and direction overrides; its newlines stay. */
export function printable(text: string): string {
  return stripVTControlCharacters(text).replaceAll('\t', ' ').replace(STRIPPED, '')
}

/** Like {@link printable}, on one line. */
export function printableLine(text: string): string {
  return printable(text).replace(/\s*\n\s*/g, ' ')
}

/** `value` as a line of JSON, in which such characters are escaped rather than left out: it means the value that it was given. */
export function printableJson(value: object): string {
  return `${escapeInvisible(JSON.stringify(value))}\n`
}
