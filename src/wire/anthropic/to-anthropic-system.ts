/** The system prompt of `indelible/prompt`, for hosts that build the rest of the request themselves. */
import type { TextBlockParam } from '@anthropic-ai/sdk/resources/messages'
import { splitSystemPrompt } from '../../prompt/index.ts'
import { systemTexts } from '../text.ts'
import { textBlock } from './blocks.ts'

/**
 * The static half as a block with a breakpoint and the dynamic half as one without, for the `system` field. The blank
 * line between them stands at the head of the dynamic block, so the static block's text never changes. A blank half
 * makes no block; no boundary marker is left in either.
 *
 * @example
 * ```ts
 * import { joinSystemPrompt } from 'indelible/prompt'
 * import { toAnthropicSystem } from 'indelible/anthropic'
 *
 * for (const block of toAnthropicSystem(joinSystemPrompt('You review code.', 'Branch: main'))) {
 *   console.log(JSON.stringify(block))
 * }
 * // => {"type":"text","text":"You review code.","cache_control":{"type":"ephemeral"}}
 * // => {"type":"text","text":"\n\nBranch: main"}
 * ```
 */
export function toAnthropicSystem(system: string): TextBlockParam[] {
  const parts = splitSystemPrompt(system)
  const [fixed, dynamic] = systemTexts([parts.static, parts.dynamic])
  const blocks: TextBlockParam[] = []
  if (fixed !== undefined) blocks.push({ ...textBlock(fixed), cache_control: { type: 'ephemeral' } })
  if (dynamic !== undefined) blocks.push(textBlock(dynamic))
  return blocks
}
