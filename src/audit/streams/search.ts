/**
 * Finds the turn that another one goes on from.
 *
 * What a client says decides. Then the messages do: a turn is walked from its end, and the first known block leads to the
 * turn that brought it in, which nearly always is the parent. Only where that fails are others looked at: the turns of the
 * session, a conversation that was compacted, an opening that was put differently. A bounded number of turns is compared.
 *
 * Ids narrow: calls of different agents are never linked, calls of different sessions only where one resumes the other.
 */
import type { Block, Turn } from '../record/types.ts'
import type { Candidate } from './candidate.ts'
import type { Candidates } from './candidates.ts'
import { tellsOfCompaction } from './compaction.ts'
import { isOfAgent, sameSession } from './client-hints.ts'
import { continuationOf } from './continuation.ts'
import { isForeign, isUnlike, type HeaderComparison } from './header-likeness.ts'
import { isBetter, type Match } from './match.ts'
import { messagesOf } from './messages.ts'
import type { Prompt } from './prompt.ts'

/** Turns that are compared with one turn. */
const MOST = 16
/** Of a turn's tokens, when no other one is looked for. */
const MOSTLY = 0.6
/** Turns that go on from one. */
const MOST_HEIRS = 8
/** Turns before one that went another way. */
const MOST_ANCESTORS = 3

/** The parent of a turn; null where it begins a conversation. */
export function findParent(prompt: Prompt, candidates: Candidates, comparison: HeaderComparison): Candidate | null {
  return new Search(prompt, candidates, comparison).run()
}

class Search {
  readonly #prompt: Prompt
  readonly #candidates: Candidates
  readonly #comparison: HeaderComparison
  readonly #seen = new Set<Candidate>()
  #compared = 0
  #best: Match | null = null

  constructor(prompt: Prompt, candidates: Candidates, comparison: HeaderComparison) {
    this.#prompt = prompt
    this.#candidates = candidates
    this.#comparison = comparison
  }

  run(): Candidate | null {
    const found = this.#named() ?? this.#byMessages() ?? this.#compacted() ?? this.#reworded()
    return found === null ? null : (found.sound ?? found)
  }

  /** The turn that the client names, if it can be that one at all. */
  #named(): Candidate | null {
    const { turn, header } = this.#prompt
    const named = this.#candidates.named(turn)
    if (named === undefined || !isOfAgent(named.linked.turn, turn)) return null
    const { positions } = this.#prompt
    const shares = messagesOf(named.linked.turn).some((block) => positions.has(block))
    return shares || !isUnlike(this.#comparison.of(named.header, header)) ? named : null
  }

  #byMessages(): Candidate | null {
    const { turn } = this.#prompt
    // What many conversations have ("continue", "done") would use up what is looked at, and leads to any of them.
    if (!this.#walk((block) => this.#candidates.isOwn(block))) this.#walk((block) => !this.#candidates.isOwn(block))
    this.#descend()
    const { session } = turn.exchange.ids
    if (session !== undefined && !this.#isOwnWhole(turn)) {
      // Other sessions may have used up what is looked at.
      this.#compared = 0
      for (const tip of this.#candidates.ofSession(session)) this.#consider(tip)
    }
    return this.#best?.candidate ?? null
  }

  /** The best so far begins this turn, and its session is no other. */
  #isOwnWhole(turn: Turn): boolean {
    return this.#best?.continuation.kind === 'whole' && sameSession(this.#best.candidate.linked.turn, turn) !== false
  }

  /** Looks at turns that brought in one of the blocks, from the last block on; true once nothing better can be found. */
  #walk(isLookedAt: (block: Block) => boolean): boolean {
    const { messages } = this.#prompt
    for (let index = messages.length - 1; index >= 0 && this.#compared < MOST; index--) {
      const block = messages[index]
      if (block === undefined || !isLookedAt(block)) continue
      const known = this.#candidates.with(block)
      for (let newest = known.length - 1; newest >= 0; newest--) {
        const candidate = known[newest]
        if (candidate === undefined) continue
        this.#consider(candidate)
        this.#consider(candidate.original.latest)
        this.#consider(candidate.conversation.tip)
      }
      if (this.#isSettled(index)) return true
    }
    return false
  }

