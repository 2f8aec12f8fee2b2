/**
 * Texts of a report as a page shows them: bounded, and with every character in them visible.
 *
 * What would move, hide or turn text stands as its escape. So two values that differ in an invisible character only can
 * be told apart, and nothing on the page reads otherwise than it is stored. Newlines and tabs stay.
 */
import { escapeInvisible } from '../../base/invisible.ts'

/** UTF-16 units of a text that are shown; a report has longer ones only where a log has a name of such length. */
export const LONGEST = 1000

/** C0 controls but for tab and newline, and halves of a character. */
const CONTROLS = /[^\P{Cc}\t\n]|\p{Cs}/gu

/** `text` without anything that is not seen; of one that is too long, its start and how long it is. */
export function visibleText(text: string): string {
  const shown = text.length > LONGEST ? `${text.slice(0, LONGEST)}… (${text.length} characters)` : text
  return escapeInvisible(shown).replace(
    CONTROLS,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
