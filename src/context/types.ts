/** The types of the context layer: what a source is, and what a boundary learns from the sources. */
import type { StandardSchemaV1 } from '@standard-schema/spec'
import type { Json } from '../base/json.ts'

/**
 * A loader returns this when its value could not be observed now; the value that the model was told stays in effect.
 */
export const unavailable: unique symbol = Symbol.for('indelible.unavailable') as never
/** A loader returns this when it looked, and there is nothing. */
export const absent: unique symbol = Symbol.for('indelible.absent') as never

/** What a loader yields. */
export type Observed<A> = A | typeof unavailable | typeof absent

declare const hostOf: unique symbol

/** An ordered set of sources, opaque: see {@link SourceDefinition}. `H` is what their loaders need of the host. */
export interface Context<in H = unknown> {
  /** Never there: it keeps contexts for different hosts apart in the type system. */
  readonly [hostOf]: (host: H) => void
}

/** Turns a value into JSON and back. `decode` throws on what it cannot read. */
export interface Codec<A> {
  encode(value: A): Json
  decode(json: Json): A
}

/** What a boundary passes on to the loaders. */
export interface BoundaryOptions<H = unknown> {
  /** The id of the session that asks, where there is one. */
  readonly session?: string
  /** Whatever the application's loaders need to know of the place that they read. */
  readonly host?: H
}

/** What a loader is given. */
export interface LoadOptions<H = unknown> extends BoundaryOptions<H> {
  /** Aborted with a `TimeoutError` when the source's `timeoutMs` is over. */
  readonly signal: AbortSignal
}

/** Who speaks in a text: the application, or the world outside of it. */
export type Authority = 'system' | 'user'

/** One independently observed typed value. See {@link defineSource}. */
export interface SourceDefinition<A, H = unknown> {
  /** Stable and namespaced: `[a-z0-9][a-z0-9._-]*` `/` `[a-z0-9][a-z0-9._/-]*`. A bad key throws in `defineSource`. */
  key: string
  /** How the value is stored: a codec, or any Standard Schema validator (zod, valibot, arktype, ...) as it is. */
  codec: Codec<A> | StandardSchemaV1<A>
  /** Observes the value. Read once at a boundary, concurrently with the others. Throwing counts as unavailable. */
  load(options: LoadOptions<H>): Observed<NoInfer<A>> | Promise<Observed<NoInfer<A>>>
  /** Pure. The text that tells the value to a model that knows nothing of it yet. Never empty. */
  baseline(current: A): string
  /** Pure. The text that tells the model that the value is now `current`. Never empty. */
  update(previous: A, current: A): string
  /**
   * Pure. The text that tells that the value is gone; stored when the value is admitted. Without it, disappearing is an
   * incompatible change, and the whole context is rendered again.
   */
  removed?(previous: A): string
  /** `'turn'` unless said; `'epoch'` is read only when an epoch starts. */
  refresh?: 'turn' | 'epoch'
  /** `true` unless said; `false`: may be missing from a first baseline and arrives later as an update. */
  required?: boolean
  /** `'system'` unless said; `'user'`: outside text, its updates are never sent with system authority. */
  authority?: Authority
  /** Milliseconds, 2000 unless said; past it the source counts as unavailable. */
  timeoutMs?: number
}

/** Per source, the value that the model was last told. Hidden from the model. What we make of it is frozen. */
export interface Snapshot {
  readonly [key: string]: SnapshotEntry
}

/** What a snapshot holds of one source. */
export interface SnapshotEntry {
  readonly value: Json
  /** The removal text, rendered when the value was admitted. */
  readonly removed?: string
  /** Only where it is not `'system'`. */
  readonly authority?: 'user'
  /** The registry key of the producer that contributed the source. */
  readonly producer?: string
}

/** What an epoch starts from: the whole context, rendered once, and the values that it tells. */
export interface EpochStart {
  /** The texts of all sources that have a value, joined by a blank line; `''` when none has. */
  readonly baseline: string
  readonly snapshot: Snapshot
}

/** What happened to one source since the model was last told of it. */
export interface Change {
  readonly key: string
  readonly kind: 'added' | 'changed' | 'removed'
}

/** A stretch of an update that speaks with one authority. */
export interface UpdatePart {
  readonly authority: Authority
  readonly text: string
  readonly keys: readonly string[]
}

/** Text with the newly effective state of what changed. */
export interface Update {
  /** All texts, joined by a blank line. */
  readonly text: string
  /** The same texts by authority, system first; at most two parts. */
  readonly parts: readonly UpdatePart[]
  /** In the order of the texts. */
  readonly changes: readonly Change[]
}

/** A source whose value could not be observed at this boundary. */
export interface StaleSource {
  /** The key of the source, or the registry key of a failed producer that has contributed nothing yet. */
  readonly key: string
  readonly reason: 'unavailable' | 'timeout' | 'error'
  /** The value that stays in effect; not there when the model was never told one. */
  readonly told?: Json
  /** When the model was told, ISO 8601. Filled in by a session. */
  readonly toldAt?: string
  readonly error?: unknown
}

/** What a boundary makes of an observation and the snapshot. */
export type Reconciliation =
  | { readonly type: 'unchanged'; readonly stale: readonly StaleSource[] }
  | ({ readonly type: 'updated'; readonly snapshot: Snapshot; readonly stale: readonly StaleSource[] } & Update)
  | {
      readonly type: 'replacement-ready'
      readonly start: EpochStart
      readonly reason: string
      readonly stale: readonly StaleSource[]
    }
  | { readonly type: 'replacement-blocked'; readonly keys: readonly string[]; readonly stale: readonly StaleSource[] }
