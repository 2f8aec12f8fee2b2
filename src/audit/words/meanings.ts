/** What each verdict means, in one line. */
import type { VerdictKind } from '../verdicts/types.ts'

/** By verdict. */
export const meanings: Readonly<Record<VerdictKind, string>> = {
  first: 'the conversation begins here',
  'warm-start': 'more was read than the log can have written: it begins in the middle',
  appended: 'it goes on from the call before',
  repeat: 'the same prompt again, answered and billed again',
  prewarm: 'at most one token was asked for: it fills the cache',
  rewritten: 'something before the end of the last request was changed',
  scope: 'a parameter, model, account or host changed that scopes the cache',
  compacted: 'the conversation restarts from a summary',
  'server-edited': 'the provider edits or compacts the prompt on its side',
  expired: 'the pause was longer than the lifetime',
  'below-minimum': 'the prefix is shorter than what the model caches',
  unmarked: 'no breakpoint covers what could have been read',
  'out-of-window': 'the entry lies further back than the provider looks from a breakpoint',
  'not-yet-readable': 'the call that writes the entry had not begun to answer',
  'provider-miss': 'all was as it should be, and the provider read less',
  failed: 'it was not answered, or with an error',
  unknown: 'less was read than the rules say, and the log lacks what would tell why',
}
