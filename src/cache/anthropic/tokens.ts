/** How Claude's tokenizers compare with the counter's vocabulary (o200k), before any usage was seen. */
import type { Rule } from '../rule.ts'
import { isOneOf, type ModelRange } from './models.ts'

/** One row: later rows win over earlier ones. */
export interface TokenRatioRule extends Rule {
  /** Claude tokens for one of o200k. */
  readonly ratio: number
  readonly models: readonly ModelRange[]
}

const counting = {
  since: '2026-11-30',
  source: 'https://platform.claude.com/docs/en/build-with-claude/token-counting',
  confidence: 'assumed',
} as const

/** For ids that do not parse. */
const unknownRatio: TokenRatioRule = { ...counting, ratio: 1.07, models: [] }

/** Every row. */
export const anthropicTokenRatios: readonly TokenRatioRule[] = [
  { ...counting, ratio: 1.07, models: [{ family: '*' }] },
  {
    ...counting,
    ratio: 1.35,
    models: [
      { family: '*', from: '5.0' },
      { family: 'opus', from: '4.7' },
    ],
  },
]

/** Tokens of a request behind its last block, as recorded for requests whose last block is marked. */
export const requestTail: Rule & { readonly tokens: number } = { ...counting, tokens: 3 }

/**
 * The instructions on using tools that a request with tools gets, behind the caller's system prompt: in recordings an
 * entry that ends with the system prompt is shorter by about these than one that ends with a short first message. The
 * documentation gives figures from 313 to 346 by model and tool choice.
 */
export const toolPreamble: Rule & { readonly tokens: number } = {
  tokens: 316,
  since: '2026-11-30',
  source: 'https://platform.claude.com/docs/en/agents-and-tools/tool-use/overview',
  confidence: 'assumed',
}

/** The ratio for a model. */
export function tokenRatio(model: string | undefined): number {
  return anthropicTokenRatios.findLast(({ models }) => isOneOf(model, models))?.ratio ?? unknownRatio.ratio
}
