/**
 * The `system` field: instructions, baseline, and the line that explains the update tag, as blocks of their own. They
 * are read as one text, so every block after the first starts with the blank line between them; a block's text then
 * never depends on what follows it.
 */
import type { TextBlockParam } from '@anthropic-ai/sdk/resources/messages'
import { renderSystemForWire } from '../../prompt/index.ts'
import { isBlank, textBlock } from './blocks.ts'

/** The blocks of `texts` without boundary markers; a blank text makes none, and its place holds `undefined`. */
export function systemBlocks(texts: readonly string[]): (TextBlockParam | undefined)[] {
  let separator = ''
  return texts.map((text) => {
    const rendered = renderSystemForWire(text)
    if (isBlank(rendered)) return undefined
    const block = textBlock(separator + rendered)
    separator = '\n\n'
    return block
  })
}
