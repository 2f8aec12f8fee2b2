/** Claude's breakpoints, through the package for its own API or the one for Bedrock's Converse. */
import type { ModelMessage, SystemModelMessage } from 'ai'
import { isOneOf } from '../../cache/anthropic/models.ts'
import {
  anthropicBreakpoints,
  anthropicLookback,
  bedrockLookback,
  bedrockShortOnly,
  type CacheTtl,
} from '../../cache/index.ts'
import type { TurnView } from '../../session/types.ts'
import { decideFeature } from '../features.ts'
import {
  claudePlanRules,
  conversationCandidates,
  planBreakpoints,
  rankOf,
  ttlOf,
  type Extent,
  type HeadPart,
  type LifetimeRank,
} from '../plan/index.ts'
import { systemTexts } from '../text.ts'
import { explainUpdateTag } from '../update-tag.ts'
import type { BreakpointPlace, FallbackReason, LoweringWarning } from '../warnings.ts'
import { extentOf, tokensOf } from './measure.ts'
import { withOption, type ProviderOptions } from './provider-options.ts'
import type { PackageRule } from './target.ts'
import type { AiSdkOptions, AiSdkPrompt } from './types.ts'

/** What is marked: a turn and its lowered messages, of which the first `answered` are the last answered request. */
interface ClaudePrompt {
  readonly turn: TurnView<ModelMessage>
  readonly messages: readonly ModelMessage[]
  readonly answered: number
}

/** The prompt with breakpoints where they are worth most, or without any where the model takes none. */
export function claudePrompt(
  prompt: ClaudePrompt,
  model: string,
  rule: PackageRule,
  options: AiSdkOptions,
): AiSdkPrompt {
  const { turn } = prompt
  const texts = systemTexts([turn.instructions, turn.baseline, explainUpdateTag(turn.nonce)])
  const messages = [...prompt.messages]
  const supported = decideFeature(turn, { model, platform: rule.platform, feature: 'breakpoints' })
  const spots = {
    tail: lastMarkable(messages, messages.length),
    anchor: lastMarkable(messages, prompt.answered),
  }
  const { marks, warnings } =
    supported === 'supported' ? planMarks(prompt, texts, spots, model, rule, options) : leftOut(supported)
  for (const place of ['anchor', 'tail'] as const) {
    const mark = marks.get(place)
    const message = messages[spots[place]]
    if (message !== undefined && mark !== undefined) messages[spots[place]] = withOption(message, optionsOf(rule), mark)
  }
  const instructions = texts.flatMap((content, index): SystemModelMessage[] => {
    if (content === undefined) return []
    const mark = places[index] && marks.get(places[index])
    const message: SystemModelMessage = { role: 'system', content }
    return [mark === undefined ? message : withOption(message, optionsOf(rule), mark)]
  })
  return { instructions, messages, providerOptions: {}, warnings }
}

/** Which places are marked, and with what. */
interface Marks {
  readonly marks: ReadonlyMap<BreakpointPlace, ProviderOptions[string]>
  readonly warnings: readonly LoweringWarning[]
}

function leftOut(reason: FallbackReason): Marks {
  return { marks: new Map(), warnings: [{ type: 'breakpoints-left-out', reason }] }
}

/** Where the last answered request and this one can be marked, as indexes of messages; -1 for nowhere. */
interface Spots {
  readonly anchor: number
  readonly tail: number
}

