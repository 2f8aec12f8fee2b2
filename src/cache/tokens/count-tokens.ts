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
  const count = (text: string): number => countTokens(text, { allowedSpecial: new Set(), disallowedSpecial: new Set() })
  return (text) => (text.length < LONG_RUN ? count(text) : countInParts(text, count))
}

/** Units of letters, of signs or of blanks without anything else between them: no text has that, only made-up data. */
const LONG_RUN = 1000
/** Units that are counted at a time in such a run. */
const PART = 100

/** A tokenizer takes the square of its length for one run; cut up, it is one token more or less for each part. */
function countInParts(text: string, count: CountTokens): number {
  let tokens = 0
  let counted = 0
  for (let from = 0; from < text.length;) {
    const end = endOfRun(text, from)
    if (end - from >= LONG_RUN) {
      if (from > counted) tokens += count(text.slice(counted, from))
      for (let at = from; at < end; at += PART) tokens += count(text.slice(at, Math.min(at + PART, end)))
      counted = end
    }
    from = end
  }
  return counted < text.length ? tokens + count(text.slice(counted)) : tokens
}

/** Where the units end that are of one kind with that at `from`. Without a pattern: those have a stack, and it ends. */
function endOfRun(text: string, from: number): number {
  const kind = kindOf(text.charCodeAt(from))
  let end = from + 1
  while (end < text.length && kindOf(text.charCodeAt(end)) === kind) end++
  return end
}

/** Blanks, digits, signs, and letters, as which all counts beyond ASCII and the full stops of wide scripts. */
function kindOf(code: number): number {
  if (code <= 0x20) return 0
  if (code >= 0x30 && code <= 0x39) return 1
  if ((code >= 0x3000 && code <= 0x303f) || (code >= 0xff00 && code <= 0xff20)) return 2
  return code > 0x7f || (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a) ? 3 : 2
}
