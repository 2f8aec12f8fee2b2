/**
 * Texts as words. A word is a run of letters and digits of one script; white space, line ends and signs are words of
 * their own. Where a script puts no spaces, each of its characters is a word (Chinese, Japanese) or its digits are
 * parted from its letters (Thai and its neighbours), so that a time in the middle of a sentence is found there.
 *
 * In JSON (what begins with a brace) an escaped line end is none of the word behind it.
 *
 * Works on UTF-16 units and never parts the halves of a character: both belong to the same run.
 */

const space = 0
const line = 1
const sign = 2
const letter = 3
const digit = 4
const alone = 5

/** What a unit is; units that may not be parted have one class, and are no sign. */
function classOf(code: number): number {
  if (code < 0x80) {
    if ((code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code === 95)
      return letter
    if (code === 10 || code === 13) return line
    return code === 32 || code === 9 ? space : sign
  }
  if (code === 0xa0 || (code >= 0x2000 && code <= 0x200a) || code === 0x3000 || code === 0x202f) return space
  if ((code >= 0x2010 && code <= 0x2027) || (code >= 0x3001 && code <= 0x301f) || code === 0xd7 || code === 0xb7)
    return sign
  if (code >= 0xff01 && code <= 0xff0f) return sign
  if ((code >= 0x3040 && code <= 0x30ff) || (code >= 0x3400 && code <= 0x9fff)) return alone
  if (code >= 0x0e00 && code <= 0x0edf) return (code >= 0x0e50 && code <= 0x0e59) || code >= 0x0ed0 ? digit : letter
  if ((code >= 0x1040 && code <= 0x1049) || (code >= 0x17e0 && code <= 0x17e9)) return digit
  return letter
}

/** True for what a word is made of: letters, digits, characters of any script, emoji; not for spaces and signs. */
export function isWordUnit(code: number): boolean {
  return classOf(code) >= letter
}

/** True where `at` stands behind an escaped line end or tab of JSON, which is no part of the word behind it. */
export function isBehindEscape(text: string, at: number): boolean {
  if (at < 2 || text.charCodeAt(0) !== 0x7b || text.charCodeAt(at - 2) !== 0x5c) return false
  const code = text.charCodeAt(at - 1)
  return code === 110 || code === 114 || code === 116
}

/** True where `at` stands between two units of one word. */
export function isInsideWord(text: string, at: number): boolean {
  if (at <= 0 || at >= text.length || isBehindEscape(text, at)) return false
  const before = classOf(text.charCodeAt(at - 1))
  return before !== sign && before !== alone && before === classOf(text.charCodeAt(at))
}

/** The words of the stretch from `start` to `end`; joined they are that stretch. */
export function splitWords(text: string, start: number, end: number): string[] {
  const words: string[] = []
  let from = start
  for (let index = start + 1; index <= end; index++) {
    if (index < end && isInsideWord(text, index)) continue
    words.push(text.slice(from, index))
    from = index
  }
  return words
}
