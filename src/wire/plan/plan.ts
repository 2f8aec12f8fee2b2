/**
 * Where the breakpoints of a request stand, whatever the provider: of all sets of places that its limit allows, the one that
 * is worth most. What a set is worth is counted in tokens at the price of input:
 *
 * - what this request reads: an entry that an earlier request wrote is found at a place of the set, or within the look-back
 *   from one;
 * - what later requests read, by how many of them share the prompt up to a place and no further: what is marked now will
 *   be there, what an earlier request wrote may be;
 * - less what writing costs beyond the price of input.
 *
 * There are at most some six places, so every set is looked at. Of two sets that are worth the same, the one with more places
 * is taken, because a place costs nothing by itself; one that nobody comes back to is not counted.
 */

/** A lifetime by its rank, 0 being the shortest. */
export type LifetimeRank = number

/** A place that could be marked, or that the caller marked. Places are given in the order of the request. */
export interface Candidate<P extends string> {
  readonly place: P
  /** An estimate of the tokens from the start of the request to here. */
  readonly tokens: number
  /** Look-back positions from the start of the request to here. */
  readonly position: number
  /** An earlier request wrote an entry that ends here, and it may still live. */
  readonly written: boolean
  /** How many later requests are expected to share the prompt to here, and not to the next place; 0 where it changes each time. */
  readonly reuse: number
  readonly ttl: LifetimeRank
  /** The caller marked it: it stands, counts against the limit, and lives as long as the caller said. */
  readonly fixed?: boolean
}

/** What the provider allows and charges. */
export interface PlanRules {
  /** Breakpoints in one request, the caller's included. */
  readonly limit: number
  /** Positions that a breakpoint looks at, itself included; `Infinity` where there is no end. */
  readonly lookback: number
  /** What is saved by reading a token, of its price as input. */
  readonly readSaving: number
  /**
   * What is paid for writing a token for the shortest lifetime, beyond its price as input. That a longer one is worth what it
   * costs is for the caller to say who asks for it.
   */
  readonly writePremium: number
}

/** One place of the plan. */
export interface Planned<P extends string> {
  readonly place: P
  /** What it is kept for. */
  readonly ttl: LifetimeRank
  /** How that differs from what was asked: along a request no breakpoint may live longer than one before it. */
  readonly moved: 'lowered' | 'raised' | null
}

/** The breakpoints of one request. */
export interface Plan<P extends string> {
  /** In the order of the request, without the caller's. */
  readonly placed: readonly Planned<P>[]
  /** What the caller's own breakpoints left no room for, the most useful first. */
  readonly dropped: readonly P[]
}

/** Plans the breakpoints of one request. */
export function planBreakpoints<P extends string>(candidates: readonly Candidate<P>[], rules: PlanRules): Plan<P> {
  const fixed = setOf(candidates, (candidate) => candidate.fixed === true)
  const taken = bitsIn(fixed)
  const chosen = bestSet(candidates, fixed, Math.max(0, rules.limit - taken), rules)
  const unhindered = taken === 0 ? chosen : bestSet(candidates, fixed, rules.limit, rules)
  const without = (index: number): number => worthOf((unhindered | fixed) & ~(1 << index), candidates, rules)
  const dropped = candidates
    .map(({ place }, index) => ({ place, index, without: has(unhindered & ~chosen, index) ? without(index) : NaN }))
    .filter((lost) => !Number.isNaN(lost.without))
    .sort((one, other) => one.without - other.without || other.index - one.index)
  return { placed: legalLifetimes(candidates, chosen | fixed), dropped: dropped.map(({ place }) => place) }
}

/** Sets are bit masks over the candidates. */
type CandidateSet = number

function has(set: CandidateSet, index: number): boolean {
  return (set & (1 << index)) !== 0
}

function setOf<P extends string>(
  candidates: readonly Candidate<P>[],
  belongs: (candidate: Candidate<P>) => boolean,
): CandidateSet {
  return candidates.reduce((set, candidate, index) => (belongs(candidate) ? set | (1 << index) : set), 0)
}

function bitsIn(set: CandidateSet): number {
  let bits = 0
  for (let rest = set; rest !== 0; rest &= rest - 1) bits++
  return bits
}

/** The best set of at most `room` places beside the fixed ones, without these. */
function bestSet<P extends string>(
  candidates: readonly Candidate<P>[],
  fixed: CandidateSet,
  room: number,
  rules: PlanRules,
): CandidateSet {
  const returning = setOf(candidates, ({ reuse }) => reuse > 0)
  let best = 0
  let most = -Infinity
  for (let set = 0; set < 1 << candidates.length; set++) {
    if ((set & fixed) !== 0 || bitsIn(set) > room) continue
    const worth = worthOf(set | fixed, candidates, rules)
    if (worth > most || (worth === most && bitsIn(set & returning) > bitsIn(best & returning))) {
      most = worth
      best = set
    }
  }
  return best
}

/** How much an entry counts that is read now and not marked: if it has ended already, only what is marked is written anew. */
const READ = 0.9
/** How much an entry counts that this request neither reads nor marks: it may have ended by then. */
const UNREFRESHED = 0.5

function worthOf<P extends string>(
  set: CandidateSet,
  candidates: readonly Candidate<P>[],
  { lookback, readSaving, writePremium }: PlanRules,
): number {
  const hit = hitOf(set, candidates, lookback)
  const read = candidates[hit]?.tokens ?? 0
  let saved = read
  let paid = 0
  let reached = read
  let there = 0
  for (let index = 0; index < candidates.length; index++) {
    const { tokens, reuse, written } = candidates[index]!
    const marked = has(set, index)
    if (marked && tokens > reached) {
      paid += tokens - reached
      reached = tokens
    }
    const sure = marked ? 1 : index === hit ? READ : written ? UNREFRESHED : 0
    // A later request that shares the prompt up to here reads the longest start of it that is there.
    there = Math.max(there, tokens * sure)
    saved += reuse * there
  }
  return saved * readSaving - paid * writePremium
}

/** The longest entry that this request finds; -1 for none. */
function hitOf<P extends string>(set: CandidateSet, candidates: readonly Candidate<P>[], lookback: number): number {
  for (let index = candidates.length - 1; index >= 0; index--) {
    const { position, written } = candidates[index]!
    if (!written) continue
    for (let mark = index; mark < candidates.length; mark++) {
      if (has(set, mark) && candidates[mark]!.position - position < lookback) return index
    }
  }
  return -1
}

/** Ours give way to the caller's: behind a short-lived one they are lowered, before a long-lived one they are raised. */
function legalLifetimes<P extends string>(
  candidates: readonly Candidate<P>[],
  set: CandidateSet,
): readonly Planned<P>[] {
  const placed: Planned<P>[] = []
  let atMost = Infinity
  for (let index = 0; index < candidates.length; index++) {
    if (!has(set, index)) continue
    const { place, ttl: asked, fixed = false } = candidates[index]!
    if (fixed) {
      atMost = Math.min(atMost, asked)
      continue
    }
    const ttl = Math.min(Math.max(asked, longestBehind(candidates, index)), atMost)
    atMost = ttl
    placed.push({ place, ttl, moved: ttl === asked ? null : ttl < asked ? 'lowered' : 'raised' })
  }
  return placed
}

function longestBehind<P extends string>(candidates: readonly Candidate<P>[], index: number): LifetimeRank {
  let longest = 0
  for (let behind = index + 1; behind < candidates.length; behind++) {
    const { fixed = false, ttl } = candidates[behind]!
    if (fixed && ttl > longest) longest = ttl
  }
  return longest
}
