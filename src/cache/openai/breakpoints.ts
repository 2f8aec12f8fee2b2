/** What a breakpoint (`prompt_cache_breakpoint`) of OpenAI's APIs may be, and on what it may stand. */
import type { Rule } from '../rule.ts'

/** The rules of `prompt_cache_breakpoint`. */
export interface OpenAIBreakpointRule extends Rule {
  /** The one lifetime there is: of every breakpoint that names none, which none can. */
  readonly lifetime: '30m'
  /** Types of content parts that may be marked besides text: those of Chat Completions, then those of Responses. */
  readonly markable: readonly string[]
}

/** The rules in force. */
export const openAIBreakpoints: OpenAIBreakpointRule = {
  lifetime: '30m',
  markable: ['image_url', 'input_audio', 'file', 'input_image', 'input_file'],
  since: '2026-11-30',
  source: 'https://developers.openai.com/api/docs/guides/prompt-caching',
  confidence: 'official',
}
