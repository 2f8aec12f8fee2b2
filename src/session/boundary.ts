/**
 * What happens at a boundary: an epoch starts, an update is admitted, or neither. The decision is made on one observation
 * and the folded state alone, so that the loser of a race can make it again on newer state without reading a source twice.
 *
 * Every cause that holds is served by the epoch that starts; the first by precedence names it. A cause that cannot be
 * served yet (a replacement is blocked, a tool loop goes on) stays pending, and what can still be told is told.
 */
import { freezeDeep } from '../base/json.ts'
import { completeObservation, reconcileObservation, replaceFrom, startFrom } from '../context/boundary.ts'
import type { Incompatible, ObservedChange } from '../context/boundary.ts'
import { Unobserved } from '../context/observe.ts'
import type { Change, EpochStart, Snapshot, StaleSource } from '../context/index.ts'
import { escapeRendered } from './escape.ts'
import type { Fold } from './fold.ts'
import type { BoundaryObservation } from './read-tools.ts'
import { compareTools, effectiveTools, tellTools, TOOLS_KEY } from './tools.ts'
import type { ToldTools, ToolComparison } from './tools.ts'
import type { AdmittedUpdate, EpochCause, HeldTool, SnapshotAdvance, Tool, ToolChanges } from './types.ts'

/**
 * What a boundary finds, beside the fold and the observation. What is rarely asked is a function and no getter: an object
 * literal with a getter leaves a class of its own behind, which keeps what the getter sees until the whole heap is collected.
 */
export interface Circumstances {
  /** There is a legal place for an update: an entry, and not an answer, would come before it. */
  readonly admits: boolean
  /** The answer that the open tail belongs to goes on: compaction and new instructions wait. */
  inToolLoop(): boolean
  /** The host's history no longer extends what was answered, and the host wants an epoch for that. */
  readonly rewritten: boolean
  /** The instructions differ from the frozen ones, and the host wants an epoch for that. */
  instructionsChanged(): boolean
}

/** What holds of tools beside a fold: how their ids are had, and what the host wants where one is new. */
export interface ToolRules {
  readonly toolId: (tool: Tool) => string
  readonly onToolAdded: 'epoch' | 'append' | 'hold'
}

export type Decision = { readonly stale: readonly StaleSource[]; readonly held: readonly HeldTool[] } & (
  | {
      readonly type: 'epoch'
      readonly cause: EpochCause
      readonly compacts: boolean
      readonly start: EpochStart
      readonly tools: readonly Tool[] | null
    }
  | { readonly type: 'update'; readonly update: AdmittedUpdate; readonly advance: SnapshotAdvance }
  | { readonly type: 'none' }
)

/**
 * Throws `InitializationBlockedError` where an epoch must start and a value is missing that nothing may stand in for: the
 * first epoch, and one after a move. Throws `RendererError`.
 */
export function decide<M, H>(
  fold: Fold<M>,
  observation: BoundaryObservation<H>,
  circumstances: Circumstances,
  rules: ToolRules,
): Decision | Promise<Decision> {
  const tools = compare(fold.tools, observation, rules.onToolAdded)
  const cause = pendingCause(fold, circumstances, tools)
  if (cause !== null) return startEpoch(fold, observation, circumstances, rules, cause)
  const change = reconcileObservation(observation.sources, fold.snapshot, escapeRendered)
  if (change.type === 'incompatible') return startEpoch(fold, observation, circumstances, rules, 'incompatible')
  return tell(change, tools, staleTools(fold.tools, observation), circumstances, rules)
}

/** The first cause that holds, but for changes of sources that no text can tell. */
function pendingCause<M>(fold: Fold<M>, circumstances: Circumstances, tools: ToolComparison): EpochCause | null {
  if (fold.epoch === null) return 'initial'
  if (fold.moved) return 'moved'
  if (fold.compaction !== null && !circumstances.inToolLoop()) return 'compaction'
  if (circumstances.rewritten) return 'rewritten'
  if (fold.refusals.length > 0) return 'refused'
  if (circumstances.instructionsChanged() && !circumstances.inToolLoop()) return 'instructions'
  // The model may be about to call what it has just been given: a tool loop does not hold this up.
  return tools.startsEpoch ? 'tools' : null
}

