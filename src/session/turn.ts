/** A turn as adapters and hosts see it: fixed at its boundary, whatever happens to the session afterwards. */
import type { Usage } from '../base/usage.ts'
import type { StaleSource } from '../context/index.ts'
import type { Decision } from './boundary.ts'
import type { Fold } from './fold.ts'
import type { AdmittedUpdate, Entry, EpochCause, Receipt, Refusal, Turn, TurnTools } from './types.ts'

/** Records an answer to the turn at a revision. */
export type AnswerRecorder<M> = (
  turn: number,
  messages: readonly M[],
  options: { id?: string; usage?: Usage } | undefined,
) => Promise<Receipt>

/** The turn that the folded state now is, after a decision; the fold has an epoch. */
export class BoundaryTurn<M> implements Turn<M> {
  readonly session: string
  readonly epoch: number
  readonly revision: number
  readonly instructions: string
  readonly baseline: string
  readonly system: string
  readonly entries: readonly Entry<M>[]
  readonly update: AdmittedUpdate | null
  readonly started: EpochCause | null
  readonly stale: readonly StaleSource[]
  readonly tools: TurnTools | null
  readonly nonce: string
  readonly rulesAsOf: string
  readonly refusals: readonly Refusal[]
  readonly #record: AnswerRecorder<M>

  constructor(
    session: string,
    fold: Fold<M>,
    entries: readonly Entry<M>[],
    decision: Decision,
    record: AnswerRecorder<M>,
  ) {
    const epoch = fold.epoch!
    this.session = session
    this.epoch = epoch.number
    this.revision = fold.revision
    this.instructions = epoch.instructions
    this.baseline = epoch.baseline
    this.system = epoch.system
    this.entries = entries
    this.update = decision.type === 'update' ? decision.update : null
    this.started = decision.type === 'epoch' ? decision.cause : null
    this.stale = datedStale(decision.stale, fold.toldAt)
    this.tools = fold.turnTools(decision.held)
    this.nonce = epoch.nonce
    this.rulesAsOf = epoch.rulesAsOf
    this.refusals = epoch.refusals
    this.#record = record
  }

  answer(messages: readonly M[], options?: { id?: string; usage?: Usage }): Promise<Receipt> {
    return this.#record(this.revision, messages, options)
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
