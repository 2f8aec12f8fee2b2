/**
 * What a worker says while it works, so that its parent knows what had been promised to a caller when it was killed.
 *
 * One operation runs at a time: a worker reports that it begins, and, after the promise of the operation has resolved,
 * that it is done. Reports are lines of JSON on the standard output, written before anything else happens; a last line
 * without its end was cut off by the kill and is nothing.
 */
import { digest } from '../../src/base/digest.ts'
import { canonicalJson } from '../../src/base/json.ts'
import type { PlainMessage, TurnView } from '../../src/index.ts'

/** What a worker is given to do. */
export interface Assignment {
  /** The database file. */
  readonly path: string
  /** Begins the ids that this worker makes, so that they differ from those of all others on the same database. */
  readonly name: string
  readonly seed: number
  /** The sessions of the database, with their newest revisions. */
  readonly sessions: readonly (readonly [id: string, revision: number])[]
  /** The operation that the last kill interrupted: a caller would try it again. */
  readonly retry: Operation | null
}

/** A call of the public surface. */
export type Operation =
  | { readonly type: 'open' | 'close' }
  | { readonly type: 'turn' | 'delete'; readonly session: string }
  | Recording
  | {
      readonly type: 'compact'
      readonly session: string
      readonly summary: readonly PlainMessage[]
      readonly through: number
    }
  /** `epoch` is the one that stood. */
  | { readonly type: 'move'; readonly session: string; readonly epoch: number }
  | Forking

/** A call that is in effect once, however often it is made. */
export interface Recording {
  readonly type: 'submit' | 'append' | 'answer'
  readonly session: string
  readonly id: string
  readonly messages: readonly PlainMessage[]
}

export interface Forking {
  readonly type: 'fork'
  /** The parent. */
  readonly session: string
  readonly child: string
}

/** What the caller was told when the operation was done. */
export interface Outcome {
  /** Of the receipt, where there is one. */
  readonly revision?: number
  /** Of a turn, unless results of tool calls were pending. */
  readonly turn?: TurnClaim
}

/** What a turn said. */
export interface TurnClaim {
  readonly revision: number
  /** Text of the update that it admitted. */
  readonly update: string | null
  /** True when it started an epoch. */
  readonly started: boolean
  /** See {@link requestOf}. */
  readonly request: string
}

export type Report =
  | { readonly begun: Operation }
  | { readonly done: Outcome }
  /** Anything that an operation should not have thrown. */
  | { readonly failed: string }

/** An operation with what its caller was told. */
export type Done = readonly [operation: Operation, outcome: Outcome]

/** The operations that were done. */
export function doneIn(reports: readonly Report[]): Done[] {
  const done: Done[] = []
  for (const [index, report] of reports.entries()) {
    const before = reports[index - 1]
    if ('done' in report && before !== undefined && 'begun' in before) done.push([before.begun, report.done])
  }
  return done
}

/** The operation that was begun and not done, if there is one. */
export function interruptedIn(reports: readonly Report[]): Operation | null {
  const last = reports.at(-1)
  return last !== undefined && 'begun' in last ? last.begun : null
}

/** A digest of all that the model would be sent. */
export function requestOf(
  turn: Pick<TurnView<PlainMessage>, 'epoch' | 'revision' | 'system' | 'entries' | 'nonce' | 'rulesAsOf' | 'refusals'>,
): string {
  const { epoch, revision, system, entries, nonce, rulesAsOf, refusals } = turn
  return digest(canonicalJson({ epoch, revision, system, entries, nonce, rulesAsOf, refusals }))
}
