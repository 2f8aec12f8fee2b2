/**
 * Digits of any script as ASCII, so that a time in Thai or full-width digits reads like any other. Compatibility forms
 * (circled, mathematical, Roman numeral characters) become what they stand for.
 */

/** `text` with every decimal digit as `0` to `9`; other characters in their plain form. */
export function asciiDigits(text: string): string {
  const plain = text.normalize('NFKC')
  if (/^[ -~\s]*$/.test(plain)) return plain
  return plain.replace(/\p{Nd}/gu, (character) => String(valueOf(character.codePointAt(0) as number)))
}

/** Digits of one script stand in a row of ten, from zero; Unicode promises it. */
function valueOf(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30
  let before = 0
  while (before < 10 && isDigit(code - before - 1)) before++
  return before % 10
}

function isDigit(code: number): boolean {
  return /\p{Nd}/u.test(String.fromCodePoint(code))
}
