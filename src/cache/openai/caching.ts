/** How OpenAI caches, by the model's generation. */
import type { LifetimeRange } from '../simulator/time.ts'
import type { Rule } from '../rule.ts'
import { isOpenAIModelIn, type OpenAIModelRange } from './models.ts'

const guide = 'https://developers.openai.com/api/docs/guides/prompt-caching'
const official = { since: '2026-11-30', source: guide, confidence: 'official' } as const

const minutes = 60_000

/** GPT-5.6 and later: entries that end exactly at boundaries. */
export interface BoundaryRule extends Rule {
  readonly models: readonly OpenAIModelRange[]
  readonly minimum: number
  /** Writes of one request: in implicit mode one of them is the implicit one. */
  readonly writes: number
  /** Explicit breakpoints that are looked for: so many from the start, so many from the end. */
  readonly first: number
  readonly latest: number
  /** Message endings that are looked for besides the implicit breakpoint, in implicit mode. */
  readonly endings: number
  /** Tokens of a request behind its last boundary that are never cached, as recorded. */
  readonly tail: number
  readonly lifetime: LifetimeRange
  /** A longer one, where `prompt_cache_options.ttl` may name it. */
  readonly longer?: { readonly ttl: string; readonly lifetime: LifetimeRange }
}

/** The SDK's comment says 80 explicit breakpoints, the guide 50; the lower is followed. */
export const openAIBoundaries: BoundaryRule = {
  ...official,
  models: [{ family: 'gpt', from: '5.6' }],
  minimum: 1_024,
  writes: 4,
  first: 2,
  latest: 50,
  endings: 20,
  tail: 8,
  // "At least 30 minutes after the last write or reuse": nothing is promised beyond.
  lifetime: { least: 30 * minutes, most: Infinity },
}

/** On Azure entries may be asked to live for 12 hours; what is written then counts as a write of 30 minutes. */
export const azureBoundaries: BoundaryRule = {
  ...openAIBoundaries,
  longer: { ttl: '12h', lifetime: { least: 12 * 60 * minutes, most: Infinity } },
  source: 'https://learn.microsoft.com/azure/ai-services/openai/how-to/prompt-caching',
  confidence: 'reported',
}

/** Earlier models: whole intervals of any common start. Later rows win. */
export interface IntervalRule extends Rule {
  /** Every model unless said. */
  readonly models?: readonly OpenAIModelRange[]
  readonly minimum: number
  /** Tokens between two places that can be read up to. */
  readonly interval: number
}

/** Every row. */
export const openAIIntervals: readonly IntervalRule[] = [
  // Interval and minimum depend on the model and the request, and are not published: what is reported is a multiple of 128.
  { ...official, confidence: 'assumed', minimum: 1_024, interval: 128 },
  // The interval is published, the minimum is not.
  {
    ...official,
    confidence: 'assumed',
    models: [{ family: 'gpt', from: '5.5', through: '5.5' }],
    minimum: 1_024,
    interval: 2_048,
  },
]

/** The row for an earlier model. */
export function intervalFor(model: string | undefined): IntervalRule {
  const rule = openAIIntervals.findLast(({ models }) => models === undefined || isOpenAIModelIn(model, models))
  return rule as IntervalRule
}
