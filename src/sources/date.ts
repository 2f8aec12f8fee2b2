/**
 * The current date: a calendar day in a named time zone, never a time of day, which would change at every boundary.
 *
 * The zone has no default. The machine's own would tell users of one agent different dates, depending on where it runs.
 */
import { defineSource, SourceInvalidError, type Context } from '../context/index.ts'
import { codecOf, object, string } from './shape.ts'

export interface DateOptions {
  /** An IANA name, as `'Europe/Berlin'` or `'UTC'`. */
  timeZone: string
  /** The system's clock unless given. */
  clock?: () => Date
}

type CalendarDate = {
  /** `YYYY-MM-DD`. */
  readonly date: string
  /** As it was given. */
  readonly timeZone: string
}

const KEY = 'indelible/date'

/**
 * The source `indelible/date`: date and weekday in `timeZone`. Throws {@link SourceInvalidError} for a zone that the
 * runtime does not know.
 *
 * @example
 * ```ts
 * import { initialize, reconcile } from 'indelible'
 * import { date } from 'indelible/sources'
 *
 * let now = new Date('2026-03-01T22:30:00Z')
 * const today = date({ timeZone: 'Europe/Berlin', clock: () => now })
 *
 * const { baseline, snapshot } = await initialize(today)
 * console.log(baseline) // => The current date is Sunday, 2026-03-01 (Europe/Berlin).
 *
 * now = new Date('2026-03-01T23:30:00Z')
 * const change = await reconcile(today, snapshot)
 * if ('text' in change) console.log(change.text) // => The current date is now Monday, 2026-03-02 (Europe/Berlin).
 * ```
 */
export function date({ timeZone, clock = () => new Date() }: DateOptions): Context {
  const format = createFormat(timeZone)
  return defineSource<CalendarDate>({
    key: KEY,
    codec: codecOf(object({ date: string, timeZone: string })),
    load: () => ({ date: formatDate(format, clock()), timeZone }),
    baseline: (current) => `The current date is ${describe(current)}.`,
    update: (_, current) => `The current date is now ${describe(current)}.`,
    removed: () => 'The current date is no longer tracked; the date given earlier may have passed.',
  })
}

/** Made once: creating a format costs far more than using it. */
function createFormat(timeZone: string): Intl.DateTimeFormat {
  // Given no zone, `Intl` would quietly take the machine's.
  if (typeof timeZone !== 'string') {
    throw new SourceInvalidError(KEY, `date() needs a time zone: give an IANA name, as in 'Europe/Berlin' or 'UTC'`)
  }
  try {
    // A fixed locale, for its calendar and digits; the order of the parts is ours.
    return new Intl.DateTimeFormat('en-US', {
      timeZone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
    })
  } catch {
    throw new SourceInvalidError(
      KEY,
      `date() knows no time zone ${JSON.stringify(timeZone)}: give an IANA name, as in 'Europe/Berlin' or 'UTC'`,
    )
  }
}

function formatDate(format: Intl.DateTimeFormat, instant: Date): string {
  const parts = Object.fromEntries(format.formatToParts(instant).map(({ type, value }) => [type, value]))
  return `${parts['year']?.padStart(4, '0')}-${parts['month']}-${parts['day']}`
}

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

function describe({ date: day, timeZone }: CalendarDate): string {
  // A date alone is read as UTC, whatever zone the machine is in.
  return `${WEEKDAYS[new Date(day).getUTCDay()]}, ${day} (${timeZone})`
}
