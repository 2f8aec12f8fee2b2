/** Limits as a command line writes them. */
import { InvalidArgumentError } from 'commander'

/** A whole number from 0. */
export function parseTokenLimit(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('Give a whole number of tokens, 0 or more.')
  return Number(text)
}

/** A share from 0 to 1, also in percent: `0.95`, `95%`. */
export function parseHitRate(text: string): number {
  const [, digits, percent] = /^(\d+(?:\.\d+)?|\.\d+) ?(%)?$/.exec(text) ?? []
  // Not divided by 100, which would make 99.9 % a little more than it is.
  const rate = digits === undefined ? NaN : Number(percent === undefined ? digits : `${digits}e-2`)
  if (!(rate <= 1)) throw new InvalidArgumentError('Give a share from 0 to 1, or from 0% to 100%.')
  return rate
}

/** A whole number from 1. */
export function parseTurnCount(text: string): number {
  if (!/^\d{1,9}$/.test(text) || Number(text) < 1)
    throw new InvalidArgumentError('Give a whole number of turns, 1 or more.')
  return Number(text)
}
