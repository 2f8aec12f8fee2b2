/** OpenAI's breakpoints and cache key; each system message is a place of its own there. */
import type { ModelMessage, SystemModelMessage } from 'ai'
import type { TurnView } from '../../session/types.ts'
import { decideFeature } from '../features.ts'
import { markRules } from '../openai/breakpoints.ts'
import { placeCacheKey } from '../openai/cache-key.ts'
import { headOf } from '../openai/head.ts'
import { markLast } from '../openai/parts.ts'
import type { SaidSpan } from './messages.ts'
import { withOption, type ProviderOptions } from './provider-options.ts'
import type { PackageRule } from './target.ts'
import type { AiSdkOptions, AiSdkPrompt } from './types.ts'

/** What is marked: a turn and its lowered messages, with the places of what was said between answers. */
interface OpenAIPrompt {
  readonly turn: TurnView<ModelMessage>
  readonly messages: readonly ModelMessage[]
  readonly spans: readonly SaidSpan[]
}

/** The prompt with marks where the provider's own do not stand, and the key by which it is sent to the same server. */
export function openAIPrompt(
  { turn, messages, spans }: OpenAIPrompt,
  model: string,
  { platform: asked, optionsOf }: PackageRule,
  { cacheKey, expectedTurns }: AiSdkOptions,
): AiSdkPrompt {
  const platform = asked === 'azure' ? 'azure' : 'openai'
  const head = headOf(turn)
  const breakpoints = decideFeature(turn, { model, platform, feature: 'breakpoints' })
  const marks = markRules(breakpoints, head, {}, { expectedTurns })
  const [name = 'openai'] = optionsOf
  const marked = (message: ModelMessage): ModelMessage => markEnd(message, name)
  const leading = [
    [head.instructions, marks.instructions],
    [head.baseline, marks.baseline],
    [head.explanation, false],
  ] as const
  const instructions = leading.flatMap(([content, isMarked]): SystemModelMessage[] => {
    if (content === undefined) return []
    const message: SystemModelMessage = { role: 'system', content }
    return [isMarked ? withOption(message, name, MARK) : message]
  })
  let conversation: readonly ModelMessage[] = messages
  for (const { start, end, answered } of spans) {
    // A native update that no later message of its span covers.
    const isUncovered = marks.updates && messages[end - 1]?.role === 'system'
    if (!isUncovered && !(answered ? marks.answered : marks.open)) continue
    const said = markLast(conversation.slice(start, end), marked)
    conversation = [...conversation.slice(0, start), ...said, ...conversation.slice(end)]
  }
  const tools = turn.tools?.definitions
  const key = placeCacheKey(turn, {}, tools, 'responses', { platform, ...(cacheKey !== undefined && { cacheKey }) })
  const promptCacheKey = key.body['prompt_cache_key']
  // Of several names for options of a call the package may read the first only, and a caller's are most often here.
  const openai: ProviderOptions[string] = {
    ...(promptCacheKey !== undefined && { promptCacheKey }),
    ...(marks.mode !== null && { promptCacheOptions: { mode: marks.mode } }),
  }
  const providerOptions = Object.keys(openai).length === 0 ? {} : { openai }
  return { instructions, messages: [...conversation], providerOptions, warnings: [] }
}

const MARK = { promptCacheBreakpoint: { mode: 'explicit' } }

interface Part {
  readonly type: string
  readonly text?: unknown
  readonly output?: { readonly type: string }
}

/** The message with a mark at its end, or itself where it takes none. The packages read marks of parts, but for the system's. */
function markEnd<M extends ModelMessage>(message: M, name: string): M {
  const { role, content } = message
  if (role === 'system') return content === '' ? message : withOption(message, name, MARK)
  if (role === 'assistant') return message
  const parts: readonly Part[] = typeof content === 'string' ? [{ type: 'text', text: content }] : content
  const last = parts.findLastIndex(isMarkable)
  if (last < 0) return message
  const marked = parts.map((part, index) => (index === last ? withOption(part, name, MARK) : part))
  return { ...message, content: marked }
}

/** Results that are lists of content have their marks deeper; the message before such a one is marked. */
function isMarkable({ type, text, output }: Part): boolean {
  if (type === 'text') return text !== ''
  return type === 'file' || type === 'image' || (type === 'tool-result' && output?.type !== 'content')
}
