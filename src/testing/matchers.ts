/**
 * The checks as matchers of Vitest and Jest: `expect.extend(prefixMatchers)`.
 *
 * Their types need neither of the two. Jest has a global interface for matchers, which Vitest reads too; what is declared
 * here merges with that of whichever is installed.
 */
import { RequestUnreadableError } from '../cache/layout/errors.ts'
import { judgePair, judgeRequests, type PrefixOptions, type StablePrefixOptions } from './judge-requests.ts'
import type { SentRequest } from './sent-request.ts'

/** What a matcher hands to its runner. */
export interface MatcherResult {
  readonly pass: boolean
  /** Why it failed, or, where it passed and `not` was asked for, why that did. */
  readonly message: () => string
  readonly actual?: unknown
  readonly expected?: unknown
}

/** The matchers as a runner has them on `expect(...)`. */
export interface PrefixMatchers<Result = void> {
  /** The request begins with all of `previous`. */
  toExtendPrefixOf(previous: SentRequest, options?: PrefixOptions): Result
  /** Each request of the list begins with all of the one that it goes on from. */
  toHaveStablePrefix(options?: StablePrefixOptions): Result
}

declare global {
  namespace jest {
    // Merges only with the very parameters that Jest gave it.
    interface Matchers<R, T = {}> extends PrefixMatchers<R> {}
  }
}

/** For `expect.extend(prefixMatchers)`. A check that has nothing to compare fails, with `not` too. */
export const prefixMatchers: {
  toExtendPrefixOf(received: unknown, previous: SentRequest, options?: PrefixOptions): MatcherResult
  toHaveStablePrefix(received: unknown, options?: StablePrefixOptions): MatcherResult
} = {
  toExtendPrefixOf(received, previous, options = {}) {
    if (!isRequest(received)) throw new RequestUnreadableError('The received value', 'a request', received)
    if (!isRequest(previous)) throw new RequestUnreadableError('The earlier request', 'a request', previous)
    const failure = judgePair(received, previous, options)
    if (failure !== null) return { pass: false, ...failure, message: () => failure.message }
    return { pass: true, message: () => 'The request begins with all of the earlier one, and was expected not to.' }
  },

  toHaveStablePrefix(received, options = {}) {
    if (!Array.isArray(received)) throw new RequestUnreadableError('The received value', 'a list of requests', received)
    const judged = judgeRequests(received, options)
    if ('message' in judged) return { pass: false, ...judged, message: () => judged.message }
    const { compared } = judged
    const how = `of ${received.length} requests, ${compared} ${compared === 1 ? 'goes' : 'go'} on from an earlier one`
    return { pass: true, message: () => `The prefix is stable, and was expected not to be: ${how}, and begin with it.` }
  },
}

function isRequest(value: unknown): value is SentRequest {
  return typeof value === 'string' || (typeof value === 'object' && value !== null)
}
