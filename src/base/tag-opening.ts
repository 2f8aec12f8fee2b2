/**
 * Finding where text could pass for a tag of ours: whatever a model may read as the tag, and not only how we write it.
 *
 * White space may stand around the slash, and anything that shows nothing anywhere; case does not count, and the sign,
 * the slash, the hyphen and the letters may have full width. Letters of other alphabets that look alike are other
 * letters: the line that explains a tag names it as it is written. The search is linear in the text, however long the
 * runs of white space in it are, because no two loops of the pattern can share a run.
 */
import { INVISIBLE_CLASS } from './invisible.ts'

const HIDDEN = `[${INVISIBLE_CLASS}]*`
const BLANK = `[\\s${INVISIBLE_CLASS}]*`

/** A pattern, global, for each `<` that opens or closes a tag `name`, which is of lower-case letters and hyphens. */
export function tagOpening(name: string): RegExp {
  const letters = Array.from(name, (letter) => (letter === '-' ? '[-\\p{Pd}\\u2212]' : `[${letter}${widened(letter)}]`))
  return new RegExp(`[<\\ufe64\\uff1c](?=${BLANK}(?:[/\\uff0f]${BLANK})?${letters.join(HIDDEN)})`, 'giu')
}

/** The form of an ASCII character that takes the room of two. */
function widened(character: string): string {
  return String.fromCharCode(character.charCodeAt(0) + 0xfee0)
}
