/** What happened to a list of tools: reordered, added, removed, edited, or only written in another order of keys. */
import type { Act } from '../finding.ts'
import { inOneOrder, jsonOf } from '../calls.ts'

const act = { type: 'act', counting: 'always' } as const

/** Tools in another order. */
export const reordered: Act = { ...act, kind: 'tool-reordered', key: '', confidence: 0.95 }

/** Tools that were not there before. */
export function added(names: readonly string[]): Act {
  return { ...act, kind: 'tool-added', key: names.join(), confidence: 0.95 }
}

/** Tools that are no longer there. */
export function removed(names: readonly string[]): Act {
  return { ...act, kind: 'tool-removed', key: names.join(), confidence: 0.95 }
}

/** A definition of which the text is gone. */
export function edited(name: string): Act {
  return { ...act, kind: 'tool-edited', key: name, confidence: 0.5 }
}

/** The act where two texts of a tool are one definition, with its keys in another order. */
export function schemaKeyOrder(first: string, second: string): Act | null {
  if (!isSameInOtherOrder(first, second)) return null
  return { ...act, kind: 'schema-key-order', key: '', confidence: 0.9, counting: 'when-reads-are-lost' }
}

/** True for two JSON texts of one value; strings inside that hold JSON are opened. */
export function isSameInOtherOrder(first: string, second: string): boolean {
  const [one, other] = [jsonOf(first), jsonOf(second)]
  if (one === undefined || other === undefined) return false
  return JSON.stringify(inOneOrder(one)) === JSON.stringify(inOneOrder(other))
}

/** Where tools stand, by their names: `tools[read_file]`. */
export function toolPath(names: readonly string[]): string {
  const list = names.slice(0, MOST_NAMES).join(', ')
  return `tools[${list}${names.length > MOST_NAMES ? `, … ${names.length - MOST_NAMES} more` : ''}]`
}

const MOST_NAMES = 3
