/** A stretch of text that changes, however often and in however many versions of a block. */
import { ownText, ownTextBefore } from './own-text.ts'

/** Text on both sides. */
export interface Around {
  readonly before: string
  readonly after: string
}

const unknownAnchor: Around = { before: '', after: '' }

/** A stretch of text that changes. */
export class Span {
  /** From 0, in the order of finding. */
  readonly number: number
  /** Stable text on both sides, up to the next span; as of when the block's spans were last added to. */
  anchor: Around = unknownAnchor
  /** As the anchor, with values, and farther: what it says about the span. */
  context: Around = unknownAnchor
  #same: Span | null = null

  constructor(number: number) {
    this.number = number
  }

  /** The span that stands for this and all that were found to be the same. */
  get root(): Span {
    if (this.#same === null) return this
    // So that the way is short the next time.
    this.#same = this.#same.root
    return this.#same
  }

  /** Nothing was written down about it yet. */
  get isNew(): boolean {
    return this.anchor === unknownAnchor
  }

  /** Makes both one; the older stands for them. */
  join(other: Span): void {
    const [one, two] = [this.root, other.root]
    if (one === two) return
    if (one.number < two.number) two.#same = one
    else one.#same = two
  }
}

/** A span where it stands in a text, in UTF-16 units. */
export interface Placed {
  readonly span: Span
  readonly start: number
  readonly end: number
}

/** UTF-16 units of an anchor on either side, and of the context in front. */
const ANCHOR = 40
const CONTEXT = 160

/** Writes down what stands around each of the spans of a text, which come in order. */
export function noteSurroundings(placed: readonly Placed[], text: string): void {
  for (const [index, { span, start, end }] of placed.entries()) {
    const low = placed[index - 1]?.end ?? 0
    const high = placed[index + 1]?.start ?? text.length
    const { root } = span
    root.anchor = {
      before: ownTextBefore(text, start, Math.min(ANCHOR, start - low)),
      after: ownText(text, end, high, ANCHOR),
    }
    root.context = { before: ownTextBefore(text, start, CONTEXT), after: ownText(text, end, text.length, ANCHOR) }
  }
}
