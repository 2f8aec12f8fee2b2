/**
 * Who bears what a turn lost. Each lost token goes to one culprit, the earliest that differs on the turn in the order in
 * which the provider reads the request, or to the reason that took it where no culprit did: all shares add up to what was
 * lost, over a turn and over a log.
 *
 * The odd cases: a lifetime that was over takes what it took even where a culprit differs on the same turn; what another
 * value of a parameter lost is borne by a parameter; and a wasted breakpoint bears what nobody looked for, and what was
 * lost with a block that only one call had where nothing else changed.
 */
import type { Alignment, Culprit, Step } from '../changes/types.ts'
import { segmentsOf } from '../record/segments.ts'
import type { Turn } from '../record/types.ts'
import type { Verdict, VerdictKind } from '../verdicts/types.ts'

/** A part of what a turn lost. */
export interface Share {
  /** Null where no culprit is to blame. */
  readonly culprit: string | null
  readonly reason: VerdictKind
  readonly tokens: number
}

/**
 * Splits what a turn lost. `culprits` are those that differ on it, as {@link inProviderOrder} has them.
 */
export function blame({ verdict, reasons, lostTokens }: Verdict, culprits: readonly Culprit[]): readonly Share[] {
  const shares: Share[] = []
  let left = lostTokens
  const take = (reason: VerdictKind, tokens: number): void => {
    const taken = Math.min(left, tokens)
    if (taken <= 0) return
    left -= taken
    shares.push({ culprit: bearerOf(reason, culprits)?.id ?? null, reason, tokens: taken })
  }
  for (const { kind, tokens } of reasons) take(kind, tokens)
  // What no reason accounts for is the verdict's.
  take(verdict, left)
  return shares
}

function bearerOf(reason: VerdictKind, culprits: readonly Culprit[]): Culprit | undefined {
  const changing = culprits.filter(({ kind }) => kind !== 'breakpoint-wasted')
  switch (reason) {
    case 'rewritten':
      return changing.find(({ kind }) => kind !== 'parameter') ?? changing[0] ?? culprits[0]
    case 'scope':
      return changing.find(({ kind }) => kind === 'parameter')
    case 'unmarked':
    case 'out-of-window':
      return culprits.find(({ kind }) => kind === 'breakpoint-wasted')
    default:
      return undefined
  }
}

/** The culprits that differ on `turn`, in the order in which the provider reads the request. */
export function inProviderOrder(
  turn: Turn,
  culprits: readonly Culprit[],
  alignment: Alignment | undefined,
): readonly Culprit[] {
  if (culprits.length < 2) return culprits
  const places = alignment === undefined ? new Map<string, number>() : placesIn(alignment)
  const [known, others] = [culprits.filter(({ id }) => places.has(id)), culprits.filter(({ id }) => !places.has(id))]
  if (others.length > 0) {
    const segments = segmentsOf(turn)
    for (const { id, path, section } of others) {
      const exact = segments.findIndex((segment) => segment.path === path)
      const place = exact < 0 ? segments.findIndex(({ block }) => block.section === section) : exact
      places.set(id, place < 0 ? segments.length : place)
    }
  }
  const all = others.length === 0 ? known : culprits
  return all.toSorted((one, other) => (places.get(one.id) ?? 0) - (places.get(other.id) ?? 0))
}

/** Where each culprit first differs, as an index of the turn's segments; between two hunks of one block by their order. */
function placesIn({ turn, steps, parameters }: Alignment): Map<string, number> {
  const places = new Map<string, number>()
  const note = (culprit: string | null, place: number): void => {
    if (culprit !== null) places.set(culprit, Math.min(place, places.get(culprit) ?? place))
  }
  if (parameters.length > 0) {
    const sections = segmentsOf(turn).map(({ block }) => block.section)
    for (const { name, culprit } of parameters) {
      const lost = turn.scope.find((parameter) => parameter.name === name)?.invalidates ?? []
      // In front of the first segment that it loses.
      note(culprit, sections.findIndex((section) => lost.includes(section)) - 0.5)
    }
  }
  const kept = steps.filter((step) => step.type === 'same' || step.type === 'edited')
  let next = 0
  for (const step of steps) {
    const at = 'to' in step ? step.to : next
    if ('to' in step) next = step.to + 1
    for (const { culprit, offset } of changesIn(step)) {
      if (culprit !== null)
        note(culprit, (step.type === 'moved' ? Math.min(at, placeOf(step.from, kept)) : at) + offset)
    }
  }
  return places
}

/** Where a segment of the parent would stand in the turn: behind the one that it followed. */
function placeOf(from: number, kept: readonly { readonly from: number; readonly to: number }[]): number {
  const before = kept.findLast((step) => step.from < from)
  return before === undefined ? 0 : before.to + 0.5
}

/** What differs in a step, and how far into the segment, from 0 to 1. */
function changesIn(step: Step): readonly { readonly culprit: string | null; readonly offset: number }[] {
  switch (step.type) {
    case 'edited':
      return step.hunks.map(({ culprit }, index) => ({ culprit, offset: index / (step.hunks.length + 1) }))
    case 'moved':
    case 'inserted':
      return [{ culprit: step.culprit, offset: 0 }]
    case 'removed':
      // In front of what stands there now.
      return [{ culprit: step.culprit, offset: -0.25 }]
    case 'same':
    case 'appended':
      return []
  }
}
