/** What `--since` takes: a day, a moment, or how long ago. */
import { CommandError } from '../../errors.ts'

/** Days, unless said. */
const USUAL_DAYS = 30

const units: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 }

/** Milliseconds since the epoch. A day begins at midnight UTC. Throws {@link CommandError} for anything else. */
export function parseSince(text: string | undefined, now: number): number {
  if (text === undefined) return now - USUAL_DAYS * 86_400_000
  const [, count, unit = ''] = /^(\d{1,6}(?:\.\d{1,6})?)([mhdw])$/.exec(text) ?? []
  const time = count === undefined ? timeOf(text) : now - Number(count) * (units[unit] ?? Number.NaN)
  if (time === undefined || !(time < now)) {
    throw new CommandError(
      `--since ${text}: Give a day (2026-11-01), a moment (2026-11-01T08:00Z), or how long ago (7d, 12h, 4w), in the past. Days are UTC.`,
    )
  }
  return Math.max(0, time)
}

/** Undefined for what is no day of the calendar. */
function timeOf(text: string): number | undefined {
  const [, day, clock, zone] =
    /^(\d{4}-\d\d-\d\d)(T\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?)?(Z|[+-]\d\d:\d\d)?$/.exec(text) ?? []
  if (day === undefined || (clock === undefined && zone !== undefined)) return undefined
  const midnight = Date.parse(`${day}T00:00Z`)
  // The calendar of JavaScript goes on where a month ends.
  if (Number.isNaN(midnight) || new Date(midnight).toISOString().slice(0, 10) !== day) return undefined
  const time = Date.parse(`${day}${clock ?? 'T00:00'}${zone ?? 'Z'}`)
  return Number.isNaN(time) ? undefined : time
}
