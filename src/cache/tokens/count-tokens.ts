/**
 * How many tokens a text has. Only the provider knows; these are estimates, good enough for minimums and for money until
 * reported usage corrects them.
 */

/** Counts one text. Called once per distinct segment. */
export type CountTokens = (text: string) => number

// o200k takes some 4 characters of English or code per token, and about one token per character of most other scripts.
const charactersPerToken = 4

/** A guess by length, for when the tokenizer is not worth loading. */
export const guessTokens: CountTokens = (text) => {
  let wide = 0
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) > 0x2000) wide++
  return Math.ceil((text.length - wide) / charactersPerToken + wide)
}

/**
 * Loads the o200k vocabulary (2.4 MB, the first time only) and gives its counter. Special tokens in a text are counted
 * as the plain text that they are to a model.
 */
export async function loadTokenCounter(): Promise<CountTokens> {
  const { countTokens } = await import('gpt-tokenizer/encoding/o200k_base')
  return (text) => countTokens(text, { allowedSpecial: new Set(), disallowedSpecial: new Set() })
}
