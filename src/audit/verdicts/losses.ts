/**
 * What a turn could not read, by reason.
 *
 * What was lost is what the simulator would have read had the turn begun with all of its parent, inside the lifetime, in
 * its scope and marked, less what it did read: up to where the parent left its prompt in the cache, or, where that is
 * further, up to where the two agree. Blocks that are not full are no loss.
 *
 * A reason's worth is what would be read without it alone. Where the parent's entry is whole in the turn, the simulator
 * found the reasons itself; where it is not (other text, other scope), one reason that stands alone took all of it, and of
 * several each took what the simulator found behind it. What only all of them together would give back goes to the one
 * that is worth most, so that the tokens of the reasons always add up to the loss.
 */
import type { Miss, MissReason } from '../../cache/index.ts'
import type { Turn } from '../record/types.ts'
import type { Common } from './common-prefix.ts'
import { gapBetween, hadBegun, hasNoMarks, type Extent } from './extent.ts'
import type { PlayedTurn } from './play.ts'
import { toleranceOf } from './tolerance.ts'
import type { Reason, VerdictKind } from './types.ts'

/** The order in which ties are decided. */
export const order: readonly VerdictKind[] = [
  'first',
  'warm-start',
  'appended',
  'repeat',
  'prewarm',
  'rewritten',
  'scope',
  'compacted',
  'server-edited',
  'expired',
  'below-minimum',
  'unmarked',
  'out-of-window',
  'not-yet-readable',
  'provider-miss',
  'failed',
  'unknown',
]

/** A turn held against its parent. */
export interface Compared {
  readonly played: PlayedTurn
  readonly parent: Turn
  /** Undefined where the parent could not be played. */
  readonly parentPlayed: PlayedTurn | undefined
  readonly common: Common
  /** The path of the first difference; null where the turn begins with all of the parent. */
  readonly differsAt: string | null
  /** What shows that the conversation was compacted. */
  readonly compaction: string | null
  /** Names of what scopes the cache and differs, for the parent's entry. */
  readonly scope: readonly string[]
  /** Where the parent left its prompt, and the number of its segments. */
  readonly extent: (Extent & { readonly segments: number }) | null
}

/** What was lost, in tokens. */
export interface Loss {
  readonly tokens: number
  /** All reasons that hold; their tokens add up to the loss. */
  readonly reasons: readonly Reason[]
}

/** What a turn lost of its parent. */
export function lossOf(compared: Compared): Loss {
  const { played, extent, common, scope } = compared
  const { usage } = played.prediction
  const runs = runsOf(played)
  const reach = usage.read + sumOf([...runs.values()])
  const blockers = blockersOf(compared)
  if (extent === null || (extent.segments <= common.segments && scope.length === 0)) {
    return whole(compared, runs, blockers, reach)
  }
  const { turn } = played
  const total = (turn.answer.serverEdited ? undefined : turn.usage?.total) ?? usage.total
  const lost = Math.max(reach, Math.min(extent.tokens, total)) - usage.read
  return divide(withoutSteps(lost, played), worthOf(runs, blockers, lost))
}

/** The loss of a turn that goes on from none: the rest of a request that is being written by another one just now. */
export function lossWithoutParent(played: PlayedTurn): Loss {
  const runs = runsOf(played)
  const waiting = runs.get('not-yet-readable')
  const others = (['scope', 'expired', 'out-of-window'] as const).flatMap((kind) => runs.get(kind) ?? [])
  return {
    tokens: waiting?.tokens ?? 0,
    reasons: [...(waiting === undefined ? [] : [waiting]), ...others.map((reason) => ({ ...reason, tokens: 0 }))],
  }
}

/** The parent's entry is whole in this turn, or there is none: the simulator knows why no more was read. */
function whole(compared: Compared, runs: Runs, blockers: Runs, reach: number): Loss {
  const { played, extent } = compared
  const lost = withoutSteps(reach - played.prediction.usage.read, played)
  const worth = new Map(extent === null ? withoutEntry(compared, runs) : withEntry(extent, played, runs, blockers))
  const change = changeOf(compared)
  if (change !== null) worth.set(change.kind, change)
  return divide(Math.min(lost, sumOf([...worth.values()])), worth)
}

