/** An earlier turn, as one that later turns may go on from. */
import type { LinkedTurn } from './types.ts'
import type { Header } from './header.ts'
import type { Prompt } from './prompt.ts'

/** Turns of which each was the newest when the next one went on from it. */
export interface Conversation {
  tip: Candidate
}

/** How a turn was linked. */
export interface Link {
  readonly parent: Candidate | null
  readonly repeats: boolean
}

/** A linked turn. */
export class Candidate {
  readonly linked: LinkedTurn
  readonly header: Header
  readonly parent: Candidate | null
  /** Blocks of its messages. */
  readonly length: number
  /** A model has written some of them. */
  readonly answered: boolean
  /** The first turn with its prompt. */
  readonly original: Candidate
  /** The last turn with its prompt that did not fail; kept on the first one. */
  latest: Candidate
  /** The nearest turn from here back that did not fail; null where all did. */
  readonly sound: Candidate | null
  readonly conversation: Conversation
  /** As {@link Families} numbers them. */
  readonly family: number
  /** Turns that go on from its prompt, failed ones left out; kept on the first with that prompt. */
  readonly heirs: Candidate[] = []

  constructor({ turn, header, messages, answered }: Prompt, { parent, repeats }: Link, family: number) {
    this.linked = { turn, parent: parent?.linked.turn ?? null, repeats }
    this.header = header
    this.parent = parent
    this.length = messages.length
    this.answered = answered
    this.original = repeats && parent !== null ? parent.original : this
    this.latest = this
    if (repeats && !turn.failed) this.original.latest = this
    this.sound = turn.failed ? (parent?.sound ?? null) : this
    this.conversation = parent?.conversation.tip === parent && parent !== null ? parent.conversation : { tip: this }
    // What failed is not gone on from, unless there is nothing else.
    if (!turn.failed || parent === null) this.conversation.tip = this
    this.family = family
    if (parent !== null && !repeats && !turn.failed) parent.original.heirs.push(this)
  }
}
