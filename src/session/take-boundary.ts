/**
 * Taking a boundary, whoever keeps the history: observe once, decide, append, and decide again for as long as others are
 * faster. The loser of a race keeps what it observed.
 */
import { decide } from './boundary.ts'
import type { Circumstances, Decision } from './boundary.ts'
import type { SessionEnvironment } from './environment.ts'
import type { EventDraft } from './event.ts'
import type { EventLog } from './log.ts'
import type { BoundaryObservation } from './read-tools.ts'
import { RULES_AS_OF } from './rules-as-of.ts'
import type { HistoryMark, SessionEvent, Turn, View } from './types.ts'

/** One attempt at a boundary, made on the state as it is folded then. */
export interface BoundaryAttempt<M> {
  readonly circumstances: Circumstances
  /** What to append for a decision; null when nothing changed. */
  draft(decision: Decision): EventDraft<M> | null
  /** The turn that the folded state now is. */
  turn(decision: Decision): Turn<M>
}

/** Takes the boundary of a log that has caught up. `attempt` may throw; then nothing is appended. */
export async function takeBoundary<M, H>(
  log: EventLog<M>,
  environment: SessionEnvironment<M, H>,
  host: H | undefined,
  attempt: () => BoundaryAttempt<M>,
): Promise<Turn<M>> {
  const { fold } = log
  let observation: BoundaryObservation<H> | undefined
  let { moves } = fold
  for (;;) {
    const made = attempt()
    if (observation === undefined || moves !== fold.moves) {
      // A move that came in between, served or not: what was read before it is from the old place.
      moves = fold.moves
      const pending = environment.observe(log.session, host, fold.snapshot, fold.epoch === null, fold.tools)
      if (pending instanceof Promise) {
        observation = await pending
        // The attempt was made before the sources were read, and others may have written since.
        continue
      }
      observation = pending
    }
    const { head } = fold
    const pending = decide(fold, observation, made.circumstances, environment)
    const decision = pending instanceof Promise ? await pending : pending
    // Another operation of this object may have folded new events while the sources of an epoch were read.
    if (fold.head !== head) continue
    const draft = made.draft(decision)
    if (draft === null) return made.turn(decision)
    const placed = await log.tryAppend(draft)
    // A store may answer late, when another operation of this object has taken the conversation further: decide again.
    if (placed?.revision === fold.revision) return made.turn(decision)
  }
}

/** The event that starts an epoch. */
export function epochDraft<M, H>(
  log: EventLog<M>,
  environment: SessionEnvironment<M, H>,
  host: H | undefined,
  decision: Extract<Decision, { type: 'epoch' }>,
  extent: { readonly promoted: readonly number[]; readonly view: View; readonly history?: HistoryMark },
): Omit<Extract<SessionEvent<M>, { type: 'epoch' }>, 'revision' | 'v' | 'at'> {
  const { fold, session } = log
  return {
    type: 'epoch',
    epoch: (fold.epoch?.number ?? 0) + 1,
    cause: decision.cause,
    instructions: environment.instructions(session, host),
    ...decision.start,
    tools: decision.tools,
    nonce: fold.nonce ?? environment.createId(),
    rulesAsOf: RULES_AS_OF,
    refusals: [...(fold.epoch?.refusals ?? []), ...fold.refusals],
    ...extent,
  }
}

/** The event that is no start of an epoch. */
export function boundaryDraft<M>(
  log: EventLog<M>,
  decision: Exclude<Decision, { type: 'epoch' }>,
  extent: { readonly promoted: readonly number[]; readonly history?: HistoryMark },
): Omit<Extract<SessionEvent<M>, { type: 'boundary' }>, 'revision' | 'v' | 'at'> {
  const told = decision.type === 'update'
  return {
    type: 'boundary',
    epoch: log.fold.epoch!.number,
    update: told ? decision.update : null,
    snapshot: told ? decision.advance : { set: {}, gone: [] },
    ...extent,
  }
}
