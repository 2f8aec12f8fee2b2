/** The bills of the demo as JSON. */
import { createSimulator, layout, price, type CountTokens, type Layout } from '../../cache/index.ts'
import { addBills, type Bill } from './bill.ts'
import type { TurnRecord } from './conversation.ts'
import type { Provider } from './providers/provider.ts'
import type { ProviderName } from './providers/names.ts'
import type { WayName } from './ways.ts'

/** In the order in which they are shown. */
export const WAY_NAMES: readonly WayName[] = ['anew', 'split', 'epochs']

/** What `indelible demo --json` prints. Over the repository that the demo makes, it is the same on every machine. */
export interface DemoReport {
  readonly schema: 'indelible.demo/3'
  readonly provider: ProviderName
  readonly model: string
  /** Tokens that a prefix must have to be cached. */
  readonly minimum: number
  /** Tokens of the tools and instructions, which are the same in every request. */
  readonly head: number
  /** Only the provider knows how many tokens a text has. */
  readonly tokens: 'estimated'
  readonly prices: {
    readonly basis: 'list'
    /** The day that the prices are for, `YYYY-MM-DD`: the one on which the conversation begins. */
    readonly day: string
    /** Where they were read. */
    readonly source: string
  }
  readonly ways: readonly WayReport[]
}

export interface WayReport {
  readonly name: WayName
  readonly turns: readonly TurnReport[]
  readonly totals: Bill
}

/** One request, as the answer to it was billed. */
export interface TurnReport extends Bill {
  /** From 1. */
  readonly turn: number
  /** What the model was told by appending, before this turn's answer. */
  readonly update: string | null
}

export function createReport(
  records: readonly TurnRecord[],
  { name, model, format, simulator }: Pick<Provider, 'name' | 'model' | 'format' | 'simulator'>,
  countTokens: CountTokens,
): DemoReport {
  const { at, ways } = records[0]!
  const day = at.toISOString().slice(0, 10)
  const priced = price({ uncached: 1 }, { model, at: day })
  return {
    schema: 'indelible.demo/3',
    provider: name,
    model,
    minimum: createSimulator({ provider: simulator, model, format }).send(ways.split.body).minimum,
    head: headTokens(layout(ways.split.body, { format, model, countTokens })),
    tokens: 'estimated',
    prices: { basis: 'list', day, source: priced.type === 'priced' ? priced.source : '' },
    ways: WAY_NAMES.map((way) => createWayReport(way, records)),
  }
}

function headTokens({ segments }: Layout): number {
  const instructions = segments.find(({ section }) => section === 'system')
  return segments
    .filter((segment) => segment.section === 'tools' || segment === instructions)
    .reduce((sum, { tokens }) => sum + tokens, 0)
}

function createWayReport(name: WayName, records: readonly TurnRecord[]): WayReport {
  return {
    name,
    turns: records.map(({ turn, ways }) => ({ turn, ...ways[name].bill, update: ways[name].update?.text ?? null })),
    totals: addBills(records.map(({ ways }) => ways[name].bill)),
  }
}
