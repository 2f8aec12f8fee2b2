/**
 * A turn as one request to the Messages API. Pure: what is sent depends on the turn, the model, the platform and the
 * rules that stood when the epoch began, so within an epoch every request starts with the bytes of the one before it.
 * Breakpoints move from request to request; the provider does not count them as content.
 */
import type { MessageParam, TextBlockParam } from '@anthropic-ai/sdk/resources/messages'
import { capability, type AnthropicPlatform } from '../../cache/index.ts'
import type { TurnView } from '../../session/types.ts'
import { RequestInvalidError } from '../errors.ts'
import { explainUpdateTag } from '../update-tag.ts'
import { placeBreakpoints } from './breakpoints.ts'
import { NO_CONTENT } from './blocks.ts'
import { decideUpdates } from './native-updates.ts'
import { lowerEntries, type Tally } from './spans.ts'
import { systemBlocks } from './system-blocks.ts'
import type { AnthropicBody, AnthropicOptions, AnthropicParams, AnthropicRequest } from './types.ts'
import type { AnthropicWarning } from './warnings.ts'

/**
 * Builds the request of a turn. `params` are the provider's other parameters, passed on by reference. Throws
 * `RequestInvalidError` for a turn in which there is nothing to send, and for parameters that hold `messages` or
 * `system`.
 */
export function toAnthropicMessages<P extends AnthropicParams>(
  turn: TurnView<MessageParam>,
  params: P,
  options: AnthropicOptions = {},
): AnthropicRequest<P> {
  for (const key of ['messages', 'system'] as const) {
    if (params[key] !== undefined) {
      throw new RequestInvalidError(
        `The parameters hold ${JSON.stringify(key)}, which the turn supplies. ` +
          'Leave it out: submit what the user says, and put the rest into instructions and sources.',
      )
    }
  }
  const { model } = params
  const platform = options.platform ?? 'anthropic'
  const updates = decideUpdates(turn, model, platform)
  const tally: Tally = { tagged: 0, thinking: 0, blank: 0 }
  const messages = lowerEntries(
    turn.entries,
    {
      native: updates === 'native',
      thinkingFrom: bindsThinking(turn, model, platform) ? turn.epoch : 0,
      nonce: turn.nonce,
    },
    tally,
  )
  if (messages.every(({ content }) => content === NO_CONTENT)) {
    throw new RequestInvalidError(
      `Session ${JSON.stringify(turn.session)} has nothing to send. Submit an input with some content, then take the turn.`,
    )
  }

  const [instructions, baseline, explanation] = systemBlocks([
    turn.instructions,
    turn.baseline,
    explainUpdateTag(turn.nonce),
  ])
  const head: [TextBlockParam | undefined, TextBlockParam | undefined] = [instructions, baseline]
  const moved = placeBreakpoints({ head, messages }, params, options.ttl)
  const system = [...head, explanation].filter((block) => block !== undefined)

  const warnings: AnthropicWarning[] = []
  if (tally.tagged > 0) {
    warnings.push({
      type: 'updates-tagged',
      reason: updates === 'native' ? 'placement' : updates,
      count: tally.tagged,
    })
  }
  if (messages.at(-1)?.role === 'assistant') warnings.push({ type: 'nothing-to-answer' })
  if (tally.thinking > 0) warnings.push({ type: 'thinking-detached', count: tally.thinking })
  if (tally.blank > 0) warnings.push({ type: 'blank-text', count: tally.blank })
  return { body: toBody(params, system, messages), headers: {}, warnings: [...warnings, ...moved] }
}

function bindsThinking({ rulesAsOf }: { rulesAsOf: string }, model: string, platform: AnthropicPlatform): boolean {
  return capability({ model, platform, feature: 'thinking-binding', asOf: rulesAsOf })?.supported === true
}

/** Keys in one order, whatever the caller's: the model, the settings by name, then the prefix as the provider reads it. */
function toBody<P extends AnthropicParams>(
  params: P,
  system: TextBlockParam[],
  messages: MessageParam[],
): AnthropicBody<P> {
  const { model, max_tokens, tools, ...settings } = params
  const body: Record<string, unknown> = { model, max_tokens }
  for (const key of Object.keys(settings).sort()) {
    const value = settings[key as keyof typeof settings]
    if (value !== undefined) body[key] = value
  }
  if (tools !== undefined) body['tools'] = tools
  body['system'] = system
  body['messages'] = messages
  return body as unknown as AnthropicBody<P>
}
