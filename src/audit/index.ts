/** `indelible/audit`: what a cache made of requests, and why. */
export { explain } from './explain/explain.ts'
export type { Divergence } from './explain/first-difference.ts'
export type { Explanation, ExplainOptions, ScopeDifference } from './explain/explain.ts'