/** Of an entry that was lost for several reasons at once the simulator knows none. */
function withEntry(extent: Extent, { prediction }: PlayedTurn, runs: Runs, blockers: Runs): Runs {
  const unmarked = runs.get('unmarked')
  const [blocker] = inOrder(blockers)
  if (unmarked === undefined || blocker === undefined || runs.size > 1) return runs
  const tokens = Math.min(unmarked.tokens, Math.max(0, extent.tokens - prediction.usage.read))
  const worth = new Map(blockers)
  if (unmarked.tokens > tokens) worth.set('unmarked', { ...unmarked, tokens: unmarked.tokens - tokens })
  return worth.set(blocker.kind, { ...blocker, tokens: tokens + (worth.get(blocker.kind)?.tokens ?? 0) })
}

/** Nothing was cached, so no change lost any of it: what keeps it from being cached did. */
function withoutEntry({ played, parentPlayed, parent }: Compared, runs: Runs): Runs {
  if (parentPlayed === undefined) return runs
  const worth = new Map(runs)
  const reasons = uncached(parentPlayed, played, parent)
  for (const reason of reasons) if (!worth.has(reason.kind)) worth.set(reason.kind, reason)
  const scope = worth.get('scope')
  const [why] = reasons
  if (scope === undefined) return worth
  worth.set('scope', { ...scope, tokens: 0 })
  if (why === undefined) return worth
  return worth.set(why.kind, { ...why, tokens: scope.tokens + (worth.get(why.kind)?.tokens ?? 0) })
}

/** Why nothing of the parent was cached. */
function uncached(parentPlayed: PlayedTurn, played: PlayedTurn, parent: Turn): readonly Reason[] {
  const { minimum, usage } = parentPlayed.prediction
  const total = parent.usage?.total ?? usage.total
  const reasons: Reason[] = []
  if (total < minimum) reasons.push({ kind: 'below-minimum', tokens: 0, detail: belowMinimum(total, minimum) })
  if (hasNoMarks(parentPlayed) || hasNoMarks(played)) reasons.push({ kind: 'unmarked', tokens: 0, detail: noMarks })
  return reasons
}

type Runs = ReadonlyMap<VerdictKind, Reason>

/** Each reason with what would be read without it. */
function worthOf(runs: Runs, blockers: Runs, lost: number): Runs {
  const worth = new Map<VerdictKind, Reason>()
  const [only] = blockers.values()
  if (blockers.size === 1 && only !== undefined) {
    for (const reason of runs.values()) if (reason.kind !== 'unmarked') worth.set(reason.kind, { ...reason, tokens: 0 })
    return worth.set(only.kind, { ...only, tokens: lost })
  }
  for (const reason of blockers.values()) worth.set(reason.kind, reason)
  for (const reason of runs.values()) {
    if (reason.kind === 'unmarked' && !blockers.has('unmarked')) continue
    worth.set(reason.kind, { ...(blockers.get(reason.kind) ?? reason), tokens: Math.min(lost, reason.tokens) })
  }
  return worth
}

/** Divides a loss: each reason has its worth, and what is left goes to the one that is worth most. */
function divide(lost: number, worth: Runs): Loss {
  const sorted = inOrder(worth).toSorted((one, other) => other.tokens - one.tokens)
  const [first, ...others] = sorted
  if (first === undefined || lost <= 0)
    return { tokens: 0, reasons: sorted.map((reason) => ({ ...reason, tokens: 0 })) }
  let left = lost - Math.min(lost, first.tokens)
  const shares = others.map((reason) => {
    const tokens = Math.min(left, reason.tokens)
    left -= tokens
    return { ...reason, tokens }
  })
  return { tokens: lost, reasons: [{ ...first, tokens: Math.min(lost, first.tokens) + left }, ...shares] }
}

function inOrder(reasons: Runs): readonly Reason[] {
  return [...reasons.values()].sort((one, other) => order.indexOf(one.kind) - order.indexOf(other.kind))
}

/** A cache of blocks reads whole ones: less than a block is no loss. */
function withoutSteps(lost: number, { rules }: PlayedTurn): number {
  return lost < rules.step ? 0 : lost
}

