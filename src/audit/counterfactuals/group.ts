/**
 * Streams that are played together: those of one cache scope and one family. Streams of other families share no start
 * with them that would matter, so a culprit is judged where it occurs and nowhere else.
 */
import type { Alignment, Changes, Culprit, Step } from '../changes/types.ts'
import type { Turn } from '../record/types.ts'
import type { LinkedTurn, Stream } from '../streams/types.ts'
import { inOrder } from '../verdicts/play.ts'
import type { Scopes } from '../verdicts/scopes.ts'
import { editsInPlace, type Edit } from './kept.ts'
import type { Opening, Openings } from './openings.ts'

/** A turn, and what it goes on from. */
export interface GroupTurn extends LinkedTurn {
  /** The id of its stream. */
  readonly stream: string
  readonly alignment: Alignment | undefined
  /** Of the first turn of a stream: what it was held against. */
  readonly opening: Opening | undefined
  /** What differs of the parent where all of it is in its place; null where it is not, or there is none. */
  readonly inPlace: readonly Edit[] | null
  /** Culprits that change here, in the order of the request. */
  readonly culprits: readonly string[]
}

/** Streams that share a cache. */
export interface Group {
  readonly streams: readonly string[]
  /** In the order of time. */
  readonly turns: readonly GroupTurn[]
  /** Of each stream, by its id: where its turns are. */
  readonly indexes: ReadonlyMap<string, readonly number[]>
  /** By turn number. */
  readonly byNumber: ReadonlyMap<number, GroupTurn>
  /** Those that count and change from turn to turn, in provider order of where they first did. */
  readonly culprits: readonly Culprit[]
  /** Of all streams of the log. */
  readonly openings: Openings
  /** Culprits that occur in a stream, by its id. */
  readonly occurring: ReadonlyMap<string, ReadonlySet<string>>
}

/** The groups of a log. A stream of several scopes belongs to that of its first turn. */
export function groupsOf(
  streams: readonly Stream[],
  changes: ReadonlyMap<string, Changes>,
  scopes: Scopes,
): readonly Group[] {
  const groups = new Map<string, Stream[]>()
  for (const stream of streams) {
    const [first] = stream.turns
    if (first === undefined) continue
    const key = `${scopes.keyOf(first.turn)}\n${stream.family}`
    const members = groups.get(key)
    if (members === undefined) groups.set(key, [stream])
    else members.push(stream)
  }
  const openings = openingsOf(changes)
  return [...groups.values()].map((members) => groupOf(members, changes, openings))
}

function openingsOf(changes: ReadonlyMap<string, Changes>): Openings {
  const openings = new Map<number, Opening>()
  for (const { opening, culprits } of changes.values()) {
    if (opening === undefined) continue
    const counting = new Set(culprits.flatMap(({ id, counts }) => (counts ? [id] : [])))
    const differing = culpritsIn(opening).filter((culprit) => counting.has(culprit))
    openings.set(opening.turn.number, { alignment: opening, culprits: differing })
  }
  return openings
}

function groupOf(streams: readonly Stream[], changes: ReadonlyMap<string, Changes>, openings: Openings): Group {
  const known = joinedCulprits(streams.flatMap(({ id }) => changes.get(id)?.culprits ?? []))
  const byNumber = new Map<number, GroupTurn>()
  const occurring = new Map<string, Set<string>>()
  for (const { id, turns } of streams) {
    const found = changes.get(id)
    const here = new Set<string>()
    occurring.set(id, here)
    const changed = new Set(found?.culprits.flatMap((culprit) => culprit.occurrences.map(({ turn }) => turn)))
    for (const linked of turns) {
      const alignment = found?.alignments.get(linked.turn.number)
      const isChanged = alignment !== undefined && changed.has(linked.turn)
      const opening = linked.parent === null ? openings.get(linked.turn.number) : undefined
      const culprits = isChanged
        ? culpritsIn(alignment).filter((culprit) => known.has(culprit))
        : (opening?.culprits ?? [])
      for (const culprit of culprits) here.add(culprit)
      const { turn, parent, repeats } = linked
      const inPlace = parent === null ? null : editsInPlace(turn, parent, alignment)
      byNumber.set(turn.number, { turn, parent, repeats, stream: id, alignment, opening, culprits, inPlace })
    }
  }
  const order = inOrder([...byNumber.values()].map(({ turn }) => turn))
  const turns = order.map(({ number }) => byNumber.get(number) as GroupTurn)
  return {
    streams: streams.map(({ id }) => id),
    turns,
    indexes: Map.groupBy(turns.keys(), (at) => (turns[at] as GroupTurn).stream),
    byNumber,
    openings,
    culprits: inProviderOrder(turns, known),
    occurring,
  }
}

/** Those that count, by id: each with what it is in all of the streams. */
function joinedCulprits(all: readonly Culprit[]): ReadonlyMap<string, Culprit> {
  const byId = Map.groupBy(
    all.filter(({ counts }) => counts),
    ({ id }) => id,
  )
  return new Map(
    [...byId].map(([id, parts]) => {
      const [first, ...others] = parts as [Culprit, ...Culprit[]]
      const occurrences = parts.flatMap((part) => part.occurrences)
      return [id, others.length === 0 ? first : { ...first, occurrences }]
    }),
  )
}

/** The culprits that an alignment names, in the order of the request; those of parameters first. */
function culpritsIn({ steps, parameters }: Pick<Alignment, 'steps' | 'parameters'>): readonly string[] {
  const found = parameters.map(({ culprit }) => culprit)
  for (const step of steps) {
    if (step.type === 'edited') for (const { culprit } of step.hunks) found.push(culprit)
    else if (step.type !== 'same' && step.type !== 'appended') found.push(step.culprit)
  }
  return [...new Set(found)].filter((culprit) => culprit !== null)
}

/** By the place of the first change of each; parameters, which scope all of a prompt, first. */
function inProviderOrder(turns: readonly GroupTurn[], known: ReadonlyMap<string, Culprit>): readonly Culprit[] {
  const places = new Map<string, readonly [segment: number, offset: number]>()
  for (const { alignment: own, opening, culprits } of turns) {
    const alignment = own ?? opening?.alignment
    for (const culprit of culprits) {
      if (alignment !== undefined && !places.has(culprit)) places.set(culprit, placeOf(culprit, alignment))
    }
  }
  return [...places]
    .sort(([, one], [, other]) => one[0] - other[0] || one[1] - other[1])
    .flatMap(([id]) => known.get(id) ?? [])
}

function placeOf(culprit: string, { steps, parameters }: Alignment): readonly [segment: number, offset: number] {
  if (parameters.some((parameter) => parameter.culprit === culprit)) return [-1, 0]
  for (const step of steps) {
    if (step.type === 'edited') {
      const hunk = step.hunks.find((one) => one.culprit === culprit)
      if (hunk !== undefined) return [step.to, hunk.after.start]
    } else if (isOf(step, culprit)) return [step.type === 'removed' ? step.from : step.to, 0]
  }
  return [Infinity, 0]
}

function isOf(step: Step, culprit: string): step is Extract<Step, { type: 'moved' | 'removed' | 'inserted' }> {
  return step.type !== 'same' && step.type !== 'appended' && step.type !== 'edited' && step.culprit === culprit
}

/** Turns that something goes on from. */
export function continuedIn({ turns }: Group): ReadonlySet<Turn> {
  return new Set(turns.flatMap(({ parent }) => parent ?? []))
}
