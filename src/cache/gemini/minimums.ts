/** How long a prefix must be before Gemini caches it implicitly, in tokens. */
import type { Rule } from '../rule.ts'

/** One row: it holds for the models named. */
export interface GeminiMinimumRule extends Rule {
  readonly tokens: number
  /** Without `models/` and without a version pinned behind it. */
  readonly models: readonly string[]
}

const caching = 'https://ai.google.dev/gemini-api/docs/caching'
const official = { since: '2026-11-30', source: caching, confidence: 'official' } as const

const onVertex: GeminiMinimumRule = {
  since: '2026-11-30',
  source: 'https://cloud.google.com/vertex-ai/generative-ai/docs/context-cache/context-cache-overview',
  confidence: 'reported',
  tokens: 6_144,
  models: ['gemini-3-flash-preview', 'gemini-3.1-pro-preview', 'gemini-3.7-flash', 'gemini-3.8-flash'],
}

/** On the Developer API. */
export const geminiMinimums: readonly GeminiMinimumRule[] = [
  {
    ...official,
    tokens: 4_096,
    models: [
      'gemini-4-argon',
      'gemini-3.8-flash',
      'gemini-3.7-flash',
      'gemini-3.6-flash',
      'gemini-3.5-flash',
      'gemini-3.1-pro-preview',
    ],
  },
  { ...official, tokens: 2_048, models: ['gemini-2.5-flash', 'gemini-2.5-pro'] },
]

/** On Vertex: the Developer API's where no row of its own holds. */
export const vertexGeminiMinimums: readonly GeminiMinimumRule[] = [...geminiMinimums, onVertex]

/** For a model that no row names. */
export const unknownGeminiMinimum: GeminiMinimumRule = { ...official, confidence: 'assumed', tokens: 4_096, models: [] }

/** The row that holds for a model. */
export function geminiMinimumFor(model: string | undefined, rules: readonly GeminiMinimumRule[]): GeminiMinimumRule {
  const name = model?.replace(/^.*\//, '').replace(/-\d{3}$|-\d{2}-\d{4}$/, '')
  return rules.findLast(({ models }) => name !== undefined && models.includes(name)) ?? unknownGeminiMinimum
}
