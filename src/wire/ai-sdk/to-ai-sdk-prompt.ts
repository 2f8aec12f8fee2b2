/**
 * A turn as a prompt of the AI SDK, for whichever provider its model is of. Pure: what is sent depends on the turn, the model,
 * the options and the rules that stood when the epoch began.
 */
import type { LanguageModel, ModelMessage, SystemModelMessage } from 'ai'
import { anthropicBreakpoints, anthropicLookback, capability, type CacheTtl } from '../../cache/index.ts'
import type { TurnView } from '../../session/types.ts'
import { decideFeature } from '../features.ts'
import { markRules } from '../openai/breakpoints.ts'
import { placeCacheKey } from '../openai/cache-key.ts'
import { headOf, type Head } from '../openai/head.ts'
import { refuseEmpty } from '../parameters.ts'
import {
  claudePlanRules,
  conversationCandidates,
  planBreakpoints,
  rankOf,
  ttlOf,
  type HeadPart,
  type LifetimeRank,
} from '../plan/index.ts'
import { systemTexts } from '../text.ts'
import { explainUpdateTag } from '../update-tag.ts'
import type { FallbackReason, LoweringWarning } from '../warnings.ts'
import { extentOf, tokensOf } from './measure.ts'
import { lowerMessages, type LoweredMessages, type MessageTally } from './messages.ts'
import { withOption, type ProviderOptions } from './provider-options.ts'
import { targetOf, type Target } from './target.ts'
import type { AiSdkOptions, AiSdkPrompt } from './types.ts'

/**
 * Builds the prompt of a turn for `model`. Throws `RequestInvalidError` for a turn in which there is nothing to send.
 *
 * @example
 * ```ts
 * import { createSessions, memoryStore } from 'indelible'
 * import { aiSdkFormat, toAiSdkPrompt } from 'indelible/ai-sdk'
 * import { value } from 'indelible/sources'
 *
 * let branch = 'main'
 * const context = value('shop/branch', () => branch, { label: 'The git branch' })
 * const agent = createSessions({ store: memoryStore(), format: aiSdkFormat, instructions: 'Review code.', context })
 * const session = agent.open('review-42')
 * await session.submit({ role: 'user', content: 'Is it ready?' })
 * const { instructions, messages } = toAiSdkPrompt(await session.turn(), 'anthropic/claude-opus-5')
 * console.log(instructions.length, JSON.stringify(messages))
 * // => 3 [{"role":"user","content":"Is it ready?","providerOptions":{"anthropic":{"cacheControl":{"type":"ephemeral"}}}}]
 * ```
 */
export function toAiSdkPrompt(
  turn: TurnView<ModelMessage>,
  model: LanguageModel,
  options: AiSdkOptions = {},
): AiSdkPrompt {
  const target = targetOf(options.model ?? model)
  const updates = decideUpdates(turn, target, options)
  const tally: MessageTally = { tagged: 0, misplaced: 0, blank: 0, reasoning: 0, added: new Set() }
  const lowered = lowerMessages(
    turn.entries,
    {
      nonce: turn.nonce,
      native: updates !== 'supported' ? null : target.rule?.marks === 'openai' ? 'before-user' : 'last',
      apart: target.rule?.marks === 'openai',
      reasoningFrom: bindsThinking(turn, target) ? turn.epoch : 0,
    },
    tally,
  )
  if (lowered.messages.length === 0) refuseEmpty(turn.session)
  const warnings = warningsOf(turn, tally, updates, lowered)
  switch (target.rule?.marks) {
    case 'anthropic':
    case 'bedrock':
      return claudePrompt(turn, lowered, target.rule.marks, warnings, options)
    case 'openai':
      return openAIPrompt(turn, lowered, target, warnings, options)
    default:
      return {
        instructions: separated(turn).map(systemMessage),
        messages: lowered.messages,
        providerOptions: {},
        warnings,
      }
  }
}

function decideUpdates(
  turn: TurnView<ModelMessage>,
  { model, rule }: Target,
  { updates }: AiSdkOptions,
): 'supported' | FallbackReason {
  if (rule === undefined && updates !== 'native') return updates === undefined ? 'unknown' : 'asked'
  const override = updates === undefined ? undefined : updates === 'native'
  if (rule?.keepsSystem === false && override !== true) return override === false ? 'asked' : 'unsupported'
  return decideFeature(turn, { model, platform: rule?.platform ?? 'openai', feature: 'native-updates', override })
}

function bindsThinking({ rulesAsOf }: TurnView<ModelMessage>, { model, rule }: Target): boolean {
  if (rule === undefined) return false
  return (
    capability({ model, platform: rule.platform, feature: 'thinking-binding', asOf: rulesAsOf })?.supported === true
  )
}

/** The system's texts as blocks that are read as one. */
function separated(turn: TurnView<ModelMessage>): string[] {
  const texts = systemTexts([turn.instructions, turn.baseline, explainUpdateTag(turn.nonce)])
  return texts.filter((text) => text !== undefined)
}

function systemMessage(content: string): SystemModelMessage {
  return { role: 'system', content }
}

