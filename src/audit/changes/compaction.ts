/**
 * Whether a conversation started again from a summary: most of it is gone, and there is evidence that this was meant. A
 * compaction is no culprit; what it costs is weighed against what it saves elsewhere.
 */
import { segmentsOf } from '../record/segments.ts'
import type { Segment, Turn } from '../record/types.ts'
import { isModelRole } from './calls.ts'
import type { Alignment } from './types.ts'

/** The share of the conversation's tokens that has to be gone. */
const MOST_GONE = 0.5
/** Segments of conversation that make one worth compacting. */
const LEAST = 2

const summaries =
  /^\s*(?:<(?:conversation[_-]?)?summary>|(?:this|the) (?:session|conversation) (?:is being continued|was|has been) |(?:here is |this is )?(?:a |the )?summary of|\[?(?:previous |earlier )?conversation (?:history )?(?:was |has been )?(?:summar|compact)|#+ (?:conversation )?summary|\[?context (?:was |has been )?(?:compact|summar)|the conversation so far)/i

/** True for a turn whose messages restart from a summary, or from a kept end of what was. */
export function isCompaction({ turn, parent, steps }: Pick<Alignment, 'turn' | 'parent' | 'steps'>): boolean {
  const before = segmentsOf(parent)
  const after = segmentsOf(turn)
  const [old, fresh] = [before, after].map((all) => all.filter(({ block }) => block.section === 'messages')) as [
    Segment[],
    Segment[],
  ]
  if (old.length < LEAST) return false
  if (isSummary(fresh[0]) && !isSummary(old[0])) return true
  let gone = 0
  let keptEnd = false
  let firstGone = -1
  let isSummarised = fresh.some(({ block }) => block.type === 'compaction')
  for (const step of steps) {
    const from = 'from' in step ? before[step.from] : undefined
    const to = 'to' in step ? after[step.to] : undefined
    if ((from ?? to)?.block.section !== 'messages') continue
    if (step.type === 'removed' || (step.type === 'edited' && isReplaced(step.hunks, from))) {
      gone += from?.block.tokens ?? 0
      if (firstGone < 0) firstGone = step.from
    }
    if (step.type === 'same') keptEnd ||= firstGone >= 0 && step.from > firstGone
    else isSummarised ||= isSummary(to)
  }
  if (gone < MOST_GONE * old.reduce((total, { block }) => total + block.tokens, 0)) return false
  const said = turn.exchange.events?.some(({ type }) => type === 'compaction') === true
  return said || isSummarised || (keptEnd && messageCount(turn) < messageCount(parent))
}

/** A cleared result or a dropped thought leaves its message where it was. */
function messageCount({ places }: Turn): number {
  return places.filter(({ section }) => section === 'messages').length
}

function isSummary(segment: Segment | undefined): boolean {
  if (segment === undefined || isModelRole(segment.block.role)) return false
  return summaries.test(segment.block.text?.slice(0, BEGINNING) ?? '')
}

/** UTF-16 units in which a summary says that it is one. */
const BEGINNING = 400

/** Nearly all of it differs. */
function isReplaced(
  hunks: readonly { readonly before: { readonly start: number; readonly end: number } }[],
  from: Segment | undefined,
): boolean {
  const changed = hunks.reduce((total, { before }) => total + before.end - before.start, 0)
  return from !== undefined && changed > from.block.length / 2
}
