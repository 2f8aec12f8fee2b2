/**
 * What differs between sessions of one kind: the first turn of a stream held against that of the one before it. Only
 * what stands in front of the conversation is compared, and the blocks that open its first message.
 *
 * Families are not known while a log is read, and texts are not kept until then. So the latest first turn of each kind
 * is remembered with its texts, and whether two streams are of one family is asked in the end.
 */
import { segmentsOf } from '../record/segments.ts'
import type { Block, Segment, Turn } from '../record/types.ts'
import { toolName } from './calls.ts'
import { likeness } from './likeness.ts'
import { recordedText, type TextOf } from './text-of.ts'

/** A first turn, with the texts in front of its conversation. */
interface Kind {
  turn: Turn
  head: readonly Segment[]
  tools: ReadonlySet<string>
  texts: ReadonlyMap<Block, string>
}

/** Kinds of sessions that are remembered. */
const MOST_KINDS = 48
/** The share of tools by name that sessions of one kind have in common. */
const ALIKE_TOOLS = 0.8
const ALIKE_SYSTEM = 0.5

/** First turns of streams, as they come. */
export class FirstTurns {
  /** The latest seen last. */
  readonly #kinds: Kind[] = []

  /** The latest earlier first turn like this one, with its texts; null where there is none. `turn` is remembered. */
  meet(turn: Turn): { readonly turn: Turn; readonly textOf: TextOf } | null {
    const head = segmentsOf(turn).filter(({ block }) => block.section !== 'messages')
    if (head.length === 0) return null
    const tools = new Set(
      head.flatMap(({ block, path }) => (block.section === 'tools' ? [toolName(recordedText(block)) ?? path] : [])),
    )
    const index = this.#kinds.findLastIndex((kind) => isAlike(kind, turn, head, tools))
    const known = this.#kinds[index]
    const texts = new Map(
      segmentsOf(turn)
        .slice(0, head.length + OPENING)
        .flatMap(({ block }) => (block.text === null ? [] : [[block, block.text] as const])),
    )
    if (index >= 0) this.#kinds.splice(index, 1)
    this.#kinds.push({ turn, head, tools, texts })
    if (this.#kinds.length > MOST_KINDS) this.#kinds.shift()
    if (known === undefined) return null
    return { turn: known.turn, textOf: (block) => block.text ?? known.texts.get(block) ?? null }
  }
}

/** Blocks of the conversation that may belong to its opening. */
const OPENING = 6

function isAlike(kind: Kind, turn: Turn, head: readonly Segment[], tools: ReadonlySet<string>): boolean {
  if (kind.turn.provider !== turn.provider || kind.turn.format !== turn.format) return false
  // Accounts share no cache: what differs between them costs nothing.
  const accounts = [kind.turn.exchange.account, turn.exchange.account]
  if (!accounts.includes(undefined) && accounts[0] !== accounts[1]) return false
  if (kind.head.length === head.length && kind.head.every(({ block }, index) => block === head[index]?.block))
    return true
  const shared = [...tools].filter((name) => kind.tools.has(name)).length
  const least = Math.min(tools.size, kind.tools.size)
  if (least === 0 ? tools.size !== kind.tools.size : shared < ALIKE_TOOLS * least) return false
  const [one, other] = [kind.head, head].map((segments) =>
    segments.filter(({ block }) => block.section === 'system'),
  ) as [Segment[], Segment[]]
  if (one.length === 0 || other.length === 0) return one.length === other.length
  return systemLikeness(one, other, (block) => block.text ?? kind.texts.get(block) ?? null) >= ALIKE_SYSTEM
}

/** By the tokens of blocks that are alike. */
function systemLikeness(one: readonly Segment[], other: readonly Segment[], textOf: TextOf): number {
  let alike = 0
  let all = 0
  for (const [index, { block }] of other.entries()) {
    all += block.tokens
    const twin = one.find((segment) => segment.block === block)
    const peer = one[index] ?? one.at(-1)
    if (twin !== undefined) alike += block.tokens
    else if (peer !== undefined) alike += block.tokens * likeness(peer.block, block, textOf)
  }
  return all === 0 ? 1 : alike / all
}