/** What keeps the turn from reading the parent's entry, by the two requests alone; nothing took tokens yet. */
function blockersOf(compared: Compared): Runs {
  const { played, parent, common, scope, extent } = compared
  const { turn } = played
  const found: Reason[] = []
  if (extent === null) return new Map()
  const change = changeOf(compared)
  if (change !== null && extent.segments > common.segments) found.push(change)
  if (scope.length > 0) found.push({ kind: 'scope', tokens: 0, detail: scopeChanged(scope), parameters: scope })
  const gap = gapBetween(parent, turn)
  const { least } = extent.lifetime
  if (gap !== undefined && gap.most >= least)
    found.push({ kind: 'expired', tokens: 0, detail: expiredAfter(gap.most, least) })
  if (hasNoMarks(played)) found.push({ kind: 'unmarked', tokens: 0, detail: noMarks })
  if (hadBegun(parent, turn) === false) found.push({ kind: 'not-yet-readable', tokens: 0, detail: notReadable })
  return new Map(found.map((reason) => [reason.kind, reason]))
}

/** That the text is another one; it took nothing yet. Null where the turn begins with all of its parent. */
function changeOf({ differsAt, compaction }: Compared): Reason | null {
  if (differsAt === null) return null
  const parameters = [differsAt]
  return compaction === null
    ? { kind: 'rewritten', tokens: 0, detail: `The request before had something else at ${differsAt}.`, parameters }
    : { kind: 'compacted', tokens: 0, detail: `The conversation was compacted: ${compaction}.`, parameters }
}

const kinds: Readonly<Partial<Record<MissReason, VerdictKind>>> = {
  expired: 'expired',
  'maybe-expired': 'expired',
  'below-minimum': 'below-minimum',
  'outside-window': 'out-of-window',
  'not-marked': 'unmarked',
  'scope-changed': 'scope',
  'not-readable': 'not-yet-readable',
}

/** The runs of what was sent before and not read, by the kind of verdict. */
function runsOf({ prediction, rules }: PlayedTurn): Runs {
  const runs = new Map<VerdictKind, Reason>()
  for (const miss of prediction.misses) {
    const kind = kinds[miss.reason]
    if (kind === undefined) continue
    // A little behind the last breakpoint is how everybody marks.
    if (kind === 'unmarked' && miss.tokens <= toleranceOf(prediction.common.tokens, rules.step)) continue
    const tokens = miss.tokens + (runs.get(kind)?.tokens ?? 0)
    const { parameters } = miss
    runs.set(kind, { kind, tokens, detail: detailOf(miss, prediction.usage.total), ...(parameters && { parameters }) })
  }
  return runs
}

function detailOf(
  { reason, seconds = 0, minimum = 0, window = 0, parameters = [], from, to, tokens }: Miss,
  total: number,
): string {
  switch (reason) {
    case 'expired':
      return `The lifetime of the entry was over for ${seconds} s.`
    case 'maybe-expired':
      return 'The lifetime of the entry may have been over: the provider gives a span, and the pause lies in it.'
    case 'below-minimum':
      return belowMinimum(total, minimum, tokens)
    case 'outside-window':
      return `The entry is more than ${window} positions behind the breakpoint that looks for it.`
    case 'scope-changed':
      return scopeChanged(parameters)
    case 'not-readable':
      return notReadable
    default:
      return `No breakpoint covers what stands from ${from} to ${to}.`
  }
}

const noMarks = 'The request marks nothing to be cached.'
const notReadable = 'The request that writes the entry had not begun to answer.'

function belowMinimum(total: number, minimum: number, prefix: number = total): string {
  const which = total < minimum ? `; the request has ${total}` : `: ${prefix} were there, up to where it changed`
  return `The prefix is shorter than the ${minimum} tokens that the model caches from${which}.`
}

function scopeChanged(names: readonly string[]): string {
  return `The entry is of another scope: ${names.join(', ')} changed.`
}

function expiredAfter(gap: number, lifetime: number): string {
  return `${Math.round(gap / 1000)} s since the request before; entries live ${Math.round(lifetime / 1000)} s.`
}

function sumOf(reasons: readonly Reason[]): number {
  return reasons.reduce((sum, { tokens }) => sum + tokens, 0)
}
