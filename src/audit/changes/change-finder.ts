/**
 * Finds everything that differs between turns and their parents, and says what it is.
 *
 * Turns are compared as they come, while their texts are in memory; what a difference is, its values over all turns
 * tell, so names are given in the end. One span has one culprit in all streams that have it.
 */
import type { Turn } from '../record/types.ts'
import { sameSession } from '../streams/client-hints.ts'
import type { LinkedTurn, Stream } from '../streams/types.ts'
import { FirstTurns } from './between.ts'
import { compare } from './compare.ts'
import { consolidate } from './consolidate.ts'
import { culpritsOf } from './culprits.ts'
import type { Evidence } from './evidence.ts'
import type { Finding } from './finding.ts'
import { groupFindings, type Found } from './group.ts'
import { isOfOpening, openingOf } from './opening.ts'
import { nameGroup } from './name-group.ts'
import { Spans } from './spans.ts'
import { recordedText } from './text-of.ts'
import type { Alignment, Changes, Culprit } from './types.ts'
import { wastedBreakpoints } from './wasted-breakpoints.ts'

/** A first turn held against another one. */
interface Between {
  readonly other: Turn
  readonly alignment: Alignment
  readonly findings: readonly Finding[]
}

/** Finds changes and culprits in linked turns. */
export class ChangeFinder {
  readonly #spans = new Spans()
  readonly #firstTurns = new FirstTurns()
  readonly #alignments = new Map<number, Alignment>()
  /** By turn number; only for turns in which something differs. */
  readonly #findings = new Map<number, readonly Finding[]>()
  /** By the number of a first turn. */
  readonly #between = new Map<number, Between>()

  /** Takes a turn, right after it was read and linked. */
  add({ turn, parent }: LinkedTurn): void {
    if (turn.places.length === 0) return
    if (parent === null) {
      this.#addFirst(turn)
      return
    }
    if (parent.places.length === 0) return
    const { alignment, findings } = compare(parent, turn, this.#spans, recordedText)
    this.#alignments.set(turn.number, alignment)
    if (findings.length > 0) this.#findings.set(turn.number, findings)
  }

  #addFirst(turn: Turn): void {
    const other = this.#firstTurns.meet(turn)
    if (other === null) return
    // Sub-agents of one session are no sessions: what differs between them is nobody's.
    const isOneSession = sameSession(other.turn, turn) === true
    const spans = isOneSession ? new Spans() : this.#spans
    const { alignment, findings } = compare(openingOf(other.turn), openingOf(turn), spans, other.textOf)
    const kept = isOneSession ? [] : findings.filter(isOfOpening)
    this.#between.set(turn.number, {
      other: other.turn,
      alignment,
      findings: kept.map((finding) => ({ ...finding, turn, other: other.turn })),
    })
  }

  /** The changes of every stream, by its id. */
  finish(streams: readonly Stream[], evidence: Evidence = {}): ReadonlyMap<string, Changes> {
    const within = streams.flatMap((stream) => this.#within(stream, evidence))
    const between = this.#betweenStreams(streams)
    const found = [...within, ...between.flatMap(({ findings }) => findings)]
    const lengths = new Map(streams.map(({ id, turns }) => [id, turns.filter(({ parent }) => parent !== null).length]))
    const lengthOf = (stream: string): number => lengths.get(stream) ?? 0
    const groups = consolidate(groupFindings(found).map((group) => nameGroup(group, lengthOf, evidence)))
    const culprits = new Map<string, Culprit[]>()
    for (const { stream, culprit } of culpritsOf([...groups, ...wastedBreakpoints(groups, lengthOf)])) {
      const list = culprits.get(stream)
      if (list === undefined) culprits.set(stream, [culprit])
      else list.push(culprit)
    }
    const openings = new Map(between.map(({ stream, alignment }) => [stream, alignment]))
    return new Map(
      streams.map(({ id, turns }) => [
        id,
        { alignments: this.#alignmentsOf(turns), culprits: culprits.get(id) ?? [], opening: openings.get(id) },
      ]),
    )
  }

  #within({ id, parent, turns }: Stream, { verdicts }: Evidence): Found[] {
    return turns.flatMap(({ turn, repeats }, index) => {
      if (repeats) return []
      const isFork = parent !== null && index === 0
      const isCompacted = verdicts?.get(turn.number)?.verdict === 'compacted'
      return (this.#findings.get(turn.number) ?? []).flatMap((finding): Found[] => {
        if (isCompacted && finding.section === 'messages' && finding.segment !== null) return []
        return [{ finding, stream: id, isBetween: false, isWeak: finding.isTail && (isFork || !finding.goesOn) }]
      })
    })
  }

  #betweenStreams(
    streams: readonly Stream[],
  ): { readonly stream: string; readonly alignment: Alignment; readonly findings: readonly Found[] }[] {
    const streamOf = new Map<Turn, Stream>()
    for (const stream of streams) {
      const [first] = stream.turns
      if (first?.parent === null) streamOf.set(first.turn, stream)
    }
    return [...streamOf].flatMap(([turn, { id, family }]) => {
      const between = this.#between.get(turn.number)
      if (between === undefined || streamOf.get(between.other)?.family !== family) return []
      const { alignment, findings } = between
      const found = findings.map((finding): Found => ({ finding, stream: id, isBetween: true, isWeak: false }))
      return [{ stream: id, alignment, findings: found }]
    })
  }

  #alignmentsOf(turns: readonly LinkedTurn[]): Map<number, Alignment> {
    const alignments = new Map<number, Alignment>()
    for (const { turn } of turns) {
      const alignment = this.#alignments.get(turn.number)
      if (alignment !== undefined) alignments.set(turn.number, alignment)
    }
    return alignments
  }
}
