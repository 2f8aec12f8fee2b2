/** Turns as a session would hand them to an adapter, written as what was told, in order. */
import type { Authority } from '../../src/context/index.ts'
import { RULES_AS_OF } from '../../src/session/rules-as-of.ts'
import type { Entry, Tool, TurnView } from '../../src/session/types.ts'
import { updateOf } from './anthropic-rules-conversations.ts'

/** A message, an update with one text per authority, or tools that were appended. */
export type Told<M> = M | { readonly update: readonly Authority[] } | { readonly added: readonly Tool[] }

/** A turn in whose view stands what was told, numbered from 1, all of it in epoch 1. */
export function turnTold<M extends object>(told: readonly Told<M>[], over: Partial<TurnView<M>> = {}): TurnView<M> {
  const entries = told.map((item, index): Entry<M> => {
    const place = { revision: index + 1, epoch: 1 }
    if ('update' in item) return { ...place, type: 'update', ...updateOf(item.update, index + 1) }
    if (!('added' in item)) return { ...place, type: 'message', message: item }
    const tools = { added: item.added, removed: [], restored: [] }
    return { ...place, type: 'update', text: '', parts: [], changes: [], tools }
  })
  return {
    session: 'test',
    epoch: 1,
    revision: entries.length,
    instructions: 'You review code.',
    baseline: 'Branch: main',
    system: '',
    entries,
    update: null,
    started: null,
    stale: [],
    tools: null,
    nonce: 'n1',
    rulesAsOf: RULES_AS_OF,
    refusals: [],
    ...over,
  }
}

/** The exact JSON text of what is sent, a line per element. */
export function linesOf(elements: readonly unknown[]): string {
  return elements.map((element) => JSON.stringify(element)).join('\n')
}
