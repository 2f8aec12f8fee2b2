/** `indelible/testing`: helpers for the tests of those who use Indelible, or who write a store for it. */
export {
  captureFetch,
  type CapturedRequest,
  type CaptureOptions,
  type CapturingFetch,
  type FetchFunction,
} from './capture-fetch.ts'
export { expectExtendsPrefix, expectStablePrefix } from './expect-stable-prefix.ts'
export { prefixMatchers, type MatcherResult, type PrefixMatchers } from './matchers.ts'
export type { AllowedChange, PrefixOptions, StablePrefix, StablePrefixOptions } from './judge-requests.ts'
export type { ChangeKind } from './prefix-break.ts'
export type { SentRequest } from './sent-request.ts'
export { storeConformance, type ConformanceCase } from './store-conformance.ts'
