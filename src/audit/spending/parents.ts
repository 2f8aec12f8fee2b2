/**
 * Which turn a turn goes on from, for logs of clients that hand out one object for each message of a session: no text is
 * looked at. What ended an earlier request is found in a later one from its end, so a session that was rewound goes on
 * from where it was rewound to, and sub-agents that share a file are apart.
 *
 * Where nothing is found, a turn begins anew, unless the log records a compaction: that goes on from the turn before.
 */
import type { Turn } from '../record/types.ts'
import type { LinkedTurn } from '../streams/types.ts'

/** The turns of one file, in its order. */
export class Parents {
  readonly #byEnd = new Map<unknown, Turn>()
  readonly #newest = new Map<string, Turn>()

  /** Links `turn`, which was sent with `messages`; undefined where the log has none, which then follow the turn before. */
  link(turn: Turn, messages: readonly unknown[] | undefined): LinkedTurn {
    const { ids, events = [] } = turn.exchange
    const series = JSON.stringify([ids.session, ids.agent, ids.isSubagent])
    const newest = this.#newest.get(series) ?? null
    const follows = messages === undefined || events.some(({ type }) => type === 'compaction')
    const parent = this.#find(messages) ?? (follows ? newest : null)
    // A call that failed left nothing in the cache: who asks again goes on from what was before.
    if (!turn.failed) {
      this.#newest.set(series, turn)
      if (messages !== undefined && messages.length > 0) this.#byEnd.set(messages.at(-1), turn)
    }
    return { turn, parent, repeats: false }
  }

  #find(messages: readonly unknown[] = []): Turn | undefined {
    for (let index = messages.length - 1; index >= 0; index--) {
      const found = this.#byEnd.get(messages[index])
      if (found !== undefined) return found
    }
    return undefined
  }
}
