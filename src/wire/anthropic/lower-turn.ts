/**
 * A turn as the parts of a request: tools, system blocks, messages, with their breakpoints. Depends on the turn, the model, the
 * platform and the rules that stood when the epoch began, so within an epoch every request starts with the bytes of the one
 * before it. Breakpoints move from request to request; the provider does not count them as content.
 */
import type { MessageParam, TextBlockParam } from '@anthropic-ai/sdk/resources/messages'
import { anthropicBetas } from '../../cache/anthropic/betas.ts'
import { anthropicLookback, bedrockLookback } from '../../cache/index.ts'
import { anthropicPlatforms } from '../../cache/capability-rule.ts'
import type { TurnView } from '../../session/types.ts'
import { bindsThinking, decideFeature, isNative } from '../features.ts'
import { orderedSettings, refuseOtherTools, refuseSupplied, refuseUnknown } from '../parameters.ts'
import { NO_CONTENT, systemTexts } from '../text.ts'
import { explainUpdateTag } from '../update-tag.ts'
import type { FallbackReason, LoweringWarning } from '../warnings.ts'
import { textBlock } from './blocks.ts'
import { placeBreakpoints } from './breakpoints.ts'
import { lowerEntries, type LoweredEntries } from './spans.ts'
import type { AnthropicOptions, AnthropicParams, AnthropicRequest } from './types.ts'

/** What to do where nobody has said anything since the last answer. */
type Unsaid =
  /** Send it as it is, and say so. */
  | 'warn'
  /** Put a message in that no later request will have. */
  | 'stand in'

/** A request, and whether there was anything to send. */
export interface LoweredTurn<P> extends AnthropicRequest<P> {
  readonly empty: boolean
}

/** Lowers a turn. Throws `RequestInvalidError` for parameters that the turn supplies. */
export function lowerTurn<P extends AnthropicParams>(
  turn: TurnView<MessageParam>,
  params: P,
  options: AnthropicOptions,
  unsaid: Unsaid,
): LoweredTurn<P> {
  refuseUnknown(options, { platform: anthropicPlatforms, updates: ['native', 'tagged'], tools: ['native', 'held'] })
  refuseSupplied(params, ['messages', 'system'])
  refuseOtherTools(turn, params.tools)
  const { platform = 'anthropic' } = options
  const decided = decide(turn, params.model, options)
  const lowered = lowerEntries(turn, {
    native: decided.updates === 'supported',
    nativeTools: decided.tools === 'supported',
    thinkingFrom: bindsThinking(turn, { model: params.model, platform }) ? turn.epoch : 0,
  })
  const { messages } = lowered
  const end = messages.length
  const answered = messages.at(-1)?.role === 'assistant'
  const empty = messages.every(({ content }) => content === NO_CONTENT)
  if (unsaid === 'stand in' && (answered || end === 0)) messages.push({ role: 'user', content: NO_CONTENT })

  const blocks = systemTexts([turn.instructions, turn.baseline, explainUpdateTag(turn.nonce)])
  const [instructions, baseline, explanation] = blocks.map((text) => (text === undefined ? text : textBlock(text)))
  const head: [TextBlockParam | undefined, TextBlockParam | undefined] = [instructions, baseline]
  const tools: unknown[] = [...(turn.tools?.definitions ?? params.tools ?? [])]
  const moved = placeBreakpoints(
    {
      tools,
      frozen: turn.tools !== null,
      head,
      explanation,
      messages,
      answered: answeredInEpoch(turn),
      end,
    },
    {
      ...options,
      automatic: params.cache_control,
      lookback: platform === 'bedrock' ? bedrockLookback : anthropicLookback,
    },
  )
  const warnings = [...degradations(turn, lowered, decided), ...moved]
  if (answered && unsaid === 'warn') warnings.push({ type: 'nothing-to-answer' })
  const system = [...head, explanation].filter((block) => block !== undefined)
  return {
    body: toBody(params, { tools: turn.tools === null ? params.tools : tools, system, messages }) as never,
    headers: lowered.tools.taken > 0 ? { 'anthropic-beta': anthropicBetas.inlineTools.header } : {},
    warnings,
    empty,
  }
}

/** What is decided once for all requests of an epoch. */
interface Decided {
  readonly updates: 'supported' | FallbackReason
  readonly tools: 'supported' | FallbackReason
}

function decide(
  turn: TurnView<MessageParam>,
  model: string,
  { platform = 'anthropic', updates, tools }: AnthropicOptions,
): Decided {
  const system = decideFeature(turn, {
    model,
    platform,
    feature: 'native-updates',
    override: isNative(updates),
  })
  const inline = decideFeature(turn, {
    model,
    platform,
    feature: 'native-tools',
    override: isNative(tools),
  })
  // Tools stand in system messages, so a model that takes none of these takes no tools.
  return { updates: system, tools: inline === 'supported' ? system : inline }
}

function answeredInEpoch({ entries, epoch }: TurnView<MessageParam>): boolean {
  const answer = entries.findLast((entry) => entry.type === 'message' && entry.message.role === 'assistant')
  return answer?.epoch === epoch
}

function degradations(
  turn: TurnView<MessageParam>,
  { tagged, thinking, blank, tools }: LoweredEntries,
  decided: Decided,
): LoweringWarning[] {
  const warnings: LoweringWarning[] = []
  if (tagged > 0) {
    const reason = decided.updates === 'supported' ? 'placement' : decided.updates
    warnings.push({ type: 'updates-tagged', reason, count: tagged })
  }
  for (const sendable of [true, false]) {
    const reason = decided.tools !== 'supported' ? decided.tools : sendable ? 'placement' : 'unsupported'
    const ids = tools.waiting(sendable)
    if (ids.length > 0) warnings.push({ type: 'tools-held', reason, ids })
  }
  const frozen = turn.tools?.definitions
  if (
    decided.tools === 'supported' &&
    frozen !== undefined &&
    frozen.every(({ defer_loading: late }) => late === true)
  ) {
    if (frozen.length > 0 || tools.taken > 0) warnings.push({ type: 'tools-all-deferred' })
  }
  if (thinking > 0) warnings.push({ type: 'thinking-detached', count: thinking })
  if (blank > 0) warnings.push({ type: 'blank-text', count: blank })
  return warnings
}

interface Prefix {
  readonly tools: unknown
  readonly system: readonly TextBlockParam[]
  readonly messages: readonly MessageParam[]
}

/** Keys in one order, whatever the caller's: the model, the settings by name, then the prefix as the provider reads it. */
function toBody(params: AnthropicParams, { tools, system, messages }: Prefix): object {
  const { model, max_tokens, tools: _tools, ...settings } = params
  return {
    model,
    max_tokens,
    ...orderedSettings(settings),
    ...(tools !== undefined && { tools }),
    system,
    messages,
  }
}
