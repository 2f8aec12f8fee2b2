/** What a process that is paused and its parent say to each other. One operation runs at a time. */
import type { Receipt } from '../../src/index.ts'
import type { StoreAddress } from '../support/store-address.ts'

export interface PausedTask {
  readonly address: StoreAddress
  readonly session: string
}

export type PausedOrder =
  | { readonly order: 'submit'; readonly id: string }
  /** Its source says {@link PausedAnswer} `loading`, and then waits for `load`. */
  | { readonly order: 'turn' }
  | { readonly order: 'load'; readonly value: string }
  /** Answers the turn that was taken last. */
  | { readonly order: 'answer'; readonly id: string }
  | { readonly order: 'fork'; readonly child: string }

export type PausedAnswer =
  | { readonly said: 'loading' }
  | {
      readonly said: 'turn'
      readonly revision: number
      readonly update: string | null
      readonly texts: readonly string[]
    }
  | { readonly said: 'recorded'; readonly receipt: Receipt }
  | { readonly said: 'forked' }
  /** With the code of the error, or what else was thrown. */
  | { readonly said: 'refused'; readonly code: string }
