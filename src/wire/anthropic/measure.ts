/**
 * How long the parts of a request are, for its breakpoints: tokens by the length of texts, and look-back positions. Long
 * conversations are measured at their end only, so that lowering does not cost more with every turn.
 */
import type { ContentBlockParam, MessageParam } from '@anthropic-ai/sdk/resources/messages'
import type { Extent } from '../plan/index.ts'

/** Where a block stands. */
export interface Position {
  readonly message: number
  readonly block: number
}

const charactersPerToken = 4
/** What a picture or a file may cost, whatever its bytes. */
const mediaCharacters = 6_000
/** Messages of a long stretch that are measured; the others are taken to be like them. */
const measured = 32

/** Tokens of a text or of any JSON value. */
export function tokensOf(value: unknown): number {
  return charactersIn(value) / charactersPerToken
}

/**
 * What stands behind `from` (or from the start) up to and with `to`. `runs`: types of which neighbours are one position. No
 * more positions are counted than `window`, which no breakpoint looks beyond.
 */
export function extentOf(
  messages: readonly MessageParam[],
  from: Position | undefined,
  to: Position,
  { runs, window }: { readonly runs: readonly string[]; readonly window: number },
): Extent {
  const first = from?.message ?? 0
  let positions = 0
  let characters = 0
  let behind: string | undefined
  let seen = 0
  for (let index = to.message; index >= first; index--) {
    if (seen >= measured && positions >= window) break
    seen++
    const content = messages[index]!.content
    if (typeof content === 'string') {
      if (index === from?.message) break
      characters += content.length
      positions++
      behind = 'text'
      continue
    }
    const last = index === to.message ? to.block : content.length - 1
    const start = index === from?.message ? from.block + 1 : 0
    for (let block = last; block >= start; block--) {
      const { type } = content[block]!
      characters += charactersIn(content[block])
      if (type !== behind || !runs.includes(type)) positions++
      behind = type
    }
  }
  // What was not looked at is taken to be like what was.
  const stretch = to.message - first + 1
  return { tokens: (characters / charactersPerToken) * (stretch / Math.max(1, seen)), positions }
}

function charactersIn(value: unknown): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return 4
  const { type } = value as Partial<ContentBlockParam>
  if (type === 'image' || type === 'document') return mediaCharacters
  let characters = 0
  for (const key in value) characters += key.length + charactersIn((value as Record<string, unknown>)[key])
  return characters
}
