/** Numbers inside of values, and the text that they stand in. */
import { asciiDigits } from '../digits.ts'
import { numberInWords, romanNumber } from '../number-words.ts'

const number = /\d+(?:[.,]\d{3})*(?:\.\d+)?/g

/** The numbers of a value, in digits of any script; where there are none, the one that it says in words or numerals. */
export function numbersIn(value: string): number[] {
  const text = asciiDigits(value)
  const found = text.match(number)
  if (found !== null)
    return found.map((digits) => Number(digits.replace(/,(?=\d{3})/g, '').replace(/\.(?=\d{3}\.)/g, '')))
  const said = inWords(text)
  return said === undefined ? [] : [said]
}

function inWords(text: string): number | undefined {
  const whole = numberInWords(text.trim()) ?? romanNumber(text.trim())
  if (whole !== undefined) return whole
  const words = text.split(/[^\p{L}-]+/u)
  for (const word of words) {
    const value = numberInWords(word)
    if (value !== undefined) return value
  }
  return undefined
}

/** A value without its numbers. */
export function templateOf(value: string): string {
  const text = asciiDigits(value)
  return text.replace(number, '#')
}
