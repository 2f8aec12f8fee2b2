/**
 * The entries of a pi session and what a call was made with. Newer sessions are trees (`id`, `parentId`), older ones
 * lists; a list is a tree in which each entry follows the one before.
 *
 * The newest compaction on the way to the root stands for all before the first entry that it kept.
 */
import { field } from '../../../cache/layout/peek.ts'
import type { Fields } from '../../../cache/usage/fields.ts'
import { isSent, PiMessage, summaryMessage, type Shape } from './pi-messages.ts'

/** One line of a session. */
export interface Entry {
  readonly parent: Entry | undefined
  /** Undefined where nothing of the line is sent. */
  readonly message: PiMessage | undefined
  /** Of a compaction, the first entry that stays; null where none does. */
  readonly kept: Entry | null | undefined
}

/** The lines of one session, as they come. */
export class Entries {
  readonly #byId = new Map<string, Entry>()
  readonly #byIndex: (Entry | undefined)[] = []
  #last: Entry | undefined

  /** Takes in a line; the head of the session too, since old compactions count lines. */
  add(record: Fields): Entry {
    const { id, parentId } = record
    const parent =
      typeof parentId === 'string'
        ? (this.#byId.get(parentId) ?? this.#last)
        : parentId === null
          ? undefined
          : this.#last
    const kept = record['type'] === 'compaction' ? (this.#keptBy(record) ?? null) : undefined
    const entry: Entry = { parent, message: messageIn(record), kept }
    if (typeof id === 'string') this.#byId.set(id, entry)
    this.#byIndex.push(entry)
    this.#last = entry
    return entry
  }

  #keptBy({ firstKeptEntryId: id, firstKeptEntryIndex: index }: Fields): Entry | undefined {
    if (typeof id === 'string') return this.#byId.get(id)
    return typeof index === 'number' ? this.#byIndex[index] : undefined
  }
}

/** Messages that the entry before an answer leads to, oldest first. Cost: the length of the way to the root. */
export function sentFor(answer: Entry, shape: Shape): readonly object[] {
  const backwards: object[] = []
  let summary: Entry | undefined
  for (let entry = answer.parent; entry !== undefined; entry = entry.parent) {
    if (entry.kept !== undefined) {
      // An older compaction is part of what the newer one sums up.
      if (summary === undefined) summary = entry
      if (summary.kept === null) break
    } else if (entry.message !== undefined) backwards.push(entry.message.as(shape))
    if (summary !== undefined && entry === summary.kept) break
  }
  if (summary?.message !== undefined) backwards.push(summary.message.as(shape))
  return backwards.reverse()
}

function messageIn(record: Fields): PiMessage | undefined {
  switch (record['type']) {
    case 'message':
      return isSent(record['message']) ? new PiMessage(record['message']) : undefined
    case 'compaction':
    case 'branch_summary':
      return new PiMessage(summaryMessage(record['summary']))
    case 'custom_message':
      return new PiMessage({ role: 'user', content: field(record, 'content') })
    default:
      return undefined
  }
}
