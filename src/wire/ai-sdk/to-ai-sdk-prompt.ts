/**
 * A turn as a prompt of the AI SDK, for whichever provider its model is of. Pure: what is sent depends on the turn, the model,
 * the options and the rules that stood when the epoch began.
 */
import type { LanguageModel, ModelMessage, SystemModelMessage } from 'ai'
import type { TurnView } from '../../session/types.ts'
import { bindsThinking, decideFeature } from '../features.ts'
import { refuseEmpty } from '../parameters.ts'
import { systemTexts } from '../text.ts'
import { explainUpdateTag } from '../update-tag.ts'
import type { FallbackReason, LoweringWarning } from '../warnings.ts'
import { AppendedTools } from './appended-tools.ts'
import { claudePrompt } from './claude-prompt.ts'
import { lowerMessages, type LoweredMessages, type MessageTally } from './messages.ts'
import { openAIPrompt } from './openai-prompt.ts'
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
  const target = targetOf(options.model ?? model, turn.rulesAsOf, options.platform)
  const decided = decide(turn, target, options)
  const { rule } = target
  const tools = new AppendedTools(
    turn.tools?.definitions ?? [],
    decided.tools === 'supported' ? (rule?.tools ?? null) : null,
  )
  const tally: MessageTally = { tagged: 0, blank: 0, reasoning: 0, tools }
  const lowered = lowerMessages(
    turn.entries,
    {
      nonce: turn.nonce,
      native: decided.updates === 'supported',
      provider: rule?.marks === 'openai' ? 'openai' : rule?.marks ? 'claude' : 'other',
      optionsOf: rule?.optionsOf[0],
      reasoningFrom:
        target.rule && bindsThinking(turn, { model: target.model, platform: target.rule.platform }) ? turn.epoch : 0,
    },
    tally,
  )
  if (lowered.messages.length === 0) refuseEmpty(turn.session)
  const prompt = withMarks(turn, lowered, target, options)
  return { ...prompt, warnings: [...degradations(turn, tally, decided, lowered), ...prompt.warnings] }
}

function withMarks(
  turn: TurnView<ModelMessage>,
  { messages, answered, spans }: LoweredMessages,
  { model, rule }: Target,
  options: AiSdkOptions,
): AiSdkPrompt {
  if (rule?.marks === 'openai') return openAIPrompt({ turn, messages, spans }, model, rule, options)
  if (rule?.marks) return claudePrompt({ turn, messages, answered }, model, rule, options)
  const texts = systemTexts([turn.instructions, turn.baseline, explainUpdateTag(turn.nonce)])
  const instructions = texts.flatMap((content): SystemModelMessage[] =>
    content === undefined ? [] : [{ role: 'system', content }],
  )
  return { instructions, messages, providerOptions: {}, warnings: [] }
}

/** What is decided once for all requests of an epoch. */
interface Decided {
  readonly updates: 'supported' | FallbackReason
  readonly tools: 'supported' | FallbackReason
}

/** The whole way has to take it: the package, the platform and the model. */
function decide(turn: TurnView<ModelMessage>, { model, rule }: Target, asked: AiSdkOptions): Decided {
  const feature = (
    name: 'native-updates' | 'native-tools',
    isCarried: boolean | undefined,
    override: boolean | undefined,
  ): 'supported' | FallbackReason => {
    if (rule === undefined && override === undefined) return 'unknown'
    if (isCarried === false && override === undefined) return 'unsupported'
    return decideFeature(turn, { model, platform: rule?.platform ?? 'openai', feature: name, override })
  }
  const updates = feature('native-updates', rule?.keepsSystem, asked.updates && asked.updates === 'native')
  const carried = rule && rule.tools !== null
  // No option makes a package write what it has no words for.
  const override = carried === true || asked.tools === 'held' ? asked.tools && asked.tools === 'native' : undefined
  const tools = feature('native-tools', carried, override)
  // Tools stand in system messages, so a model that takes none of these takes no tools.
  return { updates, tools: tools === 'supported' ? updates : tools }
}

function degradations(
  turn: TurnView<ModelMessage>,
  tally: MessageTally,
  { updates, tools }: Decided,
  { messages }: LoweredMessages,
): LoweringWarning[] {
  const warnings: LoweringWarning[] = []
  if (tally.tagged > 0) {
    const reason = updates === 'supported' ? 'placement' : updates
    warnings.push({ type: 'updates-tagged', reason, count: tally.tagged })
  }
  warnings.push(...tally.tools.warnings(turn, tools))
  if (messages.at(-1)?.role === 'assistant') warnings.push({ type: 'nothing-to-answer' })
  if (tally.reasoning > 0) warnings.push({ type: 'thinking-detached', count: tally.reasoning })
  if (tally.blank > 0) warnings.push({ type: 'blank-text', count: tally.blank })
  return warnings
}
