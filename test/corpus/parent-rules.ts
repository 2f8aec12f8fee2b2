/** Rules by which the audit links calls and the table does not, and what a recording shows where they apply. */
import { segmentsOf } from '../../src/audit/record/segments.ts'
import type { Block } from '../../src/audit/record/types.ts'
import type { Rules } from './exceptions.ts'
import type { Turn } from './replay.ts'

/**
 * - `separate-runs`: a call that shows no answer begins a conversation, however alike the last one began; the table goes
 *   on with the tools or instructions. Shown by messages without one of the model, the last of which is new.
 * - `summary-without-session`: a conversation that was begun again from a summary of itself is linked only by an id that
 *   both calls have. Shown by a summary at the start, no message in common, and no such id.
 * - `same-prompt`: a prompt that was sent before goes on from there, not from the last call. Shown by the repeat.
 * - `one-connection`: on a WebSocket a call goes on from the one before on its line, which the table has no row for.
 */
export type ParentRule = 'separate-runs' | 'summary-without-session' | 'same-prompt' | 'one-connection'

export const parentRules: Rules<ParentRule> = {
  'separate-runs': ({ ours, turn, earlier }) => {
    const messages = messagesOf(turn)
    const [last] = messages.slice(-1)
    const isNew = last !== undefined && earlier !== undefined && !messagesOf(earlier).includes(last)
    return ours === 'none' && isNew && messages.every(({ role }) => role !== 'assistant' && role !== 'model')
  },
  'summary-without-session': ({ ours, turn, earlier }) => {
    const messages = messagesOf(turn)
    const before = earlier === undefined ? [] : messagesOf(earlier)
    const isSummary = messages[0]?.text?.startsWith('<summary>') === true
    const hasId = turn.call.exchange.ids.session !== undefined
    return ours === 'none' && isSummary && !hasId && !messages.some((block) => before.includes(block))
  },
  'same-prompt': ({ turn: { call } }) => call.linked.repeats,
  'one-connection': ({ turn: { call } }) => {
    const { parent, turn } = call.linked
    return parent !== null && parent.exchange.source.line === turn.exchange.source.line
  },
}

function messagesOf({ call }: Turn): Block[] {
  return segmentsOf(call.linked.turn)
    .map(({ block }) => block)
    .filter(({ section }) => section === 'messages')
}
