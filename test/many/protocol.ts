/**
 * What a host of a crowd and its parent say to each other. Orders come as messages; what the host says are lines of JSON on
 * its standard output, written before anything else happens, so that nothing that was said is lost when it is killed.
 */
import type { Operation, Report } from '../support/ledger/operations.ts'
import type { StoreAddress } from '../support/store-address.ts'

/** What a host is given to do. */
export interface Assignment {
  readonly address: StoreAddress
  /** Begins the ids that this host makes, so that they differ from those of all others on the same database. */
  readonly name: string
  readonly seed: number
  /** Which of the hosts it is, from 0, and how many there are: between them they share the inputs of each session. */
  readonly index: number
  readonly hosts: number
  /** Conversations that it holds at the same time. */
  readonly lanes: number
  /** How many inputs each session gets from all hosts together. */
  readonly inputs: number
  /** Operations of a host that died, of which nobody knows whether they happened: a caller would try them again. */
  readonly retries: readonly Operation[]
}

export type Order =
  /** Converse in these sessions, until told otherwise. */
  | { readonly order: 'work'; readonly sessions: readonly string[] }
  /** Begin no operation any more. */
  | { readonly order: 'rest' }
  /** Close the store, and end. */
  | { readonly order: 'end' }

export type Line =
  | { readonly lane: number; readonly report: Report }
  /** All inputs of the session are in the conversation, and answered. */
  | { readonly finished: string }
  /** No operation is under way, and none will begin. */
  | { readonly resting: true }

/** The id of an input of a session; what it says follows from it. */
export function inputId(session: string, index: number): string {
  return `${session}/input-${index}`
}
