/**
 * What a change outside the prompt loses on OpenAI's APIs, by the names of Chat Completions and of Responses. Each of
 * these breaks the prefix at its start. The other rows of the provider's list (tools, input) are content; `tool_choice`
 * is safe, and so is in no row.
 */
import type { Section } from '../layout/types.ts'
import type { Rule } from '../rule.ts'
import { isOpenAIModelIn, type OpenAIModelRange } from './models.ts'

/** One row: a change of one of `parameters` loses the entries that end in `sections`. Later rows win. */
export interface OpenAIInvalidationRule extends Rule {
  readonly parameters: readonly string[]
  readonly sections: readonly Section[]
  /** Every model, known or not, unless said. */
  readonly models?: readonly OpenAIModelRange[]
}

const everything: readonly Section[] = ['tools', 'system', 'messages']
const official = {
  sections: everything,
  since: '2026-11-30',
  source: 'https://developers.openai.com/api/docs/guides/prompt-caching',
  confidence: 'official',
} as const

/** Every row. */
export const openAIInvalidation: readonly OpenAIInvalidationRule[] = [
  { ...official, parameters: ['model', 'parallel_tool_calls', 'service_tier'] },
  { ...official, parameters: ['response_format', 'reasoning_effort', 'verbosity'] },
  { ...official, parameters: ['text.format', 'reasoning.effort', 'text.verbosity', 'context_management'] },
  // Before 5.6 the key only routes: a request with another key may still find the entry.
  { ...official, parameters: ['prompt_cache_key'], models: [{ family: 'gpt', from: '5.6' }] },
]

/** The row that holds for a parameter and a model; undefined for a parameter that scopes nothing. */
export function openAIInvalidationOf(parameter: string, model: string | undefined): OpenAIInvalidationRule | undefined {
  return openAIInvalidation.findLast(
    (rule) => rule.parameters.includes(parameter) && (rule.models === undefined || isOpenAIModelIn(model, rule.models)),
  )
}
