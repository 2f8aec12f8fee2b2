/** A recording call by call: what was predicted by the calls before, what was reported, and where the table has it. */
import type { Usage } from '../../src/base/usage.ts'
import { field, has } from '../../src/cache/layout/peek.ts'
import type { Prediction } from '../../src/cache/simulator/types.ts'
import type { Audit, AuditedCall } from './audited-calls.ts'
import type { CorpusFile } from './corpus-files.ts'
import { numberCalls, type CallNumber } from './row-numbers.ts'
import { structureOf, type Structure } from './structure.ts'
import type { UsageRow } from './usage-table.ts'

/** Which call it is. */
export interface Call extends Omit<AuditedCall, 'prediction'>, CallNumber {
  /** The recording, relative to the folder. */
  readonly file: string
  /** By the simulator's names. */
  readonly provider: string
}

/** One call, played. */
export interface Turn extends Structure {
  readonly call: Call
  readonly prediction: Prediction
  readonly reported: Usage
  /** It names an explicit cache whose creation is in the recording. */
  readonly namesCache: boolean
  /** The turns before it at the same provider and host, oldest first. */
  readonly earlier: readonly Turn[]
  /** The call before it in its stream, and the first of that, by their index; undefined and itself for the first. */
  readonly previous: number | undefined
  readonly first: number
}

/** A recording, played. */
export interface Replay {
  /** Calls with a body that were answered or could have been; a refused call is none. */
  readonly turns: readonly Turn[]
  readonly problems: readonly string[]
}

/** Plays a recording. */
export function replay(file: CorpusFile, rows: readonly UsageRow[] | undefined, audit: Audit): Replay {
  const caches = createdCaches(file)
  const numbers = numberCalls(file)
  const turns: Turn[] = []
  const problems: string[] = []
  for (const [at, { exchange, linked, prediction }] of audit(file.exchanges).entries()) {
    const { turn } = linked
    const number = numbers[at]
    if (number === undefined || !isPlayed(linked)) continue
    if (prediction === null) {
      problems.push(`call ${number.index} cannot be played: ${turn.unreadable ?? 'its log has too little of it'}`)
      continue
    }
    const call: Call = { ...number, file: file.name, provider: turn.provider, exchange, linked }
    const earlier = turns.filter((each) => hostOf(each.call) === hostOf(call))
    const previous = rows === undefined ? earlier.at(-1) : turnOfRow(turns, rowOf(rows, call)?.previous)
    turns.push({
      ...structureOf(turn, exchange.request),
      call,
      prediction,
      reported: turn.usage ?? {},
      namesCache: caches.has(field(exchange.request, 'cachedContent')),
      earlier,
      previous: previous?.call.index,
      first: previous?.first ?? number.index,
    })
  }
  return { turns, problems }
}

function isPlayed({ turn }: Call['linked']): boolean {
  return turn.exchange.kind === 'generate' && turn.exchange.fidelity.level !== 'usage' && !turn.failed
}

function hostOf({ provider, exchange }: Call): string {
  return `${provider} ${exchange.host ?? ''}`
}

/** The names of the explicit caches that were made in a recording. */
function createdCaches({ exchanges }: CorpusFile): ReadonlySet<unknown> {
  const created = exchanges.filter(({ kind, response }) => kind === 'create-cache' && has(response, 'name'))
  return new Set(created.map(({ response }) => field(response, 'name')))
}

/** What the table says of a call. */
export function rowOf(rows: readonly UsageRow[], { row }: CallNumber): UsageRow | undefined {
  return row === undefined ? undefined : rows.find(({ call }) => call === row)
}

/** The turn that a number of the table stands for. */
export function turnOfRow(turns: readonly Turn[], row: number | undefined): Turn | undefined {
  return row === undefined ? undefined : turns.find(({ call }) => call.row === row)
}

/** The read that a turn reported; a provider that leaves the field out when nothing was read has said 0. */
export function readOf({ reported }: Turn): number {
  return reported.read ?? 0
}
