/**
 * Signs that a conversation was begun again from a summary of itself. Without one, a short list of messages in a known
 * session is a new conversation, or that of a sub-agent.
 */
import type { Prompt } from './prompt.ts'

/** The log, the provider or the wording says that what stands here stands for something longer. */
export function tellsOfCompaction({ turn, messages }: Prompt): boolean {
  if (turn.exchange.events?.some(({ type }) => type === 'compaction') === true) return true
  return messages
    .slice(0, OPENING)
    .some(({ type, text }) => type === 'compaction' || (text !== null && isSummary(text)))
}

/** Blocks at the head in which a summary may stand: behind a reminder, or behind the first message. */
const OPENING = 6
/** A summary says so at once. */
const HEAD = 600

/** As agents introduce one; not a request for one. */
function isSummary(text: string): boolean {
  const head = text.slice(0, HEAD)
  return signs.some((sign) => sign.test(head))
}

const signs = [
  /<(?:[a-z]+[_-])*(?:summary|compact(?:ion|ed))\b[^>]*>/i,
  /\b(?:session|conversation|task) is being continued\b/i,
  /\bsummar(?:y|ies|i[sz]ed) (?:of|from) (?:(?:the|this|our|all|an?) )?(?:\w+ ){0,2}(?:conversation|session|discussion|messages|history|context|turns|progress)\b/i,
  /\b(?:earlier|previous|prior) (?:conversation|messages|turns|context) (?:was|were|has been|have been) (?:\w+ )?(?:summari[sz]ed|compacted|condensed|truncated|removed)\b/i,
  // A heading: a line of its own.
  /^\W{0,8}(?:\w+ ){0,3}summary\W{0,8}$/im,
]
