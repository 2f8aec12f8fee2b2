/**
 * What tokens are shown to be worth: dollars at list prices or, for who runs a server of their own, the seconds that it
 * takes to process what was not read from its cache.
 */
import { formatDollars, formatLoss } from './amounts.ts'

/** How to show what tokens cost. */
export interface Unit {
  readonly name: 'dollars' | 'seconds'
  /** An amount of it. */
  readonly amount: (amount: number) => string
  /**
   * What `tokens` that were not read are worth: `cost` in USD where that is shown and known. Negative where more was spent.
   */
  readonly of: (cost: number | null, tokens: number) => string
  /** A number that is larger for what is worth more. */
  readonly rank: (cost: number | null, tokens: number) => number
}

/** USD at list prices; tokens, where there is no price. */
export const dollars: Unit = {
  name: 'dollars',
  amount: formatDollars,
  of: formatLoss,
  // Of what has no price, tokens come after all that has one.
  rank: (cost, tokens) => (cost ?? 0) + tokens / 1e12,
}

/** Seconds of a server that processes so many tokens of a prompt in a second. */
export function secondsOfPrefill(tokensPerSecond: number): Unit {
  return {
    name: 'seconds',
    amount: formatSeconds,
    of: (_, tokens) => formatSeconds(tokens / tokensPerSecond),
    rank: (_, tokens) => tokens,
  }
}

/** By the rate that a user gave; dollars without one. */
export function unitFor(tokensPerSecond: number | undefined): Unit {
  return tokensPerSecond === undefined ? dollars : secondsOfPrefill(tokensPerSecond)
}

/** What a fix saves, or what it costs more. */
export function savingIn(
  unit: Unit,
  { cost, tokens }: { readonly cost: number | null; readonly tokens: number },
): string {
  const amount = unit.name === 'seconds' ? tokens : (cost ?? tokens)
  if (amount >= 0) return `saves ${unit.of(cost, tokens)}`
  return `costs ${unit.of(cost === null ? null : -cost, -tokens)} more`
}

/** Input that was not read from the cache; null where nobody knows. */
export function notRead({
  total,
  read,
}: {
  readonly total: number | null
  readonly read: number | null
}): number | null {
  return total === null ? null : total - (read ?? 0)
}

/** `0.42 s`, `8.3 s`, `95 s`, `12 min`, `3.4 h`. */
function formatSeconds(seconds: number): string {
  const size = Math.abs(seconds)
  const sign = seconds < 0 ? '-' : ''
  if (size >= 48 * 3600) return `${sign}${Math.round(size / 3600)} h`
  if (size >= 7200) return `${sign}${(size / 3600).toFixed(1)} h`
  if (size >= 600) return `${sign}${Math.round(size / 60)} min`
  if (size >= 9.95) return `${sign}${Math.round(size)} s`
  return `${size < 0.005 ? '' : sign}${size.toFixed(size >= 0.995 ? 1 : 2)} s`
}
