/** Reads the logs of a store again and again, without reading each time what nobody has touched. */
import type { EventStore } from '../../src/index.ts'
import type { Rows } from '../support/ledger/evidence.ts'
import type { Logs } from '../support/ledger/ledger.ts'
import type { Report } from '../support/ledger/operations.ts'

export class LogReader {
  readonly #store: EventStore
  #known: Logs = new Map()

  constructor(store: EventStore) {
    this.#store = store
  }

  /**
   * All logs, and which of them were read: those in which hosts began something, those that are longer or shorter than they
   * were, and with `everything` all. The others are the arrays of the last time.
   */
  async read(
    strands: readonly (readonly Report[])[],
    everything: boolean,
  ): Promise<{ readonly logs: Logs; readonly read: readonly string[] }> {
    const touched = new Set(
      strands.flat().flatMap((report) => {
        if (!('begun' in report)) return []
        const { begun } = report
        if (begun.type === 'fork') return [begun.session, begun.child]
        return 'session' in begun ? [begun.session] : []
      }),
    )
    const logs = new Map<string, Rows>()
    const read: string[] = []
    for await (const { id, revision } of this.#store.list()) {
      const known = this.#known.get(id)
      if (known !== undefined && !everything && known.length === revision && !touched.has(id)) {
        logs.set(id, known)
      } else {
        logs.set(id, await this.#store.read(id, 0))
        read.push(id)
      }
    }
    this.#known = logs
    return { logs, read }
  }
}