  /** From a turn whose messages are all there to one that goes on from it and of which that is true as well. */
  #descend(): void {
    for (let from: Match | null = null; from !== this.#best;) {
      from = this.#best
      if (from?.continuation.kind !== 'whole') return
      for (const heir of from.candidate.original.heirs.slice(-MOST_HEIRS)) this.#consider(heir)
    }
  }

  /** Nothing that stands further in front can lead to a better match: a turn would have been met at its last block. */
  #isSettled(index: number): boolean {
    if (this.#best === null) return false
    const { continuation, candidate } = this.#best
    if (continuation.kind === 'whole') return candidate.length > index
    // What adds nothing to a turn may as well be another conversation that ends in the same words.
    return continuation.adds && continuation.reach === candidate.length && continuation.share >= MOSTLY
  }

  #consider(candidate: Candidate, ancestors = MOST_ANCESTORS): void {
    if (this.#seen.has(candidate) || this.#compared >= MOST) return
    this.#seen.add(candidate)
    const { turn, header } = this.#prompt
    if (!isOfAgent(candidate.linked.turn, turn) || candidate.linked.turn.format !== turn.format) return
    if (sameSession(candidate.linked.turn, turn) === false && !this.#isResumable(candidate)) return
    this.#compared++
    const earlier = messagesOf(candidate.linked.turn)
    const continuation = continuationOf(earlier, this.#prompt, this.#candidates.isOwn)
    if (continuation === null) return
    if (continuation.kind !== 'parted' || this.#isCompacted(candidate)) {
      return this.#offer({ candidate, continuation, likeness: this.#comparison.of(candidate.header, header) })
    }
    let before = candidate.parent
    while (before !== null && before.length > continuation.reach) before = before.parent
    if (before !== null && ancestors > 0) this.#consider(before, ancestors - 1)
  }

  #offer(match: Match): void {
    if (isForeign(match.likeness) || !this.#isAllowed(match)) return
    if (this.#best === null || isBetter(match, this.#best, this.#prompt.turn)) this.#best = match
  }

  #isAllowed({ candidate, continuation, likeness }: Match): boolean {
    const { turn, messages, answered } = this.#prompt
    const whole = continuation.kind === 'whole'
    const session = sameSession(candidate.linked.turn, turn)
    if (session === false) return whole
    // Another agent may have been told the same. Only what it was answered shows that this is the same conversation.
    if (isUnlike(likeness)) return continuation.extended
    const again = whole && candidate.length === messages.length && !answered && !likeness.same
    return !(again && session === undefined && candidate.original.heirs.length > 0)
  }

  /** Another session that goes on from this one has loaded all of it; before there was an answer, it only asks the same. */
  #isResumable({ answered, length, linked }: Candidate): boolean {
    const { messages, answered: isAnswered, turn } = this.#prompt
    if (answered) return length <= messages.length
    // An id that is new for each call names no session: neither of the two was ever seen twice.
    if (!isAnswered || length >= messages.length) return false
    return [linked.turn, turn].every(({ exchange: { ids } }) => this.#candidates.callsOf(ids.session) <= 1)
  }

  /** The session's newest turn, which this one takes up from a summary. */
  #compacted(): Candidate | null {
    const { turn } = this.#prompt
    const { session } = turn.exchange.ids
    if (session === undefined || !tellsOfCompaction(this.#prompt)) return null
    const fitting = this.#candidates.ofSession(session).filter((tip) => this.#isShrunk(tip))
    return fitting.find((tip) => this.#comparison.of(tip.header, this.#prompt.header).same) ?? fitting[0] ?? null
  }

  #isCompacted(candidate: Candidate): boolean {
    const { turn } = this.#prompt
    const newest = candidate === candidate.conversation.tip && sameSession(candidate.linked.turn, turn) === true
    return newest && this.#isShrunk(candidate) && tellsOfCompaction(this.#prompt)
  }

  #isShrunk(candidate: Candidate): boolean {
    const { turn, header, messages } = this.#prompt
    if (candidate.length <= messages.length || !isOfAgent(candidate.linked.turn, turn)) return false
    return !isUnlike(this.#comparison.of(candidate.header, header))
  }

  /** A recent turn of which not one message came back as it was. */
  #reworded(): Candidate | null {
    if (!this.#prompt.answered) return null
    for (const tip of this.#candidates.recent()) this.#consider(tip)
    return this.#best?.candidate ?? null
  }
}
