/**
 * Tools as part of the frozen prefix: what the model was told of them, and what a boundary makes of the current list.
 *
 * Invariants: the definitions frozen when an epoch started never leave the prefix, and what was appended stays where it was
 * appended. A tool's place in the list and the order of its keys mean nothing; a description may be worded anew without the
 * model being told, because the tool does what it did.
 */
import { canonicalJson, equalsJson, isPlainObject, type Json } from '../base/json.ts'
import { ToolInvalidError } from './errors.ts'
import type { Format, HeldTool, Tool, ToolChanges, TurnTools } from './types.ts'

/** The key under which a session's tools are reported, as if they were a source. */
export const TOOLS_KEY = 'indelible/tools'

/** Tools by their ids, in the order of the ids. */
export type ToolList = ReadonlyMap<string, Tool>

/** What the model was told of tools in an epoch. */
export interface ToldTools {
  /** As they stand in the prefix. */
  readonly frozen: ToolList
  /** The newest definition of each tool that was frozen or appended. */
  readonly defined: ToolList
  /** Ids of those whose calls fail. */
  readonly removed: ReadonlySet<string>
  /** What a turn shows of this. */
  readonly turn: TurnTools
}

/** What a boundary makes of the current list. */
export interface ToolComparison {
  /** The host wants an epoch for what is new. */
  readonly startsEpoch: boolean
  /** What is to be told where none starts; `null` where nothing is. */
  readonly changes: ToolChanges | null
  /** What then waits for the next epoch. */
  readonly held: readonly HeldTool[]
}

const NOTHING: ToolComparison = { startsEpoch: false, changes: null, held: [] }

/** The tools of an epoch that starts with `frozen`. */
export function startTools(frozen: ToolList): ToldTools {
  return toldTools(frozen, frozen, new Set())
}

/** The same tools after an update. */
export function advanceTools(told: ToldTools, changes: ToolChanges, added: ToolList): ToldTools {
  const removed = new Set(told.removed)
  for (const id of changes.removed) removed.add(id)
  for (const id of [...changes.restored, ...added.keys()]) removed.delete(id)
  return toldTools(told.frozen, new Map([...told.defined, ...added]), removed)
}

function toldTools(frozen: ToolList, defined: ToolList, removed: ReadonlySet<string>): ToldTools {
  const callable = [...defined.keys()].filter((id) => !removed.has(id)).sort()
  const turn = { definitions: [...frozen.values()], callable, held: [] }
  for (const part of [turn, turn.definitions, turn.callable, turn.held]) Object.freeze(part)
  return { frozen, defined, removed, turn }
}

/** What a turn shows of the tools while some are held. */
export function showTools({ turn }: ToldTools, held: readonly HeldTool[]): TurnTools {
  return held.length === 0 ? turn : Object.freeze({ ...turn, held: Object.freeze(held) })
}

/** True when two turns show the same. */
export function sameTools(one: TurnTools, other: TurnTools): boolean {
  if (one === other) return true
  if (one.definitions !== other.definitions || one.callable !== other.callable) return false
  return equalsJson(one.held, other.held as unknown as Json)
}