function planMarks(
  { turn, messages }: ClaudePrompt,
  texts: readonly (string | undefined)[],
  { anchor, tail }: Spots,
  model: string,
  rule: PackageRule,
  { ttl = anthropicBreakpoints.defaultTtl, expectedTurns }: AiSdkOptions,
): Marks {
  const isBedrock = rule.platform === 'bedrock' || rule.platform === 'bedrock-converse'
  const lookback = isBedrock ? bedrockLookback : anthropicLookback
  const most = rankOf(isBedrock && isOneOf(model, bedrockShortOnly.models) ? '5m' : '1h')
  const asked = typeof ttl === 'string' ? { head: ttl, tail: ttl } : ttl
  const { parts, rest } = headParts(turn.tools?.definitions ?? [], texts, rule)
  const answered = extentOf(messages.slice(0, anchor + 1), lookback)
  const open = extentOf(messages.slice(anchor + 1, tail + 1), lookback)
  const { placed, dropped } = planBreakpoints(
    conversationCandidates({
      head: parts,
      answered: answered && plus(answered, rest),
      open: open && (answered === undefined ? plus(open, rest) : open),
      ttl: { head: Math.min(rankOf(asked.head), most), tail: Math.min(rankOf(asked.tail), most) },
      expectedTurns,
    }),
    claudePlanRules(lookback),
  )
  const warnings: LoweringWarning[] = dropped.map((place) => ({ type: 'breakpoint-dropped', place }))
  const marks = new Map<BreakpointPlace, ProviderOptions[string]>()
  for (const { place, ttl: rank, moved } of placed) {
    const wanted = rankOf(place === 'anchor' || place === 'tail' ? asked.tail : asked.head)
    if (moved === 'raised') warnings.push({ type: 'ttl-raised', place })
    else if (rank < wanted) warnings.push({ type: 'ttl-lowered', place })
    marks.set(place, markOf(rule, rank))
  }
  return { marks, warnings }
}

function plus(one: Extent, other: Extent): Extent {
  return { tokens: one.tokens + other.tokens, positions: one.positions + other.positions }
}

const NOTHING: Extent = { tokens: 0, positions: 0 }
const places = ['instructions', 'baseline'] as const

/** The frozen tools up to each that its definition marks, instructions and baseline; and what is left behind the last of them. */
function headParts(
  tools: readonly object[],
  texts: readonly (string | undefined)[],
  rule: PackageRule,
): { parts: readonly HeadPart[]; rest: Extent } {
  const parts: HeadPart[] = []
  let rest = NOTHING
  const grow = (text: string): void => {
    rest = { tokens: rest.tokens + tokensOf(text), positions: rest.positions + 1 }
  }
  const close = (part: Pick<HeadPart, 'place' | 'marked'>): void => {
    parts.push({ ...part, ...rest })
    rest = NOTHING
  }
  for (const tool of tools) {
    grow(JSON.stringify(tool))
    const { providerOptions } = tool as { providerOptions?: ProviderOptions }
    const own = providerOptions?.[optionsOf(rule)]?.[keyOf(rule)] as { ttl?: CacheTtl } | undefined
    if (own) close({ place: 'tools', marked: rankOf(own.ttl ?? anthropicBreakpoints.defaultTtl) })
  }
  for (const [index, text] of texts.entries()) {
    if (text === undefined) continue
    grow(text)
    const place = places[index]
    if (place !== undefined) close({ place })
  }
  return { parts, rest }
}

/** Index of the last message before `end` of which the last part can be marked; -1 where there is none. */
function lastMarkable(messages: readonly ModelMessage[], end: number): number {
  return messages.slice(0, end).findLastIndex(({ role, content }) => {
    // One that only brings tools has no text to be marked.
    if (role === 'system' || typeof content === 'string') return content !== ''
    const type = (content.at(-1) as { readonly type: string } | undefined)?.type
    return type === 'text' || type === 'file' || type === 'image' || type === 'tool-call' || type === 'tool-result'
  })
}

function optionsOf({ optionsOf: [first = 'anthropic'] }: PackageRule): string {
  return first
}

function keyOf({ marks }: PackageRule): 'cachePoint' | 'cacheControl' {
  return marks === 'bedrock' ? 'cachePoint' : 'cacheControl'
}

function markOf(rule: PackageRule, rank: LifetimeRank): ProviderOptions[string] {
  const ttl = ttlOf(rank)
  const type = rule.marks === 'bedrock' ? 'default' : 'ephemeral'
  return { [keyOf(rule)]: { type, ...(ttl !== anthropicBreakpoints.defaultTtl && { ttl }) } }
}
