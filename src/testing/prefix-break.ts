/**
 * A request that does not begin with the one that it goes on from: where, by what, and how much of the earlier one is lost
 * with it.
 */
import { parameterChanges, type ParameterChange } from '../audit/changes/classify/parameters.ts'
import { isCompaction } from '../audit/changes/compaction.ts'
import type { Alignment, Culprit, CulpritKind } from '../audit/changes/types.ts'
import type { Divergence } from '../audit/explain/first-difference.ts'
import { segmentsOf } from '../audit/record/segments.ts'
import type { Segment, Turn } from '../audit/record/types.ts'
import { isWritten } from '../audit/streams/messages.ts'
import type { Comparison } from '../audit/verdicts/comparisons.ts'

/** What a change is: a kind of culprit, as an audit names it, or that the conversation goes on from a summary. */
export type ChangeKind = CulpritKind | 'compaction'

/** One thing that differs. */
export interface PrefixChange {
  readonly kind: ChangeKind
  /** As `system[0]`, `tools[read_file]`, `messages[*].content[0]`, `parameter tool_choice`. */
  readonly path: string
  /** What stands there in the earlier and in the later request; `null` where nothing does. */
  readonly before: string | null
  readonly after: string | null
}

/** The first place at which two requests part. */
export interface PrefixPlace {
  readonly path: string
  /** UTF-16 units into the text; `null` for what is no text. */
  readonly offset: number | null
  /** The text around it, or the values of a parameter; `null` where nothing stands there. */
  readonly before: string | null
  readonly after: string | null
  /** `shortened`: the later request ends there. Otherwise as in a divergence; of a parameter, `changed`. */
  readonly type: Divergence['kind']
}

/** How a request fails to begin with another. */
export interface PrefixBreak {
  /** In the order in which the provider reads them. */
  readonly changes: readonly [PrefixChange, ...PrefixChange[]]
  readonly place: PrefixPlace
  /** Of the earlier request, by the counter's estimate: all tokens, and those that cannot be read from a cache. */
  readonly tokens: { readonly all: number; readonly lost: number }
}

/** What is known of a turn beside its parent. */
export interface Compared {
  readonly turn: Turn
  readonly parent: Turn
  /** Null where one of the two has no body. */
  readonly comparison: Comparison | null
  readonly alignment: Alignment | undefined
  /** Those that differ on this turn, as the provider reads them. */
  readonly culprits: readonly Culprit[]
  /** Nothing may be put in another way, answered or not. */
  readonly strict: boolean
}

/** The break of a turn; null where it begins with all of its parent, and nothing else scopes it. */
export function breakOf(compared: Compared): PrefixBreak | null {
  const { turn, parent, comparison } = compared
  const segments = segmentsOf(parent)
  const parameters = parameterChanges(parent, turn, segments).filter(({ loses }) => loses)
  const divergence = comparison?.divergence ?? null
  const common = divergence === null ? segments.length : (comparison?.common.segments ?? 0)
  const differs = common < segments.length && !isMeant(compared, segments, common)
  if (!differs && parameters.length === 0) return null
  const changes = changesOf(compared, parameters, differs)
  return {
    changes,
    place: placeOf(changes[0], differs ? divergence : null),
    tokens: { all: parent.tokens, lost: lostOf(compared, segments, differs ? common : segments.length, parameters) },
  }
}

/** Where texts part, or the parameter that stands in front of them. */
function placeOf(change: PrefixChange, divergence: Divergence | null): PrefixPlace {
  if (divergence === null || change.kind === 'parameter') {
    const { path, before, after } = change
    return { type: 'changed', path, offset: null, before, after }
  }
  const { kind: type, path, offset, before, after } = divergence
  return { type, path, offset: type === 'changed' ? offset : null, before, after }
}

function isMeant({ turn, strict }: Compared, before: readonly Segment[], common: number): boolean {
  const after = segmentsOf(turn)
  return isContinued(before, after, common) || (!strict && isArranged(before, after, common))
}

/** The last text of the parent, and more of it: an answer that was begun for the model. */
function isContinued(before: readonly Segment[], after: readonly Segment[], common: number): boolean {
  const block = before[common]?.block
  return block !== undefined && block.role !== 'user' && isGrown(before, after, common)
}

/**
 * The parent was not answered, as far as the later request knows: then what stands behind the last answer may still be put
 * in another way. Of a first question, only more of it is that; another one is another conversation.
 */
function isArranged(before: readonly Segment[], after: readonly Segment[], common: number): boolean {
  if (after.slice(common).some(({ block }) => isWritten(block))) return false
  const last = before.findLastIndex(({ block }) => isWritten(block))
  return last < 0 ? isGrown(before, after, common) : common > last
}

function isGrown(before: readonly Segment[], after: readonly Segment[], common: number): boolean {
  const [one, other] = [before[common]?.block, after[common]?.block]
  if (common !== before.length - 1 || one === undefined || other === undefined) return false
  if (one.role !== other.role || one.type !== other.type || one.text === null || other.text === null) return false
  return other.text.startsWith(one.text)
}

function changesOf(
  { turn, culprits, comparison, alignment }: Compared,
  parameters: readonly ParameterChange[],
  differs: boolean,
): PrefixBreak['changes'] {
  const losing = new Set(parameters.map(({ name }) => `parameter ${name}`))
  const changes: PrefixChange[] = culprits
    .filter(({ kind, path }) => (kind === 'parameter' ? losing.has(path) : differs))
    .map(({ kind, path, occurrences }) => {
      const { before = null, after = null } = occurrences.find((each) => each.turn === turn) ?? {}
      return { kind, path, before, after }
    })
  for (const { name, before, after } of parameters) {
    const path = `parameter ${name}`
    if (!changes.some((change) => change.path === path)) changes.push({ kind: 'parameter', path, before, after })
  }
  const { divergence = null, compaction = null } = comparison ?? {}
  if (differs && divergence !== null) {
    const { path, before, after } = divergence
    const isCompacted = compaction !== null || (alignment !== undefined && isCompaction(alignment))
    if (isCompacted) changes.push({ kind: 'compaction', path, before, after })
    else if (changes.every(({ kind }) => kind === 'parameter')) changes.push({ kind: 'unknown', path, before, after })
  }
  const [first, ...rest] = changes
  if (first === undefined) throw new TypeError('A break without a change.')
  return [first, ...rest]
}

function lostOf(
  { turn, parent }: Compared,
  segments: readonly Segment[],
  common: number,
  parameters: readonly ParameterChange[],
): number {
  const names = new Set(parameters.map(({ name }) => name))
  const sections = new Set(
    [...parent.scope, ...turn.scope].flatMap(({ name, invalidates }) => (names.has(name) ? invalidates : [])),
  )
  return segments.reduce(
    (sum, { block }, index) => (index >= common || sections.has(block.section) ? sum + block.tokens : sum),
    0,
  )
}
