/**
 * An audit of a planted log held against what was planted: which culprits were found, on which turns, what was invented,
 * and what the money is by the simulator's own truth, the same conversation made without the culprit.
 */
import { audit, type AuditReport } from '../../src/audit/index.ts'
import { createSimulator, guessTokens, price, type PredictedUsage } from '../../src/cache/index.ts'
import { plant, type Plant, type PlantedLog, type PlantOptions } from './plant.ts'

/** One that was planted, and what the audit says of it. */
export interface Match {
  readonly plant: Plant
  /** The kind that it was given; null where it was not found, or not on exactly its turns. */
  readonly kind: string | null
  readonly culprits: readonly string[]
}

/** An audit and its truth. */
export interface Measured {
  readonly log: PlantedLog
  readonly report: AuditReport
  readonly matches: readonly Match[]
  /** Culprits that nobody planted. */
  readonly invented: readonly { readonly kind: string; readonly path: string; readonly turns: readonly number[] }[]
}

/** Plants, logs with the usage that the provider's rules come to, and audits. */
export async function measure(options: PlantOptions): Promise<Measured> {
  const log = plant(options)
  const report = await audit([{ name: 'planted.jsonl', open: () => bytes(linesOf(log)) }], {
    countTokens: guessTokens,
    includeText: true,
    now: new Date('2026-12-01'),
  })
  const found = report.culprits.map((culprit) => ({
    ...culprit,
    turns: [...new Set(culprit.occurrences.map(({ turn }) => turn))].sort((one, other) => one - other),
  }))
  const left = new Set(found)
  const matches = log.planted.map(({ plant: what, turns, path }): Match => {
    const ofThisPlant = found.filter(
      (culprit) =>
        left.has(culprit) && path.test(culprit.path) && kinds[what].has(culprit.kind) && isSame(culprit.turns, turns),
    )
    for (const culprit of ofThisPlant) left.delete(culprit)
    return { plant: what, kind: ofThisPlant[0]?.kind ?? null, culprits: ofThisPlant.map(({ id }) => id) }
  })
  const invented = [...left].map(({ kind, path, turns }) => ({ kind, path, turns }))
  return { log, report, matches, invented }
}

/** What each plant may be called: by its values nobody can know a date from a name in another tongue, or a state from a branch. */
const kinds: Readonly<Record<Plant, ReadonlySet<string>>> = {
  clock: new Set(['clock']),
  date: new Set(['date', 'rules-text', 'unknown']),
  branch: new Set(['git', 'rules-text', 'unknown']),
  status: new Set(['git', 'rules-text', 'unknown']),
  'tool-reordered': new Set(['tool-reordered']),
  'tool-added': new Set(['tool-added']),
  'call-ids': new Set(['tool-call-ids']),
  'pruned-result': new Set(['pruned-result']),
}

/** What a log costs by the simulator, at list prices; output included. */
export function truth(log: PlantedLog): number {
  return usagesOf(log).reduce((sum, usage, index) => {
    const priced = price({ ...usage, output: log.outputs[index] }, { model: 'claude-opus-5', at: log.times[index] })
    if (priced.type !== 'priced') throw new Error(priced.message)
    return sum + priced.amount
  }, 0)
}

function usagesOf({ bodies, times }: PlantedLog): PredictedUsage[] {
  const simulator = createSimulator({ provider: 'anthropic', countTokens: guessTokens })
  return bodies.map((body, index) => simulator.send(body, { startedAt: times[index] }).usage)
}

function linesOf(log: PlantedLog): string[] {
  return usagesOf(log).map((usage, index) =>
    JSON.stringify({
      timestamp: new Date(log.times[index]!).toISOString(),
      request: { body: log.bodies[index] },
      response: {
        id: `msg_${index}`,
        type: 'message',
        model: 'claude-opus-5',
        usage: {
          input_tokens: usage.uncached,
          cache_read_input_tokens: usage.read,
          cache_creation_input_tokens: usage.write5m + usage.write1h,
          output_tokens: log.outputs[index],
        },
      },
    }),
  )
}

async function* bytes(lines: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const line of lines) yield new TextEncoder().encode(`${line}\n`)
}

function isSame(one: readonly number[], other: readonly number[]): boolean {
  return one.length === other.length && one.every((value, index) => value === other[index])
}
