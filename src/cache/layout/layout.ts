/** A whole body as its segments. */
import { guessTokens, type CountTokens } from '../tokens/count-tokens.ts'
import { readItems } from './read-items.ts'
import type { Item, ItemSegment, Layout, ReadOptions, Segment } from './types.ts'

/** How a body is to be laid out. */
export interface LayoutOptions extends ReadOptions {
  /** Guesses by length unless given; `loadTokenCounter()` gives a better one. */
  readonly countTokens?: CountTokens | undefined
}

/**
 * The segments of a request body (parsed JSON) in the order in which its provider caches them, and what scopes its
 * entries. Throws {@link RequestUnreadableError} on what is no request.
 */
export function layout(request: unknown, { countTokens = guessTokens, ...options }: LayoutOptions = {}): Layout {
  const { reader, format, model, items, scope, automatic } = readItems(request, options)
  const cut = items.flatMap((item) => markLast(item, reader.split(item)).map((segment) => ({ item, segment })))
  const auto = automatic === null ? -1 : cut.findLastIndex(({ segment }) => segment.markable)
  const segments = cut.map(({ item, segment }, index): Segment => {
    const marked = segment.mark ?? (index === auto ? automatic : null)
    return {
      path: itemPath(item) + segment.path,
      section: item.section,
      role: item.role,
      type: segment.type,
      content: segment.content,
      tokens: tokensOf(segment, countTokens),
      breakpoint: marked,
    }
  })
  return { format, model, segments, scope, tokens: segments.reduce((sum, { tokens }) => sum + tokens, 0) }
}

/** Where an item stands in its body. */
export function itemPath({ list, index }: Item): string {
  return index < 0 ? list : `${list}[${index}]`
}

/** An estimate for one segment. */
export function tokensOf({ content, text = content, tokens = 0 }: ItemSegment, countTokens: CountTokens): number {
  return tokens + (text === '' ? 0 : countTokens(text))
}

/** Puts the mark that stands behind an item on its last segment. */
function markLast({ mark }: Item, segments: readonly ItemSegment[]): readonly ItemSegment[] {
  const last = segments.at(-1)
  if (mark === null || last === undefined) return segments
  return [...segments.slice(0, -1), { ...last, mark }]
}
