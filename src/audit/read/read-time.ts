/**
 * Times as tracing tools write them: ISO 8601 with or without a zone (theirs is UTC then), seconds, milliseconds,
 * microseconds or nanoseconds since the epoch as numbers or digits, and pairs of seconds and nanoseconds.
 */

// 2001 to 5138 in seconds; each of the others begins where the one before has gone far beyond.
const units: readonly (readonly [from: number, perMillisecond: number])[] = [
  [1e17, 1e6],
  [1e14, 1e3],
  [1e11, 1],
  [1e9, 1e-3],
]

/** Milliseconds since the epoch; undefined for what is no time. */
export function readTime(value: unknown): number | undefined {
  if (Array.isArray(value)) return readPair(value)
  if (typeof value === 'number') return readNumber(value)
  if (typeof value !== 'string') return undefined
  if (/^\d{10,19}(?:\.\d+)?$/.test(value)) return readNumber(Number(value))
  const local = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2})?)(\.\d+)?(?: ?UTC)?$/.exec(value)
  const time = Date.parse(local === null ? value : `${local[1]}T${local[2]}${(local[3] ?? '').slice(0, 4)}Z`)
  return Number.isNaN(time) ? undefined : time
}

function readNumber(value: number): number | undefined {
  const unit = units.find(([from]) => value >= from)
  if (unit === undefined || !Number.isFinite(value)) return undefined
  // Nanoseconds have more digits than a number holds: what is left of them is noise.
  return Math.round((value / unit[1]) * 1000) / 1000
}

/** A high-resolution time of Node: `[seconds, nanoseconds]`. */
function readPair([seconds, nanoseconds]: readonly unknown[]): number | undefined {
  if (typeof seconds !== 'number' || typeof nanoseconds !== 'number') return undefined
  return seconds * 1000 + nanoseconds / 1e6
}
