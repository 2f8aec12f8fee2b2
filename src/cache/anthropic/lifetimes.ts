/** How long entries of Claude live, and how far a breakpoint looks back. */
import type { Rule } from '../rule.ts'
import type { CacheTtl } from './breakpoints.ts'
import type { ModelRange } from './models.ts'

/** The rules of reading an entry. */
export interface LookbackRule extends Rule {
  /** Positions that are looked at, the breakpoint's own included. */
  readonly window: number
  /** Block types of which neighbours are one position. */
  readonly runs: readonly string[]
}

/** Milliseconds since the start of the request that wrote or last read the entry. */
export const anthropicLifetimes: Rule & { readonly milliseconds: Readonly<Record<CacheTtl, number>> } = {
  milliseconds: { '5m': 5 * 60_000, '1h': 60 * 60_000 },
  since: '2026-11-30',
  source: 'https://platform.claude.com/docs/en/build-with-claude/prompt-caching',
  confidence: 'official',
}

/** On the Claude API. */
export const anthropicLookback: LookbackRule = {
  window: 20,
  runs: ['tool_use', 'tool_result'],
  since: '2026-11-30',
  source: 'https://platform.claude.com/docs/en/build-with-claude/prompt-caching',
  confidence: 'official',
}

/** On Bedrock: "approximately 20 content blocks", each counted by itself. */
export const bedrockLookback: LookbackRule = {
  window: 20,
  runs: [],
  since: '2026-11-30',
  source: 'https://docs.aws.amazon.com/bedrock/latest/userguide/prompt-caching.html',
  confidence: 'assumed',
}

/** On Bedrock: 5 minutes and 1 hour from Claude 4.5 on, 5 minutes alone for 3.x. */
export const bedrockShortOnly: Rule & { readonly models: readonly ModelRange[] } = {
  models: [{ family: '*', from: '3.0', through: '3.9' }],
  since: '2026-11-30',
  source: 'https://docs.aws.amazon.com/bedrock/latest/userguide/prompt-caching.html',
  confidence: 'official',
}

/**
 * A streamed response has begun long before it ends: one client holds requests that could share its entry back for so
 * long, in milliseconds.
 */
export const streamBegins: Rule & { readonly within: number } = {
  within: 5_000,
  since: '2026-11-30',
  source: 'https://platform.claude.com/docs/en/build-with-claude/prompt-caching',
  confidence: 'reported',
}
