/** How long a prefix must be before a platform of Claude caches it, in tokens. */
import type { Rule } from '../rule.ts'
import { isOneOf, type ModelRange } from './models.ts'

/** One row: later rows win over earlier ones. */
export interface MinimumRule extends Rule {
  readonly tokens: number
  readonly models: readonly ModelRange[]
}

const caching = 'https://platform.claude.com/docs/en/build-with-claude/prompt-caching'
const bedrock = 'https://docs.aws.amazon.com/bedrock/latest/userguide/prompt-caching.html'
const official = { since: '2026-11-30', source: caching, confidence: 'official' } as const
const reported = { ...official, confidence: 'reported' } as const
const onBedrock = { ...official, source: bedrock } as const

/** For a model that no row names. */
export const unknownMinimum: MinimumRule = { ...official, confidence: 'assumed', tokens: 4_096, models: [] }

/** On every platform but Bedrock. */
export const anthropicMinimums: readonly MinimumRule[] = [
  {
    ...official,
    tokens: 512,
    models: [
      { family: 'opus', versions: ['5.0'] },
      { family: 'fable', versions: ['5.0', '5.1'] },
      { family: 'mythos', versions: ['5.0', '5.1'] },
    ],
  },
  {
    ...reported,
    tokens: 512,
    models: [
      { family: 'opus', versions: ['5.5'] },
      { family: 'sonnet', versions: ['5.5'] },
      { family: 'haiku', versions: ['5.5'] },
    ],
  },
  { ...reported, confidence: 'assumed', tokens: 512, models: [{ family: 'fable', versions: ['5.2'] }] },
  {
    ...official,
    tokens: 1_024,
    models: [
      { family: 'opus', versions: ['4.8', '4.1', '4.0'] },
      { family: 'sonnet', versions: ['5.0', '4.6', '4.5', '4.0'] },
    ],
  },
  {
    ...reported,
    tokens: 1_024,
    models: [
      { family: 'sonnet', versions: ['3.7', '3.5'] },
      { family: 'opus', versions: ['3.0'] },
    ],
  },
  {
    ...official,
    tokens: 2_048,
    models: [
      { family: 'mythos', versions: ['0.0'] },
      { family: 'opus', versions: ['4.7'] },
      { family: 'haiku', versions: ['3.5'] },
    ],
  },
  { ...reported, tokens: 2_048, models: [{ family: 'haiku', versions: ['3.0'] }] },
  {
    ...official,
    tokens: 4_096,
    models: [
      { family: 'opus', versions: ['4.6', '4.5'] },
      { family: 'haiku', versions: ['4.5'] },
    ],
  },
]

/** On Amazon Bedrock. */
export const bedrockMinimums: readonly MinimumRule[] = [
  {
    ...onBedrock,
    tokens: 512,
    models: [
      { family: 'fable', versions: ['5.0', '5.1'] },
      { family: 'mythos', versions: ['5.0', '5.1'] },
      { family: 'opus', versions: ['5.0'] },
    ],
  },
  { ...onBedrock, confidence: 'reported', tokens: 512, models: [{ family: 'opus', versions: ['5.5'] }] },
  {
    ...onBedrock,
    tokens: 1_024,
    models: [
      { family: 'opus', versions: ['4.8'] },
      { family: 'sonnet', versions: ['5.0', '4.6', '4.5', '3.7', '3.5'] },
    ],
  },
  {
    ...onBedrock,
    tokens: 4_096,
    models: [
      { family: 'opus', versions: ['4.7', '4.6', '4.5'] },
      { family: 'mythos', versions: ['0.0'] },
      { family: 'haiku', versions: ['4.5'] },
    ],
  },
]

/** For Nova on Bedrock, which caches texts by itself and some of them by a mark. */
export const novaMinimum: Rule & { readonly tokens: number; readonly id: RegExp } = {
  ...onBedrock,
  confidence: 'reported',
  tokens: 1_024,
  id: /(?:^|\.)amazon\.nova-/,
}

/** The row that holds for a model. */
export function minimumFor(model: string | undefined, rules: readonly MinimumRule[]): MinimumRule {
  return rules.findLast(({ models }) => isOneOf(model, models)) ?? unknownMinimum
}
