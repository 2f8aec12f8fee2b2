/**
 * What became of every file: read, or not and why. A file without a call passes only where the audit knows what it is and
 * refuses it, or where it is listed as no log; one that nobody recognises, that is broken, or that is passed over in
 * silence is a problem of the run.
 */
import type { Unread } from '../../src/audit/read/types.ts'
import type { CorpusFile } from './corpus-files.ts'
import type { NotALog } from './not-logs.ts'

/** One file. */
export interface FileOutcome {
  readonly file: string
  readonly calls: number
  /** Calls of which only the usage is known, or parts of a prompt: nothing can be played. */
  readonly withoutBody: number
  /** Records that were left out, by their reasons; traffic that is no call of a model is not among them. */
  readonly leftOut: readonly string[]
  /** Why there is no call; null where there is one. */
  readonly reason: string | null
  /** What must not be. */
  readonly problem: string | null
}

/** Kinds that say what a file is, and not that it could not be made out. */
const refusals: readonly Unread['kind'][] = ['not-yet-read', 'too-large', 'encrypted', 'empty', 'other-traffic']

/** What became of a file, by the list of those that are no logs. */
export function outcomeOf({ name, exchanges, unread }: CorpusFile, notLogs: readonly NotALog[]): FileOutcome {
  const listed = notLogs.find((each) => each.name.test(name))
  const said = unread.map(({ message }) => message)
  const reason = exchanges.length > 0 ? null : [...new Set([...said, ...(listed === undefined ? [] : [listed.why])])]
  return {
    file: name,
    calls: exchanges.length,
    withoutBody: exchanges.filter(({ fidelity }) => fidelity.level === 'usage').length,
    leftOut: exchanges.length === 0 ? [] : recordsLeftOut(unread),
    reason: reason === null ? null : reason.join(' – '),
    problem: problemOf(reason === null ? 'read' : unread, listed),
  }
}

function problemOf(unread: 'read' | readonly Unread[], listed: NotALog | undefined): string | null {
  if (unread === 'read') return listed === undefined ? null : `is listed as no log (${listed.why}), and has calls`
  if (unread.length === 0) return 'is neither read nor said to be left out'
  if (listed !== undefined) return null
  const worst = unread.find(({ kind }) => !refusals.includes(kind))
  return worst === undefined ? null : `cannot be read: ${worst.message}`
}

function recordsLeftOut(unread: readonly Unread[]): string[] {
  const lines = new Map<string, (number | null)[]>()
  for (const { kind, message, line } of unread) {
    if (kind !== 'other-traffic') lines.set(message, [...(lines.get(message) ?? []), line])
  }
  return [...lines].map(([message, at]) => {
    const known = at.filter((line) => line !== null)
    return known.length === 0 ? message : `${message} (line ${known.join(', ')})`
  })
}
