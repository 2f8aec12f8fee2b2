/**
 * Puts the calls of a log into conversations, one at a time and in the order of the log.
 *
 * A call goes on from the earlier one whose messages it continues longest; model, tools and instructions may have changed
 * in between, and ids only narrow the choice. The parent is known at once, while both texts are at hand; which path through
 * the tree of turns is a stream is known at the end. Counting tokens and making explicit caches are no turns of any.
 */
import type { Block, Turn } from '../record/types.ts'
import { Candidate } from './candidate.ts'
import { Candidates } from './candidates.ts'
import { Families, familyId } from './families.ts'
import { HeaderComparison, isKindred, isUnlike } from './header-likeness.ts'
import { Headers, sameHeader } from './header.ts'
import { messagesOf, sameBlocks } from './messages.ts'
import { partition, type Path } from './partition.ts'
import { promptOf, type Prompt } from './prompt.ts'
import { findParent } from './search.ts'
import { joinSideCalls } from './side-calls.ts'
import { StreamIds } from './stream-id.ts'
import type { LinkedTurn, Stream } from './types.ts'
import { UnbodiedTurns } from './unbodied.ts'

/** Links the turns of one log. */
export class Linker {
  readonly #headers = new Headers()
  readonly #comparison = new HeaderComparison()
  readonly #candidates = new Candidates()
  readonly #families = new Families(this.#comparison)
  readonly #unbodied = new UnbodiedTurns()
  readonly #turns: Candidate[] = []

  /** The turn with the one that it goes on from, among those added before. */
  add(turn: Turn): LinkedTurn {
    if (turn.exchange.kind !== 'generate') return { turn, parent: null, repeats: false }
    const messages = messagesOf(turn)
    if (messages.length === 0) return this.#unbodied.add(turn)
    const prompt = promptOf(turn, this.#headers.of(turn), messages)
    const parent = findParent(prompt, this.#candidates, this.#comparison)
    const candidate = new Candidate(
      prompt,
      { parent, repeats: parent !== null && isRepeat(prompt, parent) },
      this.#familyOf(prompt, parent),
    )
    this.#candidates.add(candidate, findableBlocks(messages, candidate))
    this.#turns.push(candidate)
    return candidate.linked
  }

  /** All streams, in the order of their first turns. */
  finish(): readonly Stream[] {
    const isFitting = (child: Candidate, parent: Candidate): boolean =>
      !isUnlike(this.#comparison.of(parent.header, child.header))
    const streams = [...this.#bodied(joinSideCalls(partition(this.#turns, isFitting))), ...this.#withoutBodies()]
    return streams.sort((one, other) => firstNumber(one) - firstNumber(other))
  }

  #familyOf(prompt: Prompt, parent: Candidate | null): number {
    if (parent !== null) {
      const likeness = this.#comparison.of(parent.header, prompt.header)
      if (likeness.same || isKindred(likeness)) return parent.family
    }
    return this.#families.of(prompt)
  }

  #bodied(paths: readonly Path[]): Stream[] {
    const names = new StreamIds()
    const ids = new Map<Path, string>()
    const members = new Map<number, string[]>()
    for (const path of paths) {
      const [first] = path.turns
      if (first === undefined) continue
      const id = names.of(first.linked.turn)
      ids.set(path, id)
      const family = this.#families.resolve(first.family)
      const known = members.get(family)
      if (known === undefined) members.set(family, [id])
      else known.push(id)
    }
    const families = new Map([...members].map(([family, streams]) => [family, familyId(streams)]))
    return paths.flatMap((path): Stream | readonly Stream[] => {
      const { turns, fork } = path
      const id = ids.get(path)
      const [first] = turns
      if (id === undefined || first === undefined) return []
      const from = fork === null ? undefined : ids.get(fork.path)
      return {
        id,
        parent: fork === null || from === undefined ? null : { stream: from, turn: fork.from.linked.turn.number },
        family: families.get(this.#families.resolve(first.family)) ?? id,
        turns: turns.map(({ linked }) => linked).sort((one, other) => one.turn.number - other.turn.number),
      }
    })
  }

  #withoutBodies(): Stream[] {
    const names = new StreamIds()
    return [...this.#unbodied.finish()].flatMap((turns): Stream | readonly Stream[] => {
      const [first] = turns
      if (first === undefined) return []
      const id = names.of(first.turn)
      return { id, parent: null, family: familyId([id]), turns }
    })
  }
}

/** A failed call has not been answered: whoever asks again does not repeat it. */
function isRepeat({ turn, messages, header }: Prompt, parent: Candidate): boolean {
  if (parent.linked.turn.failed || parent.length !== messages.length) return false
  return (
    turn.format === parent.linked.turn.format &&
    sameHeader(header, parent.header) &&
    sameBlocks(messages, messagesOf(parent.linked.turn))
  )
}

/** What a later turn is to find it by: what is new in it, and its end. A repeat is found by the turn that it repeats. */
function* findableBlocks(messages: readonly Block[], { parent, linked }: Candidate): Iterable<Block> {
  if (linked.repeats) return
  const known = parent === null ? [] : messagesOf(parent.linked.turn)
  let index = 0
  while (index < known.length && known[index] === messages[index]) index++
  const before = index === known.length ? none : new Set(known)
  for (; index < messages.length; index++) {
    const block = messages[index]
    if (block !== undefined && (index === messages.length - 1 || !before.has(block))) yield block
  }
}

const none: ReadonlySet<Block> = new Set()

function firstNumber({ turns }: Stream): number {
  return turns[0]?.turn.number ?? 0
}
