/** What a reported usage teaches about the places of its request. */
import { field, list } from '../layout/peek.ts'
import { readUsage } from '../usage/read-usage.ts'
import type { Memory } from './memory.ts'
import type { Outcome } from './play.ts'
import type { Positions } from './positions.ts'
import type { CacheRules } from './rules.ts'
import type { Node, Writer } from './tree.ts'

/** A request whose response may still come: as little of it as a report needs, since many may be waiting. */
export interface Sent {
  readonly end: Node
  readonly writer: Writer
  readonly rules: CacheRules
  readonly outcome: Pick<Outcome, 'written' | 'hit' | 'readThrough' | 'stored' | 'waiting' | 'short'>
  readonly positions: Positions
  readonly memory: Memory
  /** Of several reports for one request the first that says anything counts. */
  observed: boolean
}

/** Learns from a response, whole or streamed, and says whether it did. What is not reported teaches nothing. */
export function learn(response: unknown, sent: Sent): boolean {
  const { end, rules, outcome, positions } = sent
  if (isServerEdited(response)) return false
  const { total, read, write5m = 0, write30m = 0, write1h = 0, output } = readUsage(response)
  if (end.depth === 0 || total === undefined || total <= 0) return false
  end.output = output
  if (rules.type === 'prefix') {
    positions.learn(end, total)
    return true
  }
  const cached = (read ?? 0) + write5m + write30m + write1h
  const last = lastPlace(outcome) ?? outcome.short.at(-1)?.node
  if (last !== undefined && cached > 0) {
    if (read !== undefined && isAt(outcome, read, positions)) positions.learn(outcome.readThrough, read)
    positions.learn(last, cached)
    if (last === end) positions.learnTail(total - cached)
  }
  if (last !== end || cached === 0) positions.learn(end, total - positions.tail)
  if (rules.charges && read !== undefined) correctEntries(sent, rules.minimum, cached > 0)
  return true
}

/** A prefix was estimated to be long enough, or too short, and the report says otherwise. */
function correctEntries({ outcome, positions, memory }: Sent, minimum: number, isCached: boolean): void {
  if (isCached) {
    for (const entry of outcome.short) {
      if (!entry.node.dropped && positions.at(entry.node) >= minimum) memory.put(entry)
    }
    return
  }
  for (const entry of outcome.stored) memory.remove(entry)
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

/** The server changed the prompt on its side (edits, compaction, loops of its own): its totals are of another text. */
function isServerEdited(response: unknown): boolean {
  const message = field(response, 'message') ?? field(response, 'response') ?? response
  const iterations = list(field(field(message, 'usage'), 'iterations'))
  const edits = list(field(field(message, 'context_management'), 'applied_edits'))
  const server = field(field(message, 'usage'), 'server_tool_use')
  const output = [...list(field(message, 'content')), ...list(field(message, 'output'))]
  return (
    iterations.length > 1 ||
    edits.length > 0 ||
    (typeof server === 'object' && server !== null && Object.values(server).some((count) => Number(count) > 0)) ||
    output.some((block) => String(field(block, 'type')) === 'compaction')
  )
}