async function startEpoch<M, H>(
  fold: Fold<M>,
  observation: BoundaryObservation<H>,
  circumstances: Circumstances,
  rules: ToolRules,
  cause: EpochCause,
): Promise<Decision> {
  const sources = await completeObservation(observation.sources)
  const compacts = fold.compaction !== null && !circumstances.inToolLoop()
  if (fold.epoch === null || fold.moved) {
    const { stale, ...start } = startFrom(sources, escapeRendered, staleTools(null, observation))
    return { type: 'epoch', cause, compacts, start, stale, tools: toolsToFreeze(fold, observation), held: [] }
  }
  const missing = staleTools(fold.tools, observation)
  const replacement = replaceFrom(sources, fold.snapshot, escapeRendered)
  if (replacement.type === 'replacement-ready') {
    const stale = [...replacement.stale, ...missing]
    const tools = toolsToFreeze(fold, observation)
    return { type: 'epoch', cause, compacts, start: replacement.start, stale, tools, held: [] }
  }
  // The old baseline stands, and an update still tells what changed, where that is possible. What blocks is stale, too.
  const change = reconcileObservation(sources, fold.snapshot, escapeRendered)
  // A source that has no words for its change silences the other sources, not the tools.
  const sayable = change.type === 'incompatible' ? { type: 'unchanged' as const } : change
  const tools = compare(fold.tools, observation, rules.onToolAdded === 'append' ? 'append' : 'hold')
  return tell({ ...sayable, stale: replacement.stale }, tools, missing, circumstances, rules)
}

/**
 * A host that gives tools no longer changes nothing before the next epoch: the prefix holds what was frozen, and so turns go
 * on showing it.
 */
function compare<H>(
  told: ToldTools | null,
  { tools }: BoundaryObservation<H>,
  onAdded: ToolRules['onToolAdded'],
): ToolComparison {
  if (tools === null || tools instanceof Unobserved) return { startsEpoch: false, changes: null, held: [] }
  return compareTools(told, tools, onAdded)
}

function toolsToFreeze<M, H>(fold: Fold<M>, { tools }: BoundaryObservation<H>): readonly Tool[] | null {
  if (tools === null) return null
  if (!(tools instanceof Unobserved)) return [...tools.values()]
  return fold.tools === null ? null : [...effectiveTools(fold.tools).values()]
}

/** The report on tools that could not be read. */
function staleTools<H>(told: ToldTools | null, { tools }: BoundaryObservation<H>): readonly StaleSource[] {
  if (!(tools instanceof Unobserved)) return []
  const { reason, error } = tools
  return [{ key: TOOLS_KEY, reason, ...(told && { told: told.turn.callable }), ...(error !== undefined && { error }) }]
}

function tell(
  change: Exclude<ObservedChange, Incompatible>,
  tools: ToolComparison,
  missing: readonly StaleSource[],
  { admits }: Circumstances,
  { toolId }: ToolRules,
): Decision {
  const stale = missing.length === 0 ? change.stale : [...change.stale, ...missing]
  const { held } = tools
  if (!admits || (change.type === 'unchanged' && tools.changes === null)) return { type: 'none', stale, held }
  const sources = change.type === 'unchanged' ? null : change
  const update = tools.changes === null ? bare(sources!) : withTools(sources, tools.changes, toolId)
  const advance = sources === null ? { set: {}, gone: [] } : advanceTo(sources.snapshot, sources.changes)
  // Frozen, as it is when it comes back from the store: what the model has been told, nobody edits.
  return { type: 'update', update: freezeDeep(update), advance, stale, held }
}

type SourceUpdate = Extract<ObservedChange, { type: 'updated' }>

function bare({ text, parts, changes }: SourceUpdate): AdmittedUpdate {
  return { text, parts, changes }
}

/** The update with what it says of tools behind what it says of sources with the same authority. */
function withTools(sources: SourceUpdate | null, tools: ToolChanges, toolId: (tool: Tool) => string): AdmittedUpdate {
  const text = escapeRendered(tellTools(tools, toolId))
  const changes = [...(sources?.changes ?? []), { key: TOOLS_KEY, kind: 'changed' as const }]
  const parts = sources?.parts ?? []
  if (text === '') return { text: sources?.text ?? '', parts, changes, tools }
  const own = parts.find(({ authority }) => authority === 'system')
  const said = {
    authority: 'system' as const,
    text: own === undefined ? text : `${own.text}\n\n${text}`,
    keys: [...(own?.keys ?? []), TOOLS_KEY],
  }
  return {
    text: sources === null ? text : `${sources.text}\n\n${text}`,
    parts: [said, ...parts.filter((part) => part !== own)],
    changes,
    tools,
  }
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
