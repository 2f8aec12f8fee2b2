/** The checks as functions, for any test runner: each throws an `AssertionError` that says what broke the prefix. */
import { AssertionError } from 'node:assert/strict'
import {
  judgePair,
  judgeRequests,
  type PrefixFailure,
  type PrefixOptions,
  type StablePrefix,
  type StablePrefixOptions,
} from './judge-requests.ts'
import type { SentRequest } from './sent-request.ts'

/**
 * Checks that each request begins with all of the one that it goes on from, in the order in which its provider reads them,
 * with the same parameters where these scope the cache. What stands behind the last answer may be put in another way as long as
 * no answer to it was sent back: a request that was interrupted. Calls that failed, that only count tokens and that ask no model are
 * passed over. Throws an `AssertionError` for a break and where there is nothing to compare, and an `IndelibleError`
 * (`request_unreadable`) for a body that is no request.
 *
 * @example
 * ```ts
 * import { expectStablePrefix } from 'indelible/testing'
 *
 * const first = { model: 'gpt-6.1-sol', messages: [{ role: 'user', content: 'Hi.' }] }
 * const answer = { role: 'assistant', content: 'Hello.' }
 * const second = { ...first, messages: [...first.messages, answer, { role: 'user', content: 'Go on.' }] }
 * console.log(expectStablePrefix([first, second]).compared) // => 1
 * ```
 */
export function expectStablePrefix(requests: readonly SentRequest[], options: StablePrefixOptions = {}): StablePrefix {
  const judged = judgeRequests(requests, options)
  if ('message' in judged) throw assertionError(judged, expectStablePrefix)
  return judged
}

/**
 * Checks that `request` begins with all of `previous`, answered or not; otherwise as {@link expectStablePrefix} does for a
 * list, and throws as it does.
 */
export function expectExtendsPrefix(request: SentRequest, previous: SentRequest, options: PrefixOptions = {}): void {
  const failure = judgePair(request, previous, options)
  if (failure !== null) throw assertionError(failure, expectExtendsPrefix)
}

/** The stack begins where the check was called. */
function assertionError(
  failure: PrefixFailure,
  check: typeof expectStablePrefix | typeof expectExtendsPrefix,
): AssertionError {
  return new AssertionError({ ...failure, operator: check.name, stackStartFn: check })
}
