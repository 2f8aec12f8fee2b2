/**
 * By how much a reported read may differ because its provider counts in steps. Kept apart from the simulator's own data,
 * so that a step which is wrong there does not widen the tolerance that it is judged by.
 */
import type { Rule } from '../../src/cache/rule.ts'

/** Tokens by which a provider's reports step; the first row that fits counts. */
interface StepRule extends Rule {
  readonly provider: string
  /** On the id without a vendor in front; every model where there is none. */
  readonly models?: RegExp
  readonly tokens: number
}

const since = '2026-11-30'
const openaiFrom56 = /^(?:gpt-(?:5\.[6-9]|[6-9]|\d\d))/
const openaiBefore = /^(?:gpt-|chatgpt|codex|o\d)/

const steps: readonly StepRule[] = [
  {
    provider: 'openai',
    models: openaiFrom56,
    tokens: 1,
    since,
    source: 'OpenAI, prompt caching guide',
    confidence: 'official',
  },
  { provider: 'openai', tokens: 128, since, source: 'OpenAI, prompt caching guide', confidence: 'official' },
  { provider: 'deepseek', tokens: 64, since, source: 'DeepSeek, announcement of 2024', confidence: 'reported' },
  { provider: 'xai', tokens: 64, since, source: 'seen in recordings', confidence: 'assumed' },
  { provider: 'mistral', tokens: 64, since, source: 'docs.mistral.ai', confidence: 'official' },
  { provider: 'groq', tokens: 128, since, source: 'seen in recordings', confidence: 'assumed' },
  // What OpenRouter passes through steps as its vendor does.
  { provider: 'openrouter', models: openaiFrom56, tokens: 1, since, source: 'as OpenAI', confidence: 'assumed' },
  { provider: 'openrouter', models: openaiBefore, tokens: 128, since, source: 'as OpenAI', confidence: 'assumed' },
]

/** Tokens; 1 where a provider reports exactly, or where its step is not known. */
export function stepOf(provider: string, model: string): number {
  const name = model.replace(/^.*\//, '')
  return steps.find((rule) => rule.provider === provider && (rule.models?.test(name) ?? true))?.tokens ?? 1
}

export { toleranceOf } from '../../src/audit/verdicts/tolerance.ts'
