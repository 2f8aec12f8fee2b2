/** Rules by which the audit compares two requests and the table does not, and what a recording shows where they apply. */
import { isDeepStrictEqual } from 'node:util'
import { field, list, textOf } from '../../src/cache/layout/peek.ts'
import type { Comparison } from './comparisons.ts'
import type { Rules } from './exceptions.ts'

/**
 * - `string-and-array`: a content that is a string is to the provider what a list with that one text is; the table
 *   compares the JSON. Shown by messages that differ in nothing else.
 * - `thinking-stripped`: thinking of finished turns is no part of the prompt, sent back or not; the table compares what
 *   was sent. Shown by messages that differ in nothing else, and by the same reported total.
 */
export type DivergenceRule = 'string-and-array' | 'thinking-stripped'

export const divergenceRules: Rules<DivergenceRule> = {
  'string-and-array': (comparison) => {
    const [before, after] = contentsAt(comparison)
    return typeof before !== typeof after && isDeepStrictEqual(blocksOf(before), blocksOf(after))
  },
  'thinking-stripped': (comparison) => {
    const [before, after] = contentsAt(comparison).map(blocksOf)
    const [kept, sent] = [before, after].map((blocks) => blocks?.filter((block) => !isThinking(block)))
    const { turn, earlier } = comparison
    return before?.length !== after?.length && isDeepStrictEqual(kept, sent) && isSameTotal(turn, earlier)
  },
}

/** Contents of the message that the table names, of the call before and of this one. */
function contentsAt({ table, turn, earlier }: Comparison): unknown[] {
  const index = Number(/^msg\[(\d+)\]/.exec(table)?.[1])
  return [earlier, turn].map((each) => field(list(field(each?.call.exchange.request, 'messages'))[index], 'content'))
}

/** As a list, without cache marks. */
function blocksOf(content: unknown): unknown[] {
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : list(content)
  return blocks.map((block) => ({ ...(block as object), cache_control: undefined }))
}

function isThinking(block: unknown): boolean {
  return /^(?:redacted_)?thinking$/.test(textOf(block, 'type'))
}

function isSameTotal(turn: Comparison['turn'], earlier: Comparison['earlier']): boolean {
  return turn.reported.total !== undefined && turn.reported.total === earlier?.reported.total
}