/** Claude's breakpoints, by the package for its own API or the one for Bedrock. */
function claudePrompt(
  turn: TurnView<ModelMessage>,
  { messages, answered }: LoweredMessages,
  provider: 'anthropic' | 'bedrock',
  warnings: LoweringWarning[],
  { ttl = anthropicBreakpoints.defaultTtl, expectedTurns }: AiSdkOptions,
): AiSdkPrompt {
  const texts = systemTexts([turn.instructions, turn.baseline, explainUpdateTag(turn.nonce)])
  const head: HeadPart[] = (['instructions', 'baseline'] as const).flatMap((place, index) => {
    const text = texts[index]
    return text === undefined ? [] : [{ place, tokens: tokensOf(text), positions: 1 }]
  })
  const open = messages.slice(answered)
  const lifetimes = typeof ttl === 'string' ? { head: ttl, tail: ttl } : ttl
  const candidates = conversationCandidates({
    head,
    answered: extentOf(messages.slice(0, answered)),
    open: extentOf(open),
    ttl: { head: rankOf(lifetimes.head), tail: rankOf(lifetimes.tail) },
    expectedTurns,
  })
  const { placed, dropped } = planBreakpoints(candidates, claudePlanRules(anthropicLookback))
  const rankAt = new Map(placed.map(({ place, ttl: rank }) => [place, rank] as const))
  const mark = <M extends ModelMessage>(message: M, rank: LifetimeRank | undefined): M =>
    rank === undefined ? message : withOption(message, provider, markOf(provider, ttlOf(rank)))
  const instructions = texts.flatMap((text, index) => {
    if (text === undefined) return []
    const place = (['instructions', 'baseline'] as const)[index]
    return [mark(systemMessage(text), place && rankAt.get(place))]
  })
  const marked = messages.map((message, index) => {
    if (index === messages.length - 1) return mark(message, rankAt.get('tail'))
    return index === answered - 1 ? mark(message, rankAt.get('anchor')) : message
  })
  const drops = dropped.map((place): LoweringWarning => ({ type: 'breakpoint-dropped', place }))
  return { instructions, messages: marked, providerOptions: {}, warnings: [...warnings, ...drops] }
}

function markOf(provider: 'anthropic' | 'bedrock', ttl: CacheTtl): object {
  const named = ttl === anthropicBreakpoints.defaultTtl ? {} : { ttl }
  return provider === 'anthropic'
    ? { cacheControl: { type: 'ephemeral', ...named } }
    : { cachePoint: { type: 'default', ...named } }
}

/** OpenAI's breakpoints and cache key; each system message is a place of its own there. */
function openAIPrompt(
  turn: TurnView<ModelMessage>,
  { messages, ends, uncovered }: LoweredMessages,
  { model, rule }: Target,
  warnings: LoweringWarning[],
  { cacheKey, expectedTurns }: AiSdkOptions,
): AiSdkPrompt {
  const platform = rule?.platform === 'azure' ? 'azure' : 'openai'
  const head: Head = headOf(turn)
  const breakpoints = decideFeature(turn, { model, platform, feature: 'breakpoints' })
  const marks = markRules(breakpoints, head, {}, { expectedTurns })
  const instructions = (
    [
      [head.instructions, marks.instructions],
      [head.baseline, marks.baseline],
      [head.explanation, false],
    ] as const
  ).flatMap(([text, isMarked]) => (text === undefined ? [] : [openAIMarked(systemMessage(text), isMarked)]))
  const places = new Set([...(marks.updates ? uncovered : []), ...(marks.answered ? ends : [])])
  const marked = messages.map((message, index) => openAIMarked(message, places.has(index)))
  const tools = turn.tools?.definitions
  const key = placeCacheKey(turn, {}, tools, 'responses', { platform, ...(cacheKey !== undefined && { cacheKey }) })
  const promptCacheKey = key.body['prompt_cache_key']
  const openai: ProviderOptions[string] = {
    ...(promptCacheKey !== undefined && { promptCacheKey }),
    ...(marks.mode !== null && { promptCacheOptions: { mode: marks.mode } }),
  }
  const providerOptions = Object.keys(openai).length === 0 ? {} : { openai }
  return { instructions, messages: marked, providerOptions, warnings }
}

/** The package for OpenAI reads marks of a system message on it, and those of others on their parts. */
function openAIMarked<M extends ModelMessage>(message: M, isMarked: boolean): M {
  if (!isMarked) return message
  if (message.role === 'system') return withOption(message, 'openai', openAIMark)
  const { content } = message
  const parts = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content
  const last = parts.length - 1
  return {
    ...message,
    content: parts.map((part, index) => (index === last ? withOption(part, 'openai', openAIMark) : part)),
  }
}

const openAIMark = { promptCacheBreakpoint: { mode: 'explicit' } }

function warningsOf(
  turn: TurnView<ModelMessage>,
  tally: MessageTally,
  updates: 'supported' | FallbackReason,
  { messages }: LoweredMessages,
): LoweringWarning[] {
  const warnings: LoweringWarning[] = []
  if (tally.tagged > 0) {
    warnings.push({
      type: 'updates-tagged',
      reason: updates === 'supported' ? 'placement' : updates,
      count: tally.tagged,
    })
  }
  const held = (turn.tools?.callable ?? []).filter((id) => tally.added.has(id))
  if (held.length > 0) warnings.push({ type: 'tools-held', reason: 'unsupported', ids: held })
  if (messages.at(-1)?.role === 'assistant') warnings.push({ type: 'nothing-to-answer' })
  if (tally.reasoning > 0) warnings.push({ type: 'thinking-detached', count: tally.reasoning })
  if (tally.blank > 0) warnings.push({ type: 'blank-text', count: tally.blank })
  return warnings
}
