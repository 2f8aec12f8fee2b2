/** A turn as adapters and hosts see it: fixed at its boundary, whatever happens to the session afterwards. */
import type { Usage } from '../base/usage.ts'
import type { StaleSource, Update } from '../context/index.ts'
import type { Decision } from './boundary.ts'
import type { EpochState, Fold } from './fold.ts'
import type { Entry, EpochCause, Receipt, Refusal, Turn } from './types.ts'

/** Records an answer to the turn at a revision. */
export type AnswerRecorder<M> = (
  turn: number,
  messages: readonly M[],
  options: { id?: string; usage?: Usage } | undefined,
) => Promise<Receipt>

/** What a boundary did, beside what the fold now holds. */
interface BoundaryOutcome {
  readonly update: Update | null
  readonly started: EpochCause | null
  readonly stale: readonly StaleSource[]
}

class BoundaryTurn<M> implements Turn<M> {
  readonly session: string
  readonly epoch: number
  readonly revision: number
  readonly instructions: string
  readonly baseline: string
  readonly system: string
  readonly entries: readonly Entry<M>[]
  readonly update: Update | null
  readonly started: EpochCause | null
  readonly stale: readonly StaleSource[]
  readonly tools: null = null
  readonly nonce: string
  readonly rulesAsOf: string
  readonly refusals: readonly Refusal[]
  readonly #record: AnswerRecorder<M>

  constructor(
    session: string,
    epoch: EpochState,
    revision: number,
    entries: readonly Entry<M>[],
    outcome: BoundaryOutcome,
    record: AnswerRecorder<M>,
  ) {
    this.session = session
    this.epoch = epoch.number
    this.revision = revision
    this.instructions = epoch.instructions
    this.baseline = epoch.baseline
    this.system = epoch.system
    this.entries = entries
    this.update = outcome.update
    this.started = outcome.started
    this.stale = outcome.stale
    this.nonce = epoch.nonce
    this.rulesAsOf = epoch.rulesAsOf
    this.refusals = epoch.refusals
    this.#record = record
  }

  answer(messages: readonly M[], options?: { id?: string; usage?: Usage }): Promise<Receipt> {
    return this.#record(this.revision, messages, options)
  }
}

/** The turn that the folded state now is; `fold` has an epoch. */
export function createTurn<M>(
  session: string,
  fold: Fold<M>,
  entries: readonly Entry<M>[],
  outcome: BoundaryOutcome,
  record: AnswerRecorder<M>,
): Turn<M> {
  return new BoundaryTurn(session, fold.epoch!, fold.revision, entries, outcome, record)
}

/** What a turn says of the decision that was made. */
export function outcomeOf(decision: Decision, toldAt: ReadonlyMap<string, string>): BoundaryOutcome {
  return {
    update: decision.type === 'update' ? decision.update : null,
    started: decision.type === 'epoch' ? decision.cause : null,
    stale: datedStale(decision.stale, toldAt),
  }
}

/** Adds since when each stale value stands. */
function datedStale(stale: readonly StaleSource[], toldAt: ReadonlyMap<string, string>): readonly StaleSource[] {
  if (stale.length === 0) return stale
  return stale.map((source) => {
    const at = toldAt.get(source.key)
    return source.told === undefined || at === undefined ? source : { ...source, toldAt: at }
  })
}
