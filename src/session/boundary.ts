/**
 * What happens at a boundary: an epoch starts, an update is admitted, or neither. The decision is made on one observation
 * and the folded state alone, so that the loser of a race can make it again on newer state without reading a source twice.
 *
 * Every cause that holds is served by the epoch that starts; the first by precedence names it. A cause that cannot be
 * served yet (a replacement is blocked, a tool loop goes on) stays pending, and what can still be told is told.
 */
import { freezeDeep } from '../base/json.ts'
import { completeObservation, reconcileObservation, replaceFrom, startFrom } from '../context/boundary.ts'
import type { Incompatible, Observation, ObservedChange } from '../context/boundary.ts'
import type { Change, EpochStart, Snapshot, StaleSource, Update } from '../context/index.ts'
import { escapeRendered } from './escape.ts'
import type { Fold } from './fold.ts'
import type { EpochCause, SnapshotAdvance } from './types.ts'

/** What a boundary finds, beside the fold and the observation. */
export interface Circumstances {
  /** There is a legal place for an update: an entry, and not an answer, would come before it. */
  readonly admits: boolean
  /** The answer that the open tail belongs to goes on: compaction and new instructions wait. */
  readonly inToolLoop: boolean
  /** The host's history no longer extends what was answered, and the host wants an epoch for that. */
  readonly rewritten: boolean
  /** The instructions differ from the frozen ones, and the host wants an epoch for that. */
  readonly instructionsChanged: boolean
}

export type Decision =
  | {
      readonly type: 'epoch'
      readonly cause: EpochCause
      readonly compacts: boolean
      readonly start: EpochStart
      readonly stale: readonly StaleSource[]
    }
  | {
      readonly type: 'update'
      readonly update: Update
      readonly advance: SnapshotAdvance
      readonly stale: readonly StaleSource[]
    }
  | { readonly type: 'none'; readonly stale: readonly StaleSource[] }

/**
 * Throws `InitializationBlockedError` where an epoch must start and a value is missing that nothing may stand in for: the
 * first epoch, and one after a move. Throws `RendererError`.
 */
export function decide<M, H>(
  fold: Fold<M>,
  observation: Observation<H>,
  circumstances: Circumstances,
): Decision | Promise<Decision> {
  if (pendingCause(fold, circumstances) !== null) return startEpoch(fold, observation, circumstances)
  const change = reconcileObservation(observation, fold.snapshot, escapeRendered)
  if (change.type === 'incompatible') return startEpoch(fold, observation, circumstances)
  return tell(change, circumstances)
}

/** The first cause that holds, but for changes that only the sources can show. */
function pendingCause<M>(fold: Fold<M>, circumstances: Circumstances): EpochCause | null {
  if (fold.epoch === null) return 'initial'
  if (fold.moved) return 'moved'
  if (fold.compaction !== null && !circumstances.inToolLoop) return 'compaction'
  if (circumstances.rewritten) return 'rewritten'
  if (fold.refusals.length > 0) return 'refused'
  if (circumstances.instructionsChanged && !circumstances.inToolLoop) return 'instructions'
  return null
}

async function startEpoch<M, H>(
  fold: Fold<M>,
  partial: Observation<H>,
  circumstances: Circumstances,
): Promise<Decision> {
  const observation = await completeObservation(partial)
  const cause = pendingCause(fold, circumstances) ?? 'incompatible'
  const compacts = fold.compaction !== null && !circumstances.inToolLoop
  if (fold.epoch === null || fold.moved) {
    const { stale, ...start } = startFrom(observation, escapeRendered)
    return { type: 'epoch', cause, compacts, start, stale }
  }
  const replacement = replaceFrom(observation, fold.snapshot, escapeRendered)
  if (replacement.type === 'replacement-ready') {
    return { type: 'epoch', cause, compacts, start: replacement.start, stale: replacement.stale }
  }
  // The old baseline stands, and an update still tells what changed, where that is possible. What blocks is stale, too.
  const { stale } = replacement
  const change = reconcileObservation(observation, fold.snapshot, escapeRendered)
  return change.type === 'incompatible' ? { type: 'none', stale } : tell({ ...change, stale }, circumstances)
}

function tell(change: Exclude<ObservedChange, Incompatible>, { admits }: Circumstances): Decision {
  if (change.type === 'unchanged' || !admits) return { type: 'none', stale: change.stale }
  const { text, parts, changes, snapshot, stale } = change
  // Frozen, as it is when it comes back from the store: what the model has been told, nobody edits.
  return { type: 'update', update: freezeDeep({ text, parts, changes }), advance: advanceTo(snapshot, changes), stale }
}

function advanceTo(snapshot: Snapshot, changes: readonly Change[]): SnapshotAdvance {
  const set: Record<string, Snapshot[string]> = {}
  const gone: string[] = []
  for (const { key } of changes) {
    const entry = snapshot[key]
    if (entry === undefined) gone.push(key)
    else set[key] = entry
  }
  return { set, gone }
}
