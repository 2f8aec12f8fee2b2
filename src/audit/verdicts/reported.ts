/**
 * What a provider reported, as verdicts and the simulator need it. Absent stays absent, with one exception: where the
 * report says that all of the input was uncached, nothing was read.
 */
import type { Usage } from '../../base/usage.ts'
import { KnownUsage } from '../../cache/simulator/observe.ts'
import type { Turn } from '../record/types.ts'

/** Tokens that were read; undefined where nobody knows, also where the total is of a text that the provider made itself. */
export function readOf({ usage, answer }: Turn): number | undefined {
  if (usage === undefined || answer.serverEdited) return undefined
  if (usage.read !== undefined) return usage.read
  return usage.total !== undefined && usage.uncached === usage.total ? 0 : undefined
}

/** Tokens that were written, of every lifetime; undefined where none is reported. */
export function writeOf({ write5m, write30m, write1h }: Usage): number | undefined {
  const reported = [write5m, write30m, write1h].filter((tokens) => tokens !== undefined)
  return reported.length === 0 ? undefined : reported.reduce((sum, tokens) => sum + tokens, 0)
}

/** Tokens from the start that are in the cache after a call, by its report; undefined where it does not say. */
export function cachedOf(turn: Turn): number | undefined {
  const read = readOf(turn)
  const written = turn.usage === undefined ? undefined : writeOf(turn.usage)
  return read === undefined || written === undefined ? undefined : read + written
}

/** The report as the simulator learns from it; undefined where it teaches nothing. */
export function reportFor({ usage, answer }: Turn): KnownUsage | undefined {
  return usage?.total === undefined || answer.serverEdited ? undefined : new KnownUsage(usage)
}
