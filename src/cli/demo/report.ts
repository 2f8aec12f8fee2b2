/** The counts of the demo as JSON. */
import type { Count } from './count.ts'
import type { TurnRecord } from './conversation.ts'
import type { WayName } from './ways.ts'

/** In the order in which they are shown. */
export const WAY_NAMES: readonly WayName[] = ['anew', 'split', 'epochs']

/** What `indelible demo --json` prints. Counts are characters. */
export interface DemoReport {
  readonly schema: 'indelible.demo/1'
  readonly ways: readonly WayReport[]
}

export interface WayReport {
  readonly name: WayName
  readonly turns: readonly (Count & {
    readonly turn: number
    /** What the model was told by appending, before this turn's answer. */
    readonly update: string | null
  })[]
  readonly totals: Count
}

export function createReport(records: readonly TurnRecord[]): DemoReport {
  return { schema: 'indelible.demo/1', ways: WAY_NAMES.map((name) => createWayReport(name, records)) }
}

function createWayReport(name: WayName, records: readonly TurnRecord[]): WayReport {
  const turns = records.map(({ turn, ways }) => {
    const { total, reused, new: added, update } = ways[name]
    return { turn, total, reused, new: added, update: update?.text ?? null }
  })
  const sum = (of: (count: Count) => number): number => turns.reduce((total, turn) => total + of(turn), 0)
  return {
    name,
    turns,
    totals: { total: sum(({ total }) => total), reused: sum(({ reused }) => reused), new: sum((turn) => turn.new) },
  }
}
