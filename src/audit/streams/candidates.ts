/**
 * Earlier turns, found by what a later one may continue: a block of its messages, an id, a session, or being recent.
 *
 * A block leads to the turns that brought it in or end with it, so each turn adds only what is new in it, and a later turn
 * that is walked from its end meets the turn it continues first. Every list has a bound: what is looked at for one turn does not grow
 * with the log.
 */
import type { Block, Turn } from '../record/types.ts'
import type { Candidate, Conversation } from './candidate.ts'

/** Turns that are kept for one block, and conversations that are kept for one session. */
const KEPT = 16

/** The earlier turns of a log. */
export class Candidates {
  readonly #byBlock = new Map<Block, Candidate[]>()
  readonly #byRequest = new Map<string, Candidate>()
  readonly #byResponse = new Map<string, Candidate>()
  readonly #bySession = new Map<string, Conversation[]>()
  readonly #recent: Conversation[] = []
  readonly #calls = new Map<string, number>()

  /** Adds a turn, to be found by these of its blocks. */
  add(candidate: Candidate, blocks: Iterable<Block>): void {
    for (const block of blocks) {
      const known = this.#byBlock.get(block)
      if (known === undefined) this.#byBlock.set(block, [candidate])
      else if (known.at(-1) !== candidate && known.push(candidate) > KEPT) known.shift()
    }
    const { exchange, answer } = candidate.linked.turn
    const { ids } = exchange
    if (ids.request !== undefined) this.#byRequest.set(ids.request, candidate)
    for (const id of [ids.response, answer.id]) {
      if (id !== undefined) this.#byResponse.set(id, candidate)
    }
    if (ids.session !== undefined) {
      this.#calls.set(ids.session, this.callsOf(ids.session) + 1)
      let conversations = this.#bySession.get(ids.session)
      if (conversations === undefined) {
        conversations = []
        this.#bySession.set(ids.session, conversations)
      }
      toFront(conversations, candidate.conversation)
    }
    toFront(this.#recent, candidate.conversation)
  }

  /** The turn that the client says it went on from, where the log has it. */
  named({ exchange: { ids } }: Turn): Candidate | undefined {
    const byResponse = ids.previousResponse === undefined ? undefined : this.#byResponse.get(ids.previousResponse)
    if (byResponse !== undefined || ids.previousRequest === undefined) return byResponse
    return this.#byRequest.get(ids.previousRequest)
  }

  /** Turns that brought in a block or end with it, the oldest first. */
  with(block: Block): readonly Candidate[] {
    return this.#byBlock.get(block) ?? none
  }

  /** The newest turns of a session's conversations, the newest first. */
  ofSession(session: string): readonly Candidate[] {
    return tipsOf(this.#bySession.get(session) ?? [])
  }

  /** How many turns had this session so far. */
  callsOf(session: string | undefined): number {
    return session === undefined ? 0 : (this.#calls.get(session) ?? 0)
  }

  /** The newest turns of the latest conversations, the newest first. */
  recent(): readonly Candidate[] {
    return tipsOf(this.#recent)
  }

  /** Only one conversation is known to have it. */
  readonly isOwn = (block: Block): boolean => {
    const known = this.with(block)
    return known.every(({ conversation }) => conversation === known[0]?.conversation)
  }
}

const none: readonly Candidate[] = []

function toFront(list: Conversation[], conversation: Conversation): void {
  const at = list.indexOf(conversation)
  if (at === 0) return
  if (at > 0) list.splice(at, 1)
  if (list.unshift(conversation) > KEPT) list.pop()
}

function tipsOf(conversations: readonly Conversation[]): Candidate[] {
  return conversations.map(({ tip }) => tip)
}
