/**
 * The block that a client puts in front of the system prompt, another on each call: billing, version, session. On the
 * client's own provider it is left out of the prompt; any other upstream reads it like all text.
 */
import type { Act } from '../finding.ts'

/** UTF-16 units of a header; a prompt is longer. */
const LONGEST = 1000

/** The act where both texts of the first system block are such a header. */
export function headerBlock(first: string, second: string): Act | null {
  if (!isHeader(first) || !isHeader(second)) return null
  return { type: 'act', kind: 'header-block', key: '', confidence: 0.9, counting: 'when-reads-are-lost' }
}

/** `x-some-header: name=value; name=value`, or the names that one client is known by. */
function isHeader(text: string): boolean {
  if (text.length > LONGEST) return false
  return /\bcc_version=|\bcch=/.test(text) || /^\s*x-[\w-]+:\s*[\w-]+=[^\n]*$/i.test(text)
}
