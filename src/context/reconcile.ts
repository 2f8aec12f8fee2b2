/**
 * What a boundary inside an epoch makes of an observation: pure, and the same for the same values.
 *
 * It first decides what happened to each source and renders only then, so that a change which ends the epoch runs no
 * update renderer. Values are decoded only where a text needs them. Sources of `refresh: 'epoch'` stay as the
 * snapshot has them.
 */
import { equalsJson } from '../base/json.ts'
import { decodeReading, decodeValue } from './decode.ts'
import type { Decoded } from './decode.ts'
import { Unobserved } from './observe.ts'
import type { Observation, Reading } from './observe.ts'
import { admit, renderBaseline, renderUpdate, unfiltered } from './render.ts'
import type { RenderedTextFilter } from './render.ts'
import { toSnapshot, vanishedKeys } from './snapshot.ts'
import type { Source } from './source.ts'
import { staleProducers, staleSource } from './stale.ts'
import { absent } from './types.ts'
import type { Reconciliation, Snapshot, SnapshotEntry, StaleSource } from './types.ts'
import { toUpdate } from './update.ts'
import type { Telling } from './update.ts'

/** A change that no update can tell: the whole context must be rendered again. */
export interface Incompatible {
  readonly type: 'incompatible'
  /** Which sources, and why. */
  readonly reason: string
  readonly stale: readonly StaleSource[]
}

/** What a boundary inside an epoch has found. */
export type ObservedChange = Extract<Reconciliation, { type: 'unchanged' | 'updated' }> | Incompatible

// Most boundaries of most sessions: nothing to tell, nothing missing.
const UNCHANGED: ObservedChange = Object.freeze({ type: 'unchanged', stale: Object.freeze([]) })

/** Compares `observation` with `snapshot`. Throws `RendererError`. */
export function reconcileObservation<H>(
  observation: Observation<H>,
  snapshot: Snapshot,
  filter: RenderedTextFilter = unfiltered,
): ObservedChange {
  const { transitions, incompatibilities, stale } = compare(observation, snapshot)
  if (incompatibilities.length > 0) return { type: 'incompatible', reason: incompatibilities.join('; '), stale }
  if (transitions.length === 0) return stale.length === 0 ? UNCHANGED : { type: 'unchanged', stale }

  const entries = new Map(Object.entries(snapshot))
  const tellings: Telling[] = []
  for (const transition of transitions) {
    const { entry, ...telling } = tell(transition, filter)
    tellings.push(telling)
    if (entry === undefined) entries.delete(telling.key)
    else entries.set(telling.key, entry)
  }
  return { type: 'updated', ...toUpdate(tellings), snapshot: toSnapshot(entries), stale }
}

/** What happened to a source that an update can tell. */
type Transition =
  | { readonly kind: 'added'; readonly decoded: Decoded }
  | { readonly kind: 'changed'; readonly decoded: Decoded; readonly previous: unknown }
  | { readonly kind: 'removed'; readonly key: string; readonly text: string; readonly authority: 'system' | 'user' }

interface Comparison {
  readonly transitions: Transition[]
  readonly incompatibilities: string[]
  readonly stale: StaleSource[]
}

// What stayed as the model was told it leaves no trace here.
function compare<H>({ context, readings }: Observation<H>, snapshot: Snapshot): Comparison {
  const comparison: Comparison = { transitions: [], incompatibilities: [], stale: [] }
  let known = 0
  for (let index = 0; index < context.sources.length; index++) {
    const source = context.sources[index]!
    const told = snapshot[source.key]
    if (told !== undefined) known++
    if (source.refresh === 'epoch') continue
    const reading = readings[index]!
    if (told === undefined ? reading === absent : equalsJson(reading, told.value)) continue
    compareSource(source, reading, told, comparison)
  }
  if (known < Object.keys(snapshot).length || context.failures.length > 0) {
    const vanished = vanishedKeys(context, snapshot)
    const stale = staleProducers(context.failures, snapshot, vanished)
    const kept = new Set(stale.map(({ key }) => key))
    for (const key of vanished) if (!kept.has(key)) remove(key, snapshot[key]!, 'is gone', comparison)
    comparison.stale.push(...stale)
  }
  return comparison
}

function compareSource(
  source: Source<never>,
  reading: Reading,
  told: SnapshotEntry | undefined,
  comparison: Comparison,
): void {
  if (reading === absent) {
    if (told !== undefined) remove(source.key, told, 'is absent', comparison)
    return
  }
  const decoded = decodeReading(source, reading)
  if (decoded instanceof Unobserved) {
    comparison.stale.push(staleSource(source.key, decoded, told))
  } else if (told === undefined) {
    comparison.transitions.push({ kind: 'added', decoded })
  } else {
    try {
      const { current: previous } = decodeValue(source, told.value)
      comparison.transitions.push({ kind: 'changed', decoded, previous })
    } catch {
      comparison.incompatibilities.push(`'${source.key}' was told a value that its codec no longer decodes`)
    }
  }
}

function remove(key: string, told: SnapshotEntry, how: string, comparison: Comparison): void {
  if (told.removed === undefined) comparison.incompatibilities.push(`'${key}' ${how} and has no removal text`)
  else comparison.transitions.push({ kind: 'removed', key, text: told.removed, authority: told.authority ?? 'system' })
}

/** The text of a transition, and what the snapshot keeps after it; no entry: nothing. */
function tell(transition: Transition, filter: RenderedTextFilter): Telling & { entry?: SnapshotEntry } {
  if (transition.kind === 'removed') return transition
  const { kind, decoded } = transition
  const text = kind === 'added' ? renderBaseline(decoded, filter) : renderUpdate(decoded, transition.previous, filter)
  return { key: decoded.source.key, kind, authority: decoded.source.authority, text, entry: admit(decoded, filter) }
}
