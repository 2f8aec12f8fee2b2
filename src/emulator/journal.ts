/** What arrived: kept until so many bytes of bodies have come, then the oldest are dropped and counted. */
import type { Prediction } from '../cache/simulator/types.ts'
import type { Json } from '../base/json.ts'

/** One request as it arrived and what became of it. Authorization is not in it. */
export interface RecordedRequest {
  /** From 1, in the order of arrival. */
  readonly number: number
  /** As `anthropic`, `openai-chat`. */
  readonly endpoint: string
  readonly method: string
  /** Path and query, without a key in it. */
  readonly path: string
  /** Tells accounts apart: a hash of the key under a secret of this emulator; `anonymous` where there was none. */
  readonly account: string
  /** Empty for calls that name none. */
  readonly model: string
  readonly stream: boolean
  /** ISO 8601. */
  readonly startedAt: string
  readonly headers: { readonly [name: string]: string }
  readonly body: { readonly [key: string]: unknown }
  /** What was answered; null while it is being answered, 499 when the client hung up first. */
  readonly status: number | null
  /** What the cache did; null where no model was asked. */
  readonly prediction: Prediction | null
  /** Of a refusal: its body. */
  readonly error: Json
}

/** A request without its body, which is kept as the text that came. */
export type Arrival = Omit<RecordedRequest, 'body'>

/** What is known only once a request was answered. */
export type Outcome = Partial<Pick<RecordedRequest, 'status' | 'prediction' | 'error'>>

/** The kept requests. */
export interface Journal {
  /** Keeps a request; the result adds what became of it, and returns all of it. */
  add(request: Arrival, body: string): (outcome: Outcome) => Arrival
  /** Newest last. A body is parsed when it is looked at. */
  list(): readonly RecordedRequest[]
  /** The same as the elements of a JSON array. */
  toJson(): string
  /** How many are no longer kept. */
  dropped(): number
  clear(): void
}

interface Entry {
  arrival: Arrival
  readonly body: string
}

/** Bytes that a record takes besides its body, roughly. */
const overhead = 1_000

/**
 * An empty journal that keeps `maxBytes` of requests; the newest one always. Bodies are kept as text: parsed, they would
 * take several times as much, and a collector would have to walk them.
 */
export function createJournal(maxBytes: number): Journal {
  let entries: Entry[] = []
  let kept = 0
  let dropped = 0
  return {
    add(arrival, body) {
      const entry: Entry = { arrival, body }
      entries.push(entry)
      kept += body.length + overhead
      let first = 0
      while (kept > maxBytes && first < entries.length - 1) kept -= (entries[first++]?.body.length ?? 0) + overhead
      if (first > 0) entries = entries.slice(first)
      dropped += first
      return (outcome) => (entry.arrival = { ...entry.arrival, ...outcome })
    },
    list: () =>
      entries.map(({ arrival, body }) => ({
        ...arrival,
        get body() {
          return body === '' ? {} : (JSON.parse(body) as RecordedRequest['body'])
        },
      })),
    toJson: () =>
      entries
        .map(({ arrival, body }) => {
          const text = body === '' ? '{}' : body
          return `${JSON.stringify(arrival).slice(0, -1)},"body":${text}}`
        })
        .join(','),
    dropped: () => dropped,
    clear() {
      entries = []
      kept = 0
      dropped = 0
    },
  }
}
