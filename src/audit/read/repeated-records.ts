/**
 * Calls that a set of logs holds more than once: a log and its backup, a line that a tool wrote twice. One call is billed
 * once, so only the first record of it is read.
 *
 * Two records are of one call when the answer has the same id, the body is the same, and so is the time. An id alone says
 * too little: mocks give every answer the same one. A call that was made again has an answer of its own, and is kept.
 */
import type { Exchange, ExchangeSource } from '../exchange.ts'
import { fingerprint } from '../record/fingerprint.ts'

/** Providers make ids longer than this, people who write tests shorter ones. */
const SHORTEST_ID = 16
/** Records that are remembered; copies of more calls than that are counted as calls. */
const MOST = 1_000_000

/** The records of one run. */
export class RepeatedRecords {
  readonly #first = new Map<string, ExchangeSource>()

  /** Where the call of this record was read already; undefined for the first record of a call. */
  find({ ids, startedAt, endedAt, request, source }: Exchange): ExchangeSource | undefined {
    const time = startedAt ?? endedAt
    const { response = '' } = ids
    if (time === undefined || response.length < SHORTEST_ID) return undefined
    const key = `${time} ${fingerprint(request)} ${response}`
    const first = this.#first.get(key)
    if (first === undefined && this.#first.size < MOST) this.#first.set(key, source)
    return first
  }
}
