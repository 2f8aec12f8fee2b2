/**
 * What an image or a file costs where the body does not say: one figure per format and type, a guess that the first
 * reported usage of the conversation corrects. Their bytes are content, their length is no measure of tokens.
 */
import type { Rule } from '../rule.ts'
import type { RequestFormat } from './types.ts'

/** One row. */
export interface MediaRule extends Rule {
  readonly formats: readonly RequestFormat[]
  readonly types: readonly string[]
  readonly tokens: number
}

/** Every row. */
export const mediaRules: readonly MediaRule[] = [
  {
    formats: ['anthropic', 'bedrock-converse'],
    types: ['image'],
    tokens: 1_500,
    since: '2026-11-30',
    source: 'https://platform.claude.com/docs/en/build-with-claude/vision',
    confidence: 'assumed',
  },
  {
    formats: ['anthropic', 'bedrock-converse'],
    types: ['document'],
    tokens: 3_000,
    since: '2026-11-30',
    source: 'https://platform.claude.com/docs/en/build-with-claude/pdf-support',
    confidence: 'assumed',
  },
  {
    formats: ['openai-chat', 'openai-responses'],
    types: ['image_url', 'input_image', 'input_file', 'file', 'input_audio'],
    tokens: 1_000,
    since: '2026-11-30',
    source: 'https://developers.openai.com/api/docs/guides/images-vision',
    confidence: 'assumed',
  },
  {
    formats: ['gemini'],
    types: ['inlineData', 'fileData'],
    tokens: 258,
    since: '2026-11-30',
    source: 'https://ai.google.dev/gemini-api/docs/tokens',
    confidence: 'assumed',
  },
]

/** The guess for a block of this type; undefined where its text is the measure. */
export function mediaTokens(format: RequestFormat, type: string): number | undefined {
  return mediaRules.find(({ formats, types }) => formats.includes(format) && types.includes(type))?.tokens
}
