/** Times in logs that are none: the zero times of programming languages, and dates that no calendar has. */
import type { Exchange } from '../exchange.ts'

// The year 10,000: ISO 8601 and whoever reads it have four digits for a year.
const END_OF_TIME = 253_402_300_800_000

/** The exchange without such times: they would be gaps of centuries, and end every cache. */
export function withoutFalseTimes(exchange: Exchange): Exchange {
  const { startedAt, endedAt, fidelity } = exchange
  if (isSound(startedAt) && isSound(endedAt)) return exchange
  const [start, end] = [startedAt, endedAt].map((time) => (isSound(time) ? time : undefined))
  const time = fidelity.time && (start !== undefined || end !== undefined)
  return { ...exchange, startedAt: start, endedAt: end, fidelity: { ...fidelity, time } }
}

/** Milliseconds since the epoch. */
function isSound(time: number | undefined): boolean {
  return time === undefined || (time > 0 && time < END_OF_TIME)
}
