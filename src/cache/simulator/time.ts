/** Times as callers give them, and what can be said about the time between two requests. */

/** When a request started, in milliseconds since the epoch: at one moment, or somewhere between two. */
export interface Instant {
  readonly earliest: number
  readonly latest: number
  /** Every request so far had this time: it says nothing about which response had begun. */
  readonly constant?: true
}

/**
 * Reads a time. Missing, zero, negative and unreadable ones are none. Text is ISO 8601, and UTC where it names no zone:
 * what is predicted does not depend on where.
 */
export function readTime(value: Date | number | string | undefined): number | undefined {
  const time = typeof value === 'string' ? readIso(value) : value instanceof Date ? value.getTime() : value
  return typeof time === 'number' && Number.isFinite(time) && time > 0 ? time : undefined
}

function readIso(text: string): number | undefined {
  if (!/^\d{4}-\d{2}-\d{2}/.test(text)) return undefined
  const isZoned = !/[T ]\d/.test(text) || /(?:[zZ]|[+-]\d{2}:?\d{2})$/.test(text)
  return new Date(isZoned ? text : `${text}Z`).getTime()
}

/** The later of two, so that a log out of order shortens no life. A use without a time makes the last use unknown. */
export function laterOf(one: Instant | null, other: Instant | null): Instant | null {
  if (one === null || other === null) return other
  return other.latest >= one.latest ? other : one
}

/** The least and the most time that can lie between two instants; undefined where either is unknown. */
export function elapsed(from: Instant | null, to: Instant | null): { least: number; most: number } | undefined {
  if (from === null || to === null) return undefined
  // A log may be a little out of order; nothing lies a negative time back.
  return { least: Math.max(0, to.earliest - from.latest), most: Math.max(0, to.latest - from.earliest) }
}

/** The earlier bound of when a request started, and the later. */
export function instant(start: number | undefined, end: number | undefined, uncertainty: number): Instant | null {
  const before = Number.isFinite(uncertainty) ? Math.max(0, uncertainty) : 0
  if (start !== undefined) return { earliest: start - before, latest: start }
  if (end === undefined) return null
  return { earliest: end - Math.max(before, LONGEST_ANSWER), latest: end }
}

// Where only the end was logged: few answers take longer.
const LONGEST_ANSWER = 10 * 60_000

/** Certainly alive below `least`, certainly gone from `most` on; `most` Infinity where the provider gives no end. */
export interface LifetimeRange {
  readonly least: number
  readonly most: number
}
