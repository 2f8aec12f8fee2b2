/**
 * Whose rules count the cache of a model that is asked for through an API which many vendors copy (OpenAI's Chat
 * Completions and Responses). Only ids that name their vendor without doubt are in the table. Odd cases: `gpt-oss-*` is
 * OpenAI's by name and runs anywhere, and is Groq's only under the id that Groq gives it; OpenRouter is told by a
 * vendor's name in front of a model that is nowhere to be downloaded.
 */

interface Vendor {
  /** As the simulator names it. */
  readonly provider: string
  readonly ids: RegExp
}

/** The first that matches. Ids as the vendors' own model pages listed them in November 2026. */
const vendors: readonly Vendor[] = [
  { provider: 'groq', ids: /^(?:openai\/gpt-oss-|moonshotai\/kimi-k2-instruct)/ },
  {
    provider: 'openrouter',
    ids: /^(?:anthropic\/claude-|openai\/(?:gpt-\d|chatgpt-|o\d)|google\/gemini-|x-ai\/grok-)/,
  },
  { provider: 'openai', ids: /^(?:ft:)?(?:gpt-\d|chatgpt-|o\d(?:-|$)|codex-|computer-use-)/ },
  { provider: 'deepseek', ids: /^deepseek-/ },
  { provider: 'xai', ids: /^grok-/ },
  { provider: 'mistral', ids: /^(?:open-)?(?:mistral|ministral|magistral|codestral|devstral|pixtral|mixtral)-/ },
]

/** The simulator's name for the provider of a model; `generic` where the id does not say. */
export function providerOf(model: string): string {
  return vendors.find(({ ids }) => ids.test(model))?.provider ?? 'generic'
}
