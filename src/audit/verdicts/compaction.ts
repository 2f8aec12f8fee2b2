/**
 * Whether a conversation was compacted: its messages restart from a summary. That is a rewrite on purpose, so it takes
 * evidence: a record of it in the log, a block that stands for what came before, or fewer messages than before that begin
 * with a summary, by its words or because the end of the old conversation is kept behind it. Dropping the oldest messages
 * alone is no compaction: there the first one left is an old one.
 */
import type { Block, Place, Turn } from '../record/types.ts'
import type { Common } from './common-prefix.ts'

/** What shows that `turn` is a compacted `parent`, in a few words; null where nothing does. */
export function compactionEvidence(turn: Turn, parent: Turn, common: Common): string | null {
  if (turn.exchange.events?.some(({ type }) => type === 'compaction') === true) return 'the log records it'
  const [before, after] = [messagesOf(parent), messagesOf(turn)]
  const start = Math.max(0, common.segments - countOutside(turn))
  const added = after.blocks.slice(start, start + REACH)
  const old = new Set(before.blocks)
  if (added.some((block) => block.type === 'compaction' && !old.has(block))) return 'a block of type compaction'
  if (after.messages >= before.messages) return null
  const fresh = added.filter((block) => !old.has(block))
  if (fresh.some(({ text }) => text !== null && summaries.test(text.slice(0, LEAD)))) return 'a summary'
  const [first] = added
  if (first === undefined || old.has(first) || first.role === 'assistant') return null
  return keepsEnd(before.blocks, after.blocks, start) ? 'fewer messages, of which the last ones are kept' : null
}

/** Segments behind the difference that are looked at: a summary may stand behind a reminder or two. */
const REACH = 6
/** Characters in which a summary says that it is one. */
const LEAD = 400

/** How clients begin the message that stands for a conversation. */
const summaries =
  /<(?:conversation[-_ ]?|context[-_ ]?|previous[-_ ]?)?(?:summary|state_snapshot|handoff)\b|session is being continued from|started to solve this problem and produced a summary|(?:conversation|history|context|messages?)\b.{0,60}\b(?:was|were|has been|have been|been)\s+(?:compacted|summari[sz]ed|condensed)|^\W*(?:here is |this is )?(?:a |the )?(?:conversation |session |context )?summary\b|summary of (?:the |our |this )?(?:previous |prior |earlier |conversation)/i

/** The last blocks of before are found behind what is new. One of them alone may be chance, unless it is long. */
function keepsEnd(before: readonly Block[], after: readonly Block[], start: number): boolean {
  const later = new Set(after.slice(start + 1))
  const kept = before
    .slice(start)
    .slice(-KEPT)
    .filter((block) => later.has(block))
  return kept.length >= 2 || kept.some(({ length }) => length >= LONG)
}

const KEPT = 8
/** UTF-16 units. */
const LONG = 200

interface Messages {
  readonly messages: number
  readonly blocks: readonly Block[]
}

function messagesOf({ places }: Turn): Messages {
  const messages = places.filter(isMessage)
  return { messages: messages.length, blocks: messages.flatMap(({ raw }) => raw.blocks) }
}

function countOutside({ places }: Turn): number {
  return places.reduce((sum, place) => sum + (isMessage(place) ? 0 : place.raw.blocks.length), 0)
}

function isMessage({ section }: Place): boolean {
  return section === 'messages'
}
