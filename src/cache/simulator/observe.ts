/** What a reported usage teaches about the places of its request. */
import type { Usage } from '../../base/usage.ts'
import { field } from '../layout/peek.ts'
import { readUsage } from '../usage/read-usage.ts'
import { isSse, parseJson, parseSse } from '../usage/sse.ts'
import type { Memory } from './memory.ts'
import type { Outcome } from './play.ts'
import type { Positions } from './positions.ts'
import type { CacheRules } from './rules.ts'
import { isServerEdited } from './server-edited.ts'
import type { Node } from './tree.ts'
import type { OwnWriter } from './writer.ts'

/** A request whose response may still come: as little of it as a report needs, since many may be waiting. */
export interface Sent {
  readonly end: Node
  readonly writer: OwnWriter
  readonly rules: CacheRules
  readonly outcome: Pick<Outcome, 'written' | 'hit' | 'readThrough' | 'stored' | 'short'>
  readonly positions: Positions
  readonly memory: Memory
  /** Of several reports for one request the first that says anything counts. */
  observed: boolean
}

/** A report that was read before, in place of a response: of a call whose answer nobody keeps. */
export class KnownUsage {
  readonly usage: Usage

  constructor(usage: Usage) {
    this.usage = usage
  }
}

/** Learns from a response, whole or streamed, and says whether it did. What is not reported teaches nothing. */
export function learn(response: unknown, sent: Sent): boolean {
  const { end, rules, outcome, positions } = sent
  const known = response instanceof KnownUsage ? response.usage : undefined
  if (known === undefined && isEdited(response)) return false
  const { total, read, write5m, write30m, write1h, output } = known ?? readUsage(response)
  if (end.depth === 0 || total === undefined || total <= 0 || total > MOST_TOKENS) return false
  end.output = output
  const writes = [write5m, write30m, write1h].filter((tokens) => tokens !== undefined)
  // Where writes are not charged, or not reported, nobody says where they ended.
  if (rules.type === 'prefix' || !rules.charges || writes.length === 0) {
    if (read !== undefined && rules.type === 'entries' && rules.step === 1 && isAt(outcome, read, positions)) {
      positions.learn(outcome.readThrough, read)
    }
    positions.learn(end, rules.type === 'prefix' || !rules.charges ? total : total - positions.tail)
    return true
  }
  const cached = writes.reduce((sum, tokens) => sum + tokens, read ?? 0)
  const last = lastPlace(outcome) ?? outcome.short.at(-1)?.node
  if (last !== undefined && cached > 0 && cached <= total) {
    if (read !== undefined && isAt(outcome, read, positions)) positions.learn(outcome.readThrough, read)
    positions.learn(last, cached)
    if (last === end && total - cached <= LONGEST_TAIL) positions.learnTail(total - cached)
  }
  if (last !== end || cached === 0) positions.learn(end, total - positions.tail)
  if (read !== undefined) correctEntries(sent, rules.minimum, cached > 0)
  return true
}

// More is no report of a prompt, and would poison what is learned for good.
const MOST_TOKENS = 1e9
/** Behind the last block stands a turn's frame, not text. */
const LONGEST_TAIL = 200

/** A prefix was estimated to be long enough, or too short, and the report says otherwise. */
function correctEntries({ outcome, positions, memory, writer }: Sent, minimum: number, isCached: boolean): void {
  if (isCached) {
    for (const entry of outcome.short) {
      // What a later request left there is newer.
      const isNewest = (entry.node.entries?.get(entry.key)?.usedBy ?? 0) <= entry.usedBy
      if (isNewest && !entry.node.dropped && positions.at(entry.node) >= minimum) memory.put(entry)
    }
    return
  }
  for (const entry of outcome.stored) if (entry.writer === writer) memory.remove(entry)
}

/** Where reading and writing together end. */
function lastPlace({ written, hit, readThrough }: Sent['outcome']): Node | undefined {
  const last = written.at(-1)?.node
  if (hit === null) return last
  return last === undefined || readThrough.depth > last.depth ? readThrough : last
}

/** Whether the reported read can be the entry that was predicted, and not an older one. */
function isAt({ hit, readThrough }: Sent['outcome'], read: number, positions: Positions): boolean {
  if (hit === null || read === 0) return false
  const predicted = positions.at(readThrough)
  // What a request names by itself cannot be anything else.
  if (hit.writtenBy === 0) return true
  return !readThrough.exact && Math.abs(predicted - read) <= Math.max(64, predicted * 0.1)
}

function isEdited(response: unknown): boolean {
  if (typeof response === 'string')
    return (isSse(response) ? parseSse(response) : [parseJson(response)]).some(isServerEdited)
  if (Array.isArray(response))
    return response.some((event) => isServerEdited(event) || isServerEdited(field(event, 'data')))
  return isServerEdited(response)
}
