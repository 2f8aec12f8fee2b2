/** Times as callers give them, and what can be said about the time between two requests. */

/** When a request started, in milliseconds since the epoch: at one moment, or somewhere between two. */
export interface Instant {
  readonly earliest: number
  readonly latest: number
  /** Every request so far had this time: it says nothing about which response had begun. */
  readonly constant?: true
}

/** Reads a time. Missing, zero, negative and unreadable ones are none. Text is ISO 8601. */
export function readTime(value: Date | number | string | undefined): number | undefined {
  if (value === undefined) return undefined
  const time = typeof value === 'number' ? value : new Date(value).getTime()
  return Number.isFinite(time) && time > 0 ? time : undefined
}

/** The least and the most time that can lie between two instants; undefined where either is unknown. */
export function elapsed(from: Instant | null, to: Instant | null): { least: number; most: number } | undefined {
  if (from === null || to === null) return undefined
  // A log may be a little out of order; nothing lies a negative time back.
  return { least: Math.max(0, to.earliest - from.latest), most: Math.max(0, to.latest - from.earliest) }
}

/** The earlier bound of when a request started, and the later. */
export function instant(start: number | undefined, end: number | undefined, uncertainty: number): Instant | null {
  if (start !== undefined) return { earliest: start - uncertainty, latest: start }
  if (end === undefined) return null
  return { earliest: end - Math.max(uncertainty, LONGEST_ANSWER), latest: end }
}

// Where only the end was logged: few answers take longer.
const LONGEST_ANSWER = 10 * 60_000

/** Certainly alive below `least`, certainly gone from `most` on; `most` Infinity where the provider gives no end. */
export interface LifetimeRange {
  readonly least: number
  readonly most: number
}
