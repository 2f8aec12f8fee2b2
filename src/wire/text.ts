/** Text as any provider takes it. */
import { renderSystemForWire } from '../prompt/index.ts'

/**
 * Stands for a message of which nothing is left. A message without content is refused, and without the message those before
 * and after it would have to be merged, which edits what was sent.
 */
export const NO_CONTENT = '(no content)'

const visible = /\S/

/** True for text without a visible character. */
export function isBlank(text: string): boolean {
  // Nearly all text starts with one: the search is for the rest.
  return !(text.charCodeAt(0) > 0x20 && text.charCodeAt(0) < 0x7f) && !visible.test(text)
}

/** System texts without boundary markers; the place of a blank one holds `undefined`. */
export function renderedTexts(texts: readonly string[]): (string | undefined)[] {
  return texts.map((text) => {
    const rendered = renderSystemForWire(text)
    return isBlank(rendered) ? undefined : rendered
  })
}

/**
 * The same for a list of blocks that is read as one text: every block after the first starts with the blank line between them,
 * so that a block's text never depends on what follows it.
 */
export function systemTexts(texts: readonly string[]): (string | undefined)[] {
  let separator = ''
  return renderedTexts(texts).map((text) => {
    if (text === undefined) return undefined
    const block = separator + text
    separator = '\n\n'
    return block
  })
}
