/**
 * Characters that break a line, show nothing or turn the reading direction, as escapes.
 *
 * The set is fixed here and not taken from the engine's Unicode tables, so that every runtime writes the same bytes.
 */

// First and last code point. C0 controls and lone surrogates are escaped by JSON already.
const INVISIBLE_RANGES = [
  [0x7f, 0x9f], // DEL and the C1 controls
  [0xad, 0xad], // soft hyphen
  [0x34f, 0x34f], // combining grapheme joiner
  [0x61c, 0x61c], // Arabic letter mark
  [0x115f, 0x1160], // Hangul fillers
  [0x17b4, 0x17b5], // Khmer inherent vowels
  [0x180b, 0x180f], // Mongolian selectors and vowel separator
  [0x200b, 0x200f], // zero-width characters, direction marks
  [0x2028, 0x202e], // line and paragraph separator, bidirectional embeddings and overrides
  [0x2060, 0x206f], // word joiner, invisible operators, bidirectional isolates
  [0x3164, 0x3164], // Hangul filler
  [0xfe00, 0xfe0f], // variation selectors
  [0xfeff, 0xfeff], // byte order mark
  [0xffa0, 0xffa0], // half-width Hangul filler
  [0xfff0, 0xfffb], // unassigned specials, interlinear annotation
  [0x1bca0, 0x1bca3], // shorthand format controls
  [0x1d173, 0x1d17a], // musical format controls
  [0xe0000, 0xe0fff], // tags, more variation selectors
]

/** The set, for the inside of a character class with the flag `u`. */
export const INVISIBLE_CLASS: string = INVISIBLE_RANGES.map((range) =>
  range.map((point) => `\\u{${point.toString(16)}}`).join('-'),
).join('')

const INVISIBLE = new RegExp(`[${INVISIBLE_CLASS}]`, 'gu')

/** `text` in which each invisible character is written as its escape. Of JSON text, it means the same value. */
export function escapeInvisible(json: string): string {
  return json.replace(INVISIBLE, (character) =>
    Array.from({ length: character.length }, (_, index) => escapeUnit(character.charCodeAt(index))).join(''),
  )
}

function escapeUnit(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`
}
