/**
 * What a page calls things by: conversations by their order on the page, turns by their place in a conversation, culprits
 * by the item that they belong to; and what it shows amounts in.
 */
import type { AuditReport, AuditStream } from '../report/types.ts'
import { formatCount } from '../words/amounts.ts'
import type { Item } from '../words/items.ts'
import { lossOf, type Kinds } from '../words/turn.ts'
import type { Unit } from '../words/unit.ts'

/** Where a turn stands; both from 1. */
interface Place {
  readonly conversation: number
  readonly turn: number
}

/** Names of what a report holds. */
export interface Numbering {
  readonly streams: readonly AuditStream[]
  /** Numbers of streams, from 1, by id. */
  readonly conversations: ReadonlyMap<string, number>
  /** By the index of a turn. */
  readonly places: ReadonlyMap<number, Place>
  /** Items by the ids of their culprits: their numbers, from 1. */
  readonly items: ReadonlyMap<string, number>
  readonly kinds: Kinds
  /** What amounts are shown in. */
  readonly unit: Unit
}

/** Numbers everything; conversations that lost most come first. */
export function numberingOf(report: AuditReport, items: readonly Item[], unit: Unit): Numbering {
  const losses = new Map(report.streams.map((stream) => [stream.id, lossOf(stream)]))
  const streams = report.streams.toSorted((one, other) => (losses.get(other.id) ?? 0) - (losses.get(one.id) ?? 0))
  const places = new Map<number, Place>()
  for (const [stream, { turns }] of streams.entries()) {
    for (const [turn, { index }] of turns.entries()) places.set(index, { conversation: stream + 1, turn: turn + 1 })
  }
  return {
    streams,
    conversations: new Map(streams.map(({ id }, index) => [id, index + 1])),
    places,
    items: new Map(items.flatMap(({ culprits }, index) => culprits.map(({ id }) => [id, index + 1] as const))),
    kinds: new Map(report.culprits.map(({ id, kind }) => [id, kind])),
    unit,
  }
}

/** Runs of turns that are named; what a page says of one culprit. */
const RUNS = 40

/** Turns by index, in words: `conversation 1: turns 2, 4 to 9; conversation 2: turn 1`. */
export function turnsInWords(indexes: readonly number[], { places }: Numbering): string {
  const found = indexes.flatMap((index) => places.get(index) ?? [])
  let left = RUNS
  const parts: string[] = []
  for (const [conversation, turns] of Map.groupBy(found, (place) => place.conversation)) {
    const all = runsOf(turns.map(({ turn }) => turn))
    const runs = all.slice(0, left)
    left -= runs.length
    if (runs.length === 0) break
    const single = runs.length === 1 && all.length === 1 && !runs[0]?.includes(' ')
    const cut = runs.length < all.length ? ' …' : ''
    parts.push(`conversation ${conversation}: turn${single ? '' : 's'} ${runs.join(', ')}${cut}`)
  }
  const total = left > 0 ? '' : ` (${formatCount(found.length, 'turn')} in all)`
  return parts.join('; ') + total
}

/** `[1, 2, 3, 5]` as `1 to 3` and `5`. */
function runsOf(numbers: readonly number[]): string[] {
  const sorted = [...new Set(numbers)].sort((one, other) => one - other)
  const runs: [number, number][] = []
  for (const number of sorted) {
    const run = runs.at(-1)
    if (run !== undefined && run[1] === number - 1) run[1] = number
    else runs.push([number, number])
  }
  return runs.flatMap(([first, last]) =>
    last - first > 1 ? [`${first} to ${last}`] : first === last ? [`${first}`] : [`${first}`, `${last}`],
  )
}
