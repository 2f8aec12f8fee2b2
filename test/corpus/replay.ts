/** Plays a recording: every request is predicted before the simulator is told what came back. */
import type { Usage } from '../../src/base/usage.ts'
import { field } from '../../src/cache/layout/peek.ts'
import type { ReadOptions } from '../../src/cache/layout/types.ts'
import type { Prediction, Simulator } from '../../src/cache/simulator/types.ts'
import { readUsage } from '../../src/cache/usage/read-usage.ts'
import { responsesOf, type Call } from './calls.ts'
import type { Caches } from './recordings.ts'
import { structureOf, type Structure } from './structure.ts'
import type { UsageRow } from './usage-table.ts'

/** One call, played. */
export interface Turn extends Structure {
  readonly prediction: Prediction
  readonly reported: Usage
  /** It names an explicit cache whose creation is in the recording. */
  readonly namesCache: boolean
  /** The turns before it in the same scope, oldest first. */
  readonly earlier: readonly Turn[]
  /** The call before it in its stream, and the first of that; undefined and itself for the first. */
  readonly previous: number | undefined
  readonly first: number
}

/** Makes the cache of one provider's scope. */
export type NewSimulator = (options: ReadOptions & { readonly provider: string }) => Simulator

/** Plays the calls of one recording; each provider and host is one scope. Throws where a body cannot be read. */
export function replay(
  calls: readonly Call[],
  caches: Caches,
  rows: readonly UsageRow[] | undefined,
  newSimulator: NewSimulator,
): Turn[] {
  const responses = responsesOf(calls)
  const options: ReadOptions = {
    previousResponse: (id) => responses.get(id),
    cachedContent: (name) => caches.get(name),
  }
  const simulators = new Map<string, Simulator>()
  const turns: Turn[] = []
  for (const call of calls) {
    const scope = `${call.provider} ${call.host}`
    const simulator = simulators.get(scope) ?? newSimulator({ ...options, provider: call.provider })
    simulators.set(scope, simulator)
    const structure = structureOf(call, options)
    const prediction = simulator.send(call.request, {
      startedAt: call.startedAt,
      uncertainty: call.uncertainty,
      ...(call.model === undefined ? {} : { model: call.model }),
    })
    simulator.observe(call.response, prediction)
    const earlier = turns.filter((turn) => turn.call.provider === call.provider && turn.call.host === call.host)
    const previous = rows === undefined ? earlier.at(-1)?.call.index : rowOf(rows, call)?.previous
    const first = turns.find((turn) => turn.call.index === previous)?.first ?? call.index
    const reported = readUsage(call.response)
    const namesCache = caches.has(String(field(call.request, 'cachedContent')))
    turns.push({ ...structure, prediction, reported, namesCache, earlier, previous, first })
  }
  return turns
}

/** What the table says of a call. */
export function rowOf(rows: readonly UsageRow[], call: Call): UsageRow | undefined {
  return rows.find((row) => row.call === call.index)
}

/** The read that a turn reported; a provider that leaves the field out when nothing was read has said 0. */
export function readOf({ reported }: Turn): number {
  return reported.read ?? 0
}

/** Tokens written, of every lifetime; undefined where none is reported. */
export function writeOf({ write5m, write30m, write1h }: Usage): number | undefined {
  const reported = [write5m, write30m, write1h].filter((tokens) => tokens !== undefined)
  return reported.length === 0 ? undefined : reported.reduce((sum, tokens) => sum + tokens, 0)
}
