/**
 * What a session log says has changed, held until the next call is made. Such logs write settings down again and again;
 * only a value that differs from the last known one is a change, and the first one known is none.
 */
import type { ChangeEvent } from '../../exchange.ts'

/** Changes along one line of calls. */
export class ChangeLog {
  readonly #known = new Map<ChangeEvent['type'], string>()
  #pending: ChangeEvent[] = []

  /** A setting as it is now; anything but text that is not empty says nothing. */
  set(type: ChangeEvent['type'], value: unknown): void {
    if (typeof value !== 'string' || value === '') return
    const before = this.#known.get(type)
    if (before !== undefined && before !== value) this.#pending.push({ type, before, after: value })
    this.#known.set(type, value)
  }

  /** The last known value. */
  current(type: ChangeEvent['type']): string | undefined {
    return this.#known.get(type)
  }

  /** A compaction. Logs write one down in several ways, one after the other: without `kind` it is the one before. */
  compacted(kind?: string): void {
    if (kind === undefined && this.#pending.some(({ type }) => type === 'compaction')) return
    this.#pending.push(kind === undefined ? { type: 'compaction' } : { type: 'compaction', after: kind })
  }

  /** What has changed since the call before; undefined for nothing. To be asked once for each call. */
  take(): readonly ChangeEvent[] | undefined {
    if (this.#pending.length === 0) return undefined
    const events = this.#pending
    this.#pending = []
    return events
  }
}
