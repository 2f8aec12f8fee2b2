/**
 * Verdicts where no simulation is possible: no body, parts of one, or one without the caller's breakpoints. What is
 * reported is compared with what the turn before left in the cache; a read that falls behind that is a loss. What can
 * explain it is what the log knows: a pause longer than the lifetime that was paid for, another model, a record of a
 * compaction or of a change, and, where there are bodies, that they differ. Everything else stays unknown.
 *
 * Where writes are not reported, all of the turn before is taken to be cached, as providers do that cache by themselves.
 */
import { isSameModel, type Lifetime } from '../../cache/index.ts'
import type { ChangeEvent } from '../exchange.ts'
import type { Turn } from '../record/types.ts'
import { gapBetween } from './extent.ts'
import { lacking } from './lacking.ts'
import { order } from './losses.ts'
import { cachedOf, readOf, writeOf } from './reported.ts'
import { rulesOf } from './scopes.ts'
import { toleranceOf } from './tolerance.ts'
import type { Reason } from './types.ts'

/** A turn and what is known of it. */
export interface Reported {
  readonly turn: Turn
  readonly parent: Turn
  /** The lifetime that was last paid for in this stream. */
  readonly ttl: Lifetime | null
  /** The path of the first difference, null where the bodies agree; undefined where there are none to compare. */
  readonly differsAt: string | null | undefined
  readonly compaction: string | null
  /** Parts of the scope in which the two differ. */
  readonly scope: readonly string[]
}

/** What was lost by the reports, and why. */
export interface ReportedLoss {
  readonly tokens: number
  readonly reasons: readonly Reason[]
  readonly missing: readonly string[]
  readonly ttlSeconds: number | null
}

/** Judges a turn by reports alone. */
export function lossFromUsage(reported: Reported): ReportedLoss {
  const { turn, parent, ttl } = reported
  const lifetime = lifetimeOf(turn, ttl)
  const ttlSeconds = lifetime === Infinity ? null : lifetime / 1000
  const read = readOf(turn)
  const total = turn.usage?.total
  const held = cachedOf(parent) ?? (readOf(parent) === undefined ? undefined : parent.usage?.total)
  if (turn.answer.serverEdited || parent.answer.serverEdited) {
    const detail = 'The provider edits or compacts the prompt on its side, and its figures are of that text.'
    return { tokens: 0, reasons: [{ kind: 'server-edited', tokens: 0, detail }], missing: [], ttlSeconds }
  }
  if (read === undefined || held === undefined) {
    return { tokens: 0, reasons: rewrites(reported), missing: [lacking.usage], ttlSeconds }
  }
  const expected = Math.min(held, total ?? held)
  const tokens = expected - read
  if (tokens <= toleranceOf(expected, 1)) return { tokens: 0, reasons: [], missing: [], ttlSeconds }
  const causes = causesOf(reported, lifetime)
  const [first, ...others] = causes
  if (first === undefined) {
    const detail = `${read} of ${expected} tokens were read, and nothing in the log says why.`
    const missing = [...(reported.differsAt === undefined ? [lacking.body] : []), ...missingFor(turn)]
    return { tokens, reasons: [{ kind: 'unknown', tokens, detail }], missing, ttlSeconds }
  }
  return { tokens, reasons: [{ ...first, tokens }, ...others], missing: missingFor(turn), ttlSeconds }
}

/** Milliseconds that an entry lives at least, by the rules of the provider; Infinity where it names none. */
function lifetimeOf(turn: Turn, ttl: Lifetime | null): number {
  const { format, model, settings } = turn
  const request = { format: format ?? 'openai-chat', model, items: [], scope: [], automatic: null, settings } as const
  const context = { at: turn.exchange.startedAt, zeroDataRetention: false, blockSize: undefined }
  const rules = rulesOf(turn).rulesFor(request, context)
  return (rules.type === 'entries' ? rules.lifetime(ttl) : rules.lifetime).least
}

/** The lifetime that a turn paid for, where it wrote. */
export function paidLifetime({ usage }: Turn): Lifetime | null {
  if (usage === undefined || (writeOf(usage) ?? 0) === 0) return null
  // What was written for longer stands in front, and what is behind it is gone first.
  if ((usage.write5m ?? 0) > 0) return '5m'
  return (usage.write30m ?? 0) > 0 ? '30m' : '1h'
}

/** All that can have lost what was cached, in the order of the kinds. */
function causesOf(reported: Reported, lifetime: number): readonly Reason[] {
  const { turn, parent, scope } = reported
  const causes = [...rewrites(reported)]
  const recorded = turn.exchange.fidelity.parameters ? [] : changes(turn, scoping)
  const names = [...scope, ...(isOtherModel(turn, parent) ? ['model'] : []), ...recorded]
  if (names.length > 0) {
    const parameters = [...new Set(names)]
    causes.push({ kind: 'scope', tokens: 0, detail: `Changed: ${parameters.join(', ')}.`, parameters })
  }
  const gap = turn.exchange.fidelity.time ? gapBetween(parent, turn) : undefined
  if (gap !== undefined && gap.most >= lifetime) {
    const detail = `${Math.round(gap.most / 1000)} s since the request before; entries live ${Math.round(lifetime / 1000)} s.`
    causes.push({ kind: 'expired', tokens: 0, detail })
  }
  return causes.sort((one, other) => order.indexOf(one.kind) - order.indexOf(other.kind))
}

/** That the text is another one: by the bodies, or, where there are none, by what the log recorded. */
function rewrites({ turn, differsAt, compaction }: Reported): readonly Reason[] {
  if (compaction !== null && differsAt !== null) {
    return [{ kind: 'compacted', tokens: 0, detail: `The conversation was compacted: ${compaction}.` }]
  }
  if (typeof differsAt === 'string') {
    const detail = `The request before had something else at ${differsAt}.`
    return [{ kind: 'rewritten', tokens: 0, detail, parameters: [differsAt] }]
  }
  const names = differsAt === undefined ? changes(turn, texts) : []
  if (names.length === 0) return []
  return [
    { kind: 'rewritten', tokens: 0, detail: `The log records a change of: ${names.join(', ')}.`, parameters: names },
  ]
}

const scoping: readonly ChangeEvent['type'][] = ['model', 'effort']
/** Clients write these into the prompt. */
const texts: readonly ChangeEvent['type'][] = ['date', 'directory', 'branch', 'permissions', 'client-version']

function changes({ exchange }: Turn, types: readonly ChangeEvent['type'][]): readonly string[] {
  const changed = exchange.events?.filter(({ type, before, after }) => {
    return types.includes(type) && (before === undefined || before !== after)
  })
  return [...new Set(changed?.map(({ type }) => type))]
}

function isOtherModel(turn: Turn, parent: Turn): boolean {
  const answered = parent.answer.model !== undefined && turn.answer.model !== undefined
  const [one, other] = answered ? [parent.answer.model, turn.answer.model] : [parent.model, turn.model]
  return one !== undefined && other !== undefined && !isSameModel(one, other)
}

function missingFor({ exchange: { fidelity } }: Turn): readonly string[] {
  const missing: string[] = []
  if (!fidelity.time) missing.push(lacking.time)
  if (!fidelity.breakpoints && fidelity.level !== 'usage') missing.push(lacking.breakpoints)
  return missing
}
