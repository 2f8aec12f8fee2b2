/**
 * What the model was last told of each source, and what is true now.
 *
 * Sources are otherwise read at boundaries only (law 5). Here they are read outside of one because the caller asks for it
 * by passing the context; nothing is admitted, and the session does not learn of it.
 */
import { equalsJson } from '../base/json.ts'
import type { Json } from '../base/json.ts'
import { observe } from '../context/boundary.ts'
import type { Observation } from '../context/boundary.ts'
import { absent, ContextRegistry } from '../context/index.ts'
import type { Context, Snapshot, SnapshotEntry } from '../context/index.ts'
import { Unobserved } from '../context/observe.ts'
import type { Reading } from '../context/observe.ts'
import type { ReplayedTurn } from '../session/replay.ts'
import { TOOLS_KEY } from '../session/tools.ts'
import type { ReportOptions, SourceNow, SourceStaleness } from './types.ts'

/** What the model has been told by the newest turn, and when sources were read. */
export interface Belief {
  readonly snapshot: Snapshot
  readonly toldAt: ReadonlyMap<string, string>
  /** Ids of the tools that it may call; `null` where the session has none of its own. */
  readonly tools: readonly string[] | null
  /** When the newest boundary was taken that could tell a change, and the newest that started an epoch. */
  readonly readAt: { readonly turn: string | null; readonly epoch: string | null }
}

/** Before the first turn. */
export const noBelief: Belief = { snapshot: {}, toldAt: new Map(), tools: null, readAt: { turn: null, epoch: null } }

/** What the model has been told after one more turn. */
export function believe({ readAt, tools: before }: Belief, turn: ReplayedTurn<unknown>): Belief {
  const { snapshot, toldAt, at, started, asks, view } = turn
  // Of a turn whose messages are gone, the tools are not known again before the next.
  const tools = view === null ? before : (view.tools?.callable ?? null)
  const epoch = started === null ? readAt.epoch : at
  return { snapshot, toldAt, tools, readAt: { turn: started !== null || asks ? at : readAt.turn, epoch } }
}

/** By key. Throws what a context function or a registry throws. */
export async function stalenessOf<M, H>(
  session: string,
  belief: Belief,
  { context, host }: ReportOptions<M, H>,
): Promise<readonly SourceStaleness[]> {
  const observed =
    context === undefined
      ? null
      : await observeNow(session, belief.snapshot, await contextOf(session, context, host), host)
  const keys = new Set([...Object.keys(belief.snapshot), ...(observed?.untold ?? [])])
  const sources = [...keys].sort().map((key): SourceStaleness => {
    const told = belief.snapshot[key]
    const now = observed === null ? null : observed.now(key, told)
    const differs = told !== undefined && now !== null && now.state !== 'same' && now.state !== 'unavailable'
    return {
      key,
      told: told === undefined ? null : { value: told.value, at: belief.toldAt.get(key)! },
      now,
      since: differs ? belief.readAt[observed!.refreshOf(key)] : null,
    }
  })
  return belief.tools === null ? sources : inOrder([...sources, toldOfTools(belief.tools, belief.toldAt)])
}

/** The tools as a source that is told of, and not read here: what may be called now, only the host's own function says. */
function toldOfTools(tools: readonly string[], toldAt: ReadonlyMap<string, string>): SourceStaleness {
  return { key: TOOLS_KEY, told: { value: tools, at: toldAt.get(TOOLS_KEY)! }, now: null, since: null }
}

function inOrder(sources: readonly SourceStaleness[]): readonly SourceStaleness[] {
  return sources.toSorted((one, other) => (one.key < other.key ? -1 : 1))
}

async function contextOf<M, H>(
  id: string,
  context: NonNullable<ReportOptions<M, H>['context']>,
  host: H | undefined,
): Promise<Context<H>> {
  if (context instanceof ContextRegistry) return context.load()
  return typeof context === 'function' ? context(host === undefined ? { id } : { id, host }) : context
}

/** Sources as they are now. */
interface Now {
  /** Keys that hold a value the model was never told. */
  readonly untold: readonly string[]
  now(key: string, told: SnapshotEntry | undefined): SourceNow
  refreshOf(key: string): 'turn' | 'epoch'
}

async function observeNow<H>(
  session: string,
  snapshot: Snapshot,
  context: Context<H>,
  host: H | undefined,
): Promise<Now> {
  const options = { session, snapshot, epoch: true, ...(host !== undefined && { host }) }
  const { context: contents, readings }: Observation<H> = await observe(context, options)
  const index = new Map(contents.sources.map((source, at) => [source.key, at]))
  const isValue = (key: string): boolean => isJson(readings[index.get(key)!]!)
  return {
    untold: [...index.keys()].filter((key) => !Object.hasOwn(snapshot, key) && isValue(key)),
    now(key, told) {
      const at = index.get(key)
      if (at !== undefined) return nowOf(readings[at]!, told)
      const failure = contents.failures.find(({ producer }) => producer === told?.producer)
      return failure === undefined ? { state: 'gone' } : { state: 'unavailable', reason: failure.reason }
    },
    refreshOf(key) {
      const at = index.get(key)
      return at === undefined ? 'turn' : contents.sources[at]!.refresh
    },
  }
}

function nowOf(reading: Reading, told: SnapshotEntry | undefined): SourceNow {
  if (reading === absent) return { state: 'absent' }
  if (reading instanceof Unobserved) return { state: 'unavailable', reason: reading.reason }
  if (told === undefined) return { state: 'untold', value: reading }
  return equalsJson(reading, told.value) ? { state: 'same' } : { state: 'changed', value: reading }
}

function isJson(reading: Reading): reading is Json {
  return reading !== absent && !(reading instanceof Unobserved)
}
