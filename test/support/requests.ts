/** Small requests for tests of the cache engine, one builder per format, and a counter whose figures are easy to follow. */

/** One token per word. */
export const countWords = (text: string): number => text.split(/\s+/).filter(Boolean).length

/** So many words, different for each name. */
export function words(name: string, count: number): string {
  return Array.from({ length: count }, (_, index) => `${name}${index}`).join(' ')
}

export const mark = { cache_control: { type: 'ephemeral' } } as const
export const hourMark = { cache_control: { type: 'ephemeral', ttl: '1h' } } as const

/** A message of one text block. */
export function user(text: string, marked: object = {}): { role: 'user'; content: object[] } {
  return { role: 'user', content: [{ type: 'text', text, ...marked }] }
}

export function assistant(text: string): { role: 'assistant'; content: object[] } {
  return { role: 'assistant', content: [{ type: 'text', text }] }
}

/** An Anthropic body over a marked system prompt of 2,000 words, for a model with a minimum of 512 tokens. */
export function anthropicBody(messages: readonly object[], rest: object = {}): Record<string, unknown> {
  return {
    model: 'claude-opus-5',
    max_tokens: 100,
    system: [{ type: 'text', text: words('system', 2_000), ...mark }],
    messages,
    ...rest,
  }
}

/** An OpenAI Chat body over a developer message of 2,000 words. */
export function chatBody(messages: readonly object[], rest: object = {}): Record<string, unknown> {
  return {
    model: 'gpt-5.6-sol',
    messages: [{ role: 'developer', content: words('developer', 2_000) }, ...messages],
    ...rest,
  }
}