/** What a change of the epoch would leave the model with, where the current list cannot be read. */
export function effectiveTools({ defined, removed }: ToldTools): ToolList {
  const kept = [...defined].filter(([id]) => !removed.has(id))
  return new Map(kept.sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Compares the current list with what was told. */
export function compareTools(
  told: ToldTools | null,
  current: ToolList,
  onAdded: 'epoch' | 'append' | 'hold',
): ToolComparison {
  // The session was recorded without tools: there is nothing to compare with before they are frozen.
  if (told === null) return onAdded === 'epoch' ? { ...NOTHING, startsEpoch: true } : NOTHING
  const added: Tool[] = []
  const removed: string[] = []
  const restored: string[] = []
  const held: HeldTool[] = []
  let startsEpoch = false
  for (const [id, tool] of current) {
    const known = told.defined.get(id)
    const gone = told.removed.has(id)
    const first = told.frozen.get(id)
    const isFirst = first !== undefined && isSameTool(first, tool)
    const isKnown = known !== undefined && isSameTool(known, tool)
    // What was appended need not have reached every model: only what was frozen can be told to be back.
    if (isKnown && (!gone || isFirst)) {
      if (gone) restored.push(id)
      if (!equalsJson(tool, known as Json)) held.push({ id, change: 'described' })
      continue
    }
    startsEpoch ||= onAdded === 'epoch'
    if (isFirst && onAdded === 'append') {
      // As it was frozen, to the byte: what is said of it and what is appended must not differ.
      restored.push(id)
      added.push(first)
      if (!equalsJson(tool, first as Json)) held.push({ id, change: 'described' })
      continue
    }
    if (known !== undefined && !gone) removed.push(id)
    if (onAdded === 'append') added.push(tool)
    else held.push({ id, change: known === undefined ? 'added' : 'edited' })
  }
  for (const id of told.defined.keys()) if (!current.has(id) && !told.removed.has(id)) removed.push(id)
  const nothing = added.length === 0 && removed.length === 0 && restored.length === 0
  if (nothing && held.length === 0) return NOTHING
  return { startsEpoch, changes: nothing ? null : { added, removed: removed.sort(), restored: restored.sort() }, held }
}

/** What an update says about tools; empty where it only brings some. */
export function tellTools({ added, removed, restored }: ToolChanges, toolId: (tool: Tool) => string): string {
  const anew = new Set(added.map(toolId))
  const gone = removed.filter((id) => !anew.has(id))
  const replaced = removed.filter((id) => anew.has(id))
  return [
    gone.length > 0 && `${named(gone, 'is', 'are')} no longer available: calls to ${them(gone)} will fail.`,
    replaced.length > 0 &&
      `${named(replaced, 'is', 'are')} no longer what was defined above: calls made by the definition above will fail.`,
    restored.length > 0 && `${named(restored, 'is', 'are')} available again, as first defined.`,
  ]
    .filter((sentence) => sentence !== false)
    .join('\n')
}

function named(ids: readonly string[], is: string, are: string): string {
  const list = ids.map((id) => JSON.stringify(id)).join(', ')
  return ids.length === 1 ? `The tool ${list} ${is}` : `The tools ${list} ${are}`
}

function them(ids: readonly string[]): string {
  return ids.length === 1 ? 'it' : 'them'
}

/** True when both say the same, descriptions apart. */
function isSameTool(one: Tool, other: Tool): boolean {
  if (one === other || equalsJson(other, one as Json)) return true
  return canonicalJson(withoutDescriptions(one)) === canonicalJson(withoutDescriptions(other))
}

/** Where a JSON Schema has names of its user's, of which one may be `description`. */
const namesOf = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'])
/** What a definition quotes: values, not schemas. */
const quoted = new Set(['const', 'default', 'enum', 'example', 'examples', 'input_examples'])

function withoutDescriptions(value: unknown, names = false): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutDescriptions(item))
  if (typeof value !== 'object' || value === null || !isPlainObject(value)) return value
  const kept = Object.entries(value).filter(([key, item]) => names || key !== 'description' || typeof item !== 'string')
  return Object.fromEntries(
    kept.map(([key, item]) => [
      key,
      !names && quoted.has(key) ? item : withoutDescriptions(item, !names && namesOf.has(key)),
    ]),
  )
}

/** The ids of a format's tools. Throws `ToolInvalidError` for a tool that has none. */
export function toolIds<M>(format: Format<M>): (tool: Tool) => string {
  return (tool) => {
    const id = format.toolId?.(tool) ?? tool['name']
    if (typeof id === 'string' && id !== '') return id
    throw new ToolInvalidError(
      `A tool of format ${format.id} has no name: ${JSON.stringify(tool)?.slice(0, 120)}. Give it one, or give the format a toolId.`,
    )
  }
}
