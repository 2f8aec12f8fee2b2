/**
 * Calls of which the log has no messages: only what was reported for them. Nothing in them tells which one goes on from
 * which, so those of one session, agent and file follow each other as the log has them.
 */
import type { Turn } from '../record/types.ts'
import type { LinkedTurn } from './types.ts'

/** The calls without messages. */
export class UnbodiedTurns {
  readonly #series = new Map<string, LinkedTurn[]>()

  /** Links a call to the one before it in its series, failed ones left out where there is another. */
  add(turn: Turn): LinkedTurn {
    const { ids, source } = turn.exchange
    const key = JSON.stringify([ids.session, ids.agent, ids.isSubagent, source.file])
    let series = this.#series.get(key)
    if (series === undefined) {
      series = []
      this.#series.set(key, series)
    }
    const before = series.at(-1)
    const parent = before?.turn.failed === true ? (before.parent ?? before.turn) : (before?.turn ?? null)
    const linked = { turn, parent, repeats: false }
    series.push(linked)
    return linked
  }

  /** The series, in the order of their first calls. */
  finish(): Iterable<readonly LinkedTurn[]> {
    return this.#series.values()
  }
}
