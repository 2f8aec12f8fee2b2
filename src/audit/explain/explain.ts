/**
 * Two request bodies, one after the other: what the cache can reuse of the first for the second, and why not of the rest.
 *
 * Two answers stand side by side. The first difference is found in the segments as the provider orders them, and needs no
 * rule. What is read, and each reason why the rest is not, is what the simulator says of the second request when the first
 * was answered a while before.
 */
import { createSimulator, layout, price } from '../../cache/index.ts'
import type { Layout, Miss, PredictedUsage, Segment, SimulatorOptions } from '../../cache/index.ts'
import { providerFor } from '../provider-for.ts'
import { firstDifference, type Divergence } from './first-difference.ts'

/** How to look at two bodies. */
export interface ExplainOptions {
  /** By the simulator's names; by the format and the model unless given. */
  readonly provider?: SimulatorOptions['provider'] | undefined
  /** The model, where the bodies do not name it. */
  readonly model?: string | undefined
  /** Seconds between the two; 60 unless given. */
  readonly gapSeconds?: number | undefined
  /** The day whose list prices are meant; without it there is no cost. */
  readonly at?: Date | undefined
  /** Guesses by length unless given. */
  readonly countTokens?: SimulatorOptions['countTokens']
}

/** A parameter outside of the prompt that the two have different values of. */
export interface ScopeDifference {
  readonly name: string
  readonly before: unknown
  readonly after: unknown
  /** The sections whose entries the change loses. */
  readonly invalidates: readonly string[]
}

/** What the cache can reuse of the first request for the second. */
export interface Explanation {
  readonly schema: 'indelible.explain/1'
  /** As the simulator names it. */
  readonly provider: string
  readonly model: string | null
  readonly gapSeconds: number
  /** Both begin with so much: whole segments, and their tokens. */
  readonly same: { readonly segments: number; readonly of: number; readonly tokens: number }
  /** Where the second differs first; `null` where it begins with all of the first. */
  readonly divergence: Divergence | null
  readonly scope: readonly ScopeDifference[]
  /** Of the second request. */
  readonly usage: PredictedUsage
  /** Of its input, and what it were without a cache, at list prices; `null` where these are not known. */
  readonly cost: { readonly amount: number; readonly uncached: number; readonly currency: 'USD' } | null
  /** Why parts of it are not read, in their order. */
  readonly misses: readonly Miss[]
  /** Tokens are estimates: by length, or by a vocabulary that need not be the model's. */
  readonly estimated: true
}

const DEFAULT_GAP_SECONDS = 60

/**
 * Explains `after`, sent when `before` had been answered. Throws `RequestUnreadableError` for what is no request.
 *
 * @example
 * ```ts
 * import { explain } from 'indelible/audit'
 *
 * const rules = 'Be brief, be right, say what you did. '.repeat(100)
 * const body = (day: string) => ({
 *   model: 'claude-opus-5',
 *   system: [{ type: 'text', text: `Today is ${day}. ${rules}`, cache_control: { type: 'ephemeral' } }],
 *   messages: [{ role: 'user', content: 'Go on.' }],
 * })
 * const { usage, divergence } = explain(body('Monday'), body('Tuesday'))
 * console.log(usage.read, divergence?.path, divergence?.offset) // => 0 system[0] 9
 * ```
 */
export function explain(before: unknown, after: unknown, options: ExplainOptions = {}): Explanation {
  const { gapSeconds = DEFAULT_GAP_SECONDS, countTokens, at } = options
  const reading = { ...(options.model !== undefined && { model: options.model }) }
  const counting = { ...reading, ...(countTokens && { countTokens }) }
  const [first, second] = [layout(before, counting), layout(after, counting)]
  const provider = options.provider ?? providerFor(second.format, second.model)
  const simulator = createSimulator({ provider, ...reading, ...(countTokens && { countTokens }) })
  const startedAt = 1
  simulator.send(before, { startedAt, ...reading })
  const {
    usage,
    misses,
    provider: name,
    model,
  } = simulator.send(after, {
    startedAt: startedAt + gapSeconds * 1000,
    ...reading,
  })
  const common = commonSegments(first.segments, second.segments)
  return {
    schema: 'indelible.explain/1',
    provider: name,
    model: model ?? second.model ?? null,
    gapSeconds,
    same: { segments: common, of: second.segments.length, tokens: shareOf(second, common, usage.total) },
    divergence: firstDifference(first.segments, second.segments, common),
    scope: scopeDifferences(first, second),
    usage,
    cost: costOf(usage, model ?? second.model, at),
    misses,
    estimated: true,
  }
}

function commonSegments(one: readonly Segment[], other: readonly Segment[]): number {
  const end = Math.min(one.length, other.length)
  for (let index = 0; index < end; index++) if (!isSame(one[index]!, other[index]!)) return index
  return end
}

function isSame(one: Segment, other: Segment): boolean {
  return (
    one.content === other.content && one.type === other.type && one.role === other.role && one.section === other.section
  )
}

/** Tokens of the first segments on the simulator's scale, which is that of the model. */
function shareOf({ segments, tokens }: Layout, common: number, total: number): number {
  const own = segments.slice(0, common).reduce((sum, segment) => sum + segment.tokens, 0)
  return tokens === 0 ? 0 : Math.round((total * own) / tokens)
}

function scopeDifferences(one: Layout, other: Layout): readonly ScopeDifference[] {
  const before = new Map(one.scope.map((parameter) => [parameter.name, parameter.value]))
  return other.scope.flatMap(({ name, value, invalidates }) => {
    const earlier = before.get(name) ?? null
    return JSON.stringify(earlier) === JSON.stringify(value)
      ? []
      : [{ name, before: earlier, after: value, invalidates }]
  })
}

function costOf(usage: PredictedUsage, model: string | undefined, at: Date | undefined): Explanation['cost'] {
  if (model === undefined || at === undefined) return null
  const priced = price(usage, { model, at })
  const { total } = usage
  const uncached = price({ total, read: 0, uncached: total }, { model, at })
  if (priced.type !== 'priced' || uncached.type !== 'priced') return null
  return { amount: priced.amount, uncached: uncached.amount, currency: 'USD' }
}
