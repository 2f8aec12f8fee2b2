/** Warm turns that the provider itself missed. Each line is checked against its recording; see {@link ./evidence.ts}. */
import type { Exclusion } from './evidence.ts'

export const exclusions: readonly Exclusion[] = [
  {
    file: 'openai__prompt_caching__responses_unkeyed_probe.yaml',
    call: 1,
    evidence: 'later-read',
    explanation:
      'The same body again, without a routing key, reads nothing; the next request, which goes on from it, reads 4,480.',
  },
  {
    file: 'mistral__prompt_caching__blocking_probe.yaml',
    call: 1,
    evidence: 'later-read',
    explanation: 'The same body again reads nothing; the next request, which goes on from it, reads 1,760.',
  },
]
