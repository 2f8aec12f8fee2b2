/**
 * What a host says while it works, so that somebody else knows what had been promised to it when it was killed.
 *
 * In one strand of reports one operation runs at a time: the host reports that it begins, and how it ended before anything
 * else happens. An operation without an end, or with one that tells nothing, may have happened or not.
 */
import { digest } from '../../../src/base/digest.ts'
import { canonicalJson } from '../../../src/base/json.ts'
import type { PlainMessage, Turn, TurnView } from '../../../src/index.ts'

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
  /** The operation was refused with this code, and has written nothing. */
  | { readonly refused: string }
  /** The store could not say whether it happened. */
  | { readonly unknown: string }
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

/** The operations that may have happened or not, oldest first. */
export function uncertainIn(reports: readonly Report[]): Operation[] {
  return reports.flatMap((report, index) => {
    const end = reports[index + 1]
    const isKnown = end !== undefined && ('done' in end || 'refused' in end)
    return 'begun' in report && !isKnown ? [report.begun] : []
  })
}

/** The operation that was begun last and has no end, if there is one. */
export function interruptedIn(reports: readonly Report[]): Operation | null {
  const last = reports.at(-1)
  return last !== undefined && 'begun' in last ? last.begun : null
}

/** What a turn tells its caller. */
export function claimOf(turn: Turn<PlainMessage>): TurnClaim {
  return {
    revision: turn.revision,
    update: turn.update?.text ?? null,
    started: turn.started !== null,
    request: requestOf(turn),
  }
}

/** A digest of all that the model would be sent. */
export function requestOf(
  turn: Pick<TurnView<PlainMessage>, 'epoch' | 'revision' | 'system' | 'entries' | 'nonce' | 'rulesAsOf' | 'refusals'>,
): string {
  const { epoch, revision, system, entries, nonce, rulesAsOf, refusals } = turn
  return digest(canonicalJson({ epoch, revision, system, entries, nonce, rulesAsOf, refusals }))
}
