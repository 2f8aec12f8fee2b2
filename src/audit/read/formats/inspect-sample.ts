/**
 * A sample of an Inspect AI log: what its events share. Texts of some length stand once in `attachments` and are named
 * `attachment://id` where they belong; newer versions keep messages once as well, in a pool that calls name by ranges.
 *
 * A text or a message that is named and not there is counted as missing: its name would be taken for the prompt.
 */
import { MAX_DEPTH } from '../../../base/json.ts'
import { field, list } from '../../../cache/layout/peek.ts'
import { fields, type Fields } from '../../../cache/usage/fields.ts'

/** What a sample was resolved to, and whether all of it was there. */
interface Resolved {
  readonly value: unknown
  /** Names without their text. */
  readonly missing: number
  /** Inspect took something out before it wrote the log. */
  readonly redacted: boolean
}

const reference = 'attachment://'
const removed = '<base64-data-removed>'

/** The texts and messages of one sample. */
export class Sample {
  readonly #attachments: unknown
  readonly #calls: readonly unknown[]
  readonly #messages: readonly unknown[]
  /** Messages of the pool are resolved once and shared by the calls that name them. */
  readonly #known = new Map<unknown, Resolved>()

  constructor(sample: Fields) {
    const pools = sample['events_data']
    this.#attachments = sample['attachments']
    this.#calls = list(field(pools, 'calls') ?? sample['call_pool'])
    this.#messages = list(field(pools, 'messages') ?? sample['message_pool'])
  }

  /** The body of a call; undefined where the log has none. */
  request(call: unknown): Resolved | undefined {
    const body = fields(field(call, 'request'))
    if (body === undefined) return undefined
    const refs = field(call, 'call_refs')
    const rest = this.resolve(body)
    if (!Array.isArray(refs)) return rest
    const key = field(call, 'call_key')
    const pooled = this.#pooled(refs, this.#calls)
    const value = { ...fields(rest.value), [typeof key === 'string' ? key : 'messages']: pooled.value }
    return { value, missing: rest.missing + pooled.missing, redacted: rest.redacted || pooled.redacted }
  }

  /** The messages that the model was given, in the shape of Inspect. */
  input(event: unknown): Resolved {
    const refs = field(event, 'input_refs')
    return Array.isArray(refs) ? this.#pooled(refs, this.#messages) : this.resolve(list(field(event, 'input')))
  }

  /** A value with its attachments in place. */
  resolve(value: unknown): Resolved {
    const found = { missing: 0, redacted: false }
    const walk = (each: unknown, depth: number): unknown => {
      if (typeof each === 'string') {
        found.redacted ||= each.includes(removed)
        if (!each.startsWith(reference)) return each
        const text = field(this.#attachments, each.slice(reference.length))
        if (typeof text === 'string') return text
        found.missing++
        return each
      }
      if (typeof each !== 'object' || each === null || depth > MAX_DEPTH) return each
      if (Array.isArray(each)) return each.map((inner) => walk(inner, depth + 1))
      return Object.fromEntries(Object.entries(each).map(([name, inner]) => [name, walk(inner, depth + 1)]))
    }
    return { value: walk(value, 0), ...found }
  }

  /** Ranges are pairs of a start and the end behind it. */
  #pooled(refs: readonly unknown[], pool: readonly unknown[]): Resolved {
    const parts = refs.flatMap((range): readonly Resolved[] => {
      const [start, end] = list(range)
      const isRange = typeof start === 'number' && typeof end === 'number' && start >= 0 && end <= pool.length
      return isRange ? pool.slice(start, end).map((message) => this.#once(message)) : [nothing]
    })
    const missing = parts.reduce((sum, part) => sum + part.missing, 0)
    return { value: parts.map(({ value }) => value), missing, redacted: parts.some(({ redacted }) => redacted) }
  }

  #once(message: unknown): Resolved {
    const known = this.#known.get(message) ?? this.resolve(message)
    this.#known.set(message, known)
    return known
  }
}

/** A range outside of the pool. */
const nothing: Resolved = { value: undefined, missing: 1, redacted: false }
