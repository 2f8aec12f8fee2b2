/** Every segment's content once, found by its digest; texts are kept for those in use lately. */
import { contentHash } from '../../base/content-hash.ts'
import { tokensOf } from '../../cache/layout/layout.ts'
import type { Item, ItemSegment } from '../../cache/layout/types.ts'
import type { CountTokens } from '../../cache/index.ts'
import type { Block } from './types.ts'

/** A block, and others of one content: it may be said by several roles. */
interface KeptBlock extends Block {
  next: KeptBlock | null
}

/** The blocks of a log. */
export class Blocks {
  readonly #countTokens: CountTokens
  readonly #byDigest = new Map<string, KeptBlock>()
  /** Of texts that stand for themselves. */
  readonly #tokens = new Map<string, number>()
  #characters = 0
  #size = 0

  constructor(countTokens: CountTokens) {
    this.#countTokens = countTokens
  }

  /** UTF-16 units of all texts that are kept. */
  get characters(): number {
    return this.#characters
  }

  /** The block of a segment of `item`. */
  of(item: Pick<Item, 'section' | 'role'>, segment: ItemSegment, turn: number): Block {
    const { section, role } = item
    const { type, joined, markable, content } = segment
    const hash = contentHash(content)
    const first = this.#byDigest.get(hash)
    for (let known = first ?? null; known !== null; known = known.next) {
      if (known.section !== section || known.role !== role || known.type !== type || known.joined !== joined) continue
      if (known.text === null) {
        known.text = content
        this.#characters += content.length
      }
      known.usedBy = turn
      return known
    }
    const block: KeptBlock = {
      id: this.#size++,
      digest: hash,
      section,
      role,
      type,
      joined,
      markable,
      length: content.length,
      tokens: first?.tokens ?? tokensOf(segment, this.#countTokens),
      text: content,
      usedBy: turn,
      next: first ?? null,
    }
    this.#byDigest.set(hash, block)
    this.#characters += content.length
    return block
  }

  /** The counter's tokens of what stands for a block in a prepared request: its digest, or its text. */
  count(text: string): number {
    const known = this.#byDigest.get(text)?.tokens ?? this.#tokens.get(text)
    if (known !== undefined) return known
    const tokens = this.#countTokens(text)
    // Parts of texts are asked for as well, each once; whole ones again by every play.
    if (text.length > SHORTEST_KEPT && this.#tokens.size < MOST_COUNTS) this.#tokens.set(text, tokens)
    return tokens
  }

  /** Drops the texts that were used longest ago until no more than `most` units are kept. */
  trim(most: number): void {
    if (this.#characters <= most) return
    const kept: KeptBlock[] = []
    for (const first of this.#byDigest.values())
      for (let block: KeptBlock | null = first; block !== null; block = block.next)
        if (block.text !== null) kept.push(block)
    kept.sort((one, other) => one.usedBy - other.usedBy)
    for (const block of kept) {
      if (this.#characters <= most) return
      block.text = null
      this.#characters -= block.length
    }
  }
}

const SHORTEST_KEPT = 64
const MOST_COUNTS = 100_000
