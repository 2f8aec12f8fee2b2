/**
 * Why a turn lost what was cached, in terms of usage alone; whether caching could have avoided it; and what to do.
 *
 * A lifetime that was over explains everything: what else changed meanwhile lost nothing that was still there.
 */
import { maskKeys } from '../report/keys.ts'
import { logged } from '../report/turn.ts'
import type { Turn } from '../record/types.ts'
import { readOf } from '../verdicts/reported.ts'
import type { Verdict, VerdictKind } from '../verdicts/types.ts'

/** A cause, as it is counted. */
export interface Cause {
  readonly kind: VerdictKind
  readonly names: readonly string[]
}

/** What `verdict` lost its tokens by; null where it lost none. */
export function causeOf({ turn, reasons, lostTokens, providerReason }: Verdict): Cause | null {
  if (lostTokens <= 0) return null
  if (reasons.some(({ kind }) => kind === 'expired')) return { kind: 'expired', names: [] }
  const first = reasons.find(({ tokens }) => tokens > 0) ?? reasons[0]
  if (first === undefined) return null
  const { kind, parameters = [] } = first
  const said = kind === 'unknown' ? (logged(providerReason ?? undefined) ?? howMuch(turn)) : null
  return { kind, names: said === null ? parameters.map((name) => maskKeys(name)) : [said] }
}

/** Where nothing else tells, what was read does: how far the two requests were still alike. */
const nothingRead = 'nothing read'
const startRead = 'start read'

function howMuch(turn: Turn): string {
  return (readOf(turn) ?? 0) > 0 ? startRead : nothingRead
}

/** What no caching keeps: entries that had outlived their time, and texts that were replaced on purpose. */
const unavoidable: ReadonlySet<VerdictKind> = new Set(['expired', 'compacted', 'server-edited'])

/** Whether what was lost by it was still to be read. */
export function isAvoidable(kind: VerdictKind): boolean {
  return !unavoidable.has(kind)
}

/** Names come from logs, so they are looked up in maps. */
const byName: ReadonlyMap<string, string> = new Map(
  Object.entries({
    model: 'Another model has a cache of its own: change it between sessions, not within one.',
    effort: 'Another effort changes what is cached: change it between sessions, not within one.',
    date: 'The day stands in front of the conversation, and midnight rewrites it.',
    directory: 'The folder stands in front of the conversation: start another session there.',
    branch: 'The branch stands in front of the conversation: start another session for another one.',
    permissions: 'The mode of permissions is told in front of the conversation: set it before the first turn.',
    'client-version': 'The client was updated in mid-session, and with it its prompt and tools: finish sessions first.',
  }),
)

const byKind: Partial<Readonly<Record<VerdictKind, string>>> = {
  expired:
    'The pause was longer than entries live. A lifetime of an hour keeps them (Claude Code: ENABLE_PROMPT_CACHING_1H=1).',
  compacted: 'The conversation restarted from a summary. Weigh what that costs against what it saves later.',
  'server-edited': 'The provider edits the prompt on its side.',
  rewritten: 'Something in front of the conversation changed.',
  scope: 'Something that scopes the cache changed.',
  unknown: 'So the provider says. What it was, only whole requests tell.',
}

const byRead: ReadonlyMap<string, string> = new Map(
  Object.entries({
    [nothingRead]:
      'Not even the start was read: tools or the system prompt changed, which the log does not hold, or the provider missed.',
    [startRead]:
      'The start was read, and not what follows: the system prompt changed further on, or earlier messages did.',
  }),
)

/** What it means and what to do, in one line. */
export function adviceFor({ kind, names }: Cause): string {
  const [name = ''] = names
  const known = names.length !== 1 ? undefined : (kind === 'unknown' ? byRead : byName).get(name)
  return known ?? byKind[kind] ?? 'Look at whole requests.'
}
