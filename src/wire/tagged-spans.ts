/**
 * Turns for an API that takes the system's text at the front only, and whose messages are the user's and the model's. What
 * came between two answers is one user message: results next to the calls they answer, then what users said, then updates as
 * tagged text. A span is lowered from itself alone, so what was answered comes out the same for ever, and two user messages
 * never follow one another. Answers that came as several messages are sent as several.
 */
import type { Tool, TurnView } from '../session/types.ts'
import { lowerUpdates, spansOf } from './spans.ts'
import type { FallbackReason, LoweringWarning } from './warnings.ts'

/** What was left out of a request, counted. */
export interface LeftOut {
  blank: number
  thinking: number
}

/** How one API writes its messages. */
export interface TaggedDialect<M> {
  readonly isAnswer: (message: M) => boolean
  readonly toolId: (tool: Tool) => string
  /** An answer as it is sent: itself, or a copy without what the API refuses. */
  answer(message: M, epoch: number, leftOut: LeftOut): M
  /** One user message of all that was said, and of `tagged` texts behind it. At least one of the two is not empty. */
  user(inputs: readonly M[], tagged: readonly string[], leftOut: LeftOut): M
  /** What the API asks of the messages as a whole. What stands before an answer may not depend on what comes after it. */
  arrange?(messages: readonly M[], leftOut: LeftOut): M[]
}

/** The messages of a turn, oldest first, and what could not be done as asked. */
interface TaggedMessages<M> {
  readonly messages: M[]
  readonly warnings: readonly LoweringWarning[]
}

/** Lowers the entries of a turn. Tools that were appended are held: there is no place for them. `reason`: why updates are tagged. */
export function lowerTagged<M>(
  turn: Pick<TurnView<M>, 'entries' | 'nonce' | 'tools'>,
  dialect: TaggedDialect<M>,
  reason: FallbackReason,
): TaggedMessages<M> {
  const { toolId } = dialect
  const messages: M[] = []
  const leftOut: LeftOut = { blank: 0, thinking: 0 }
  const added = new Set<string>()
  let degraded = 0
  let answered = false
  for (const { inputs, updates, answer } of spansOf(turn.entries, dialect.isAnswer)) {
    const said = lowerUpdates(updates, { native: false, nonce: turn.nonce })
    degraded += said.degraded
    leftOut.blank += said.blank
    for (const tool of said.added) added.add(toolId(tool))
    if (inputs.length > 0 || said.tagged.length > 0) {
      messages.push(dialect.user(inputs, said.tagged, leftOut))
      answered = false
    }
    if (answer !== undefined) {
      messages.push(dialect.answer(answer.message, answer.epoch, leftOut))
      answered = true
    }
  }
  const arranged = dialect.arrange?.(messages, leftOut) ?? messages
  const held = (turn.tools?.callable ?? []).filter((id) => added.has(id))
  return { messages: arranged, warnings: warningsOf({ degraded, reason, held, answered, leftOut }) }
}

function warningsOf({
  degraded,
  reason,
  held,
  answered,
  leftOut,
}: {
  readonly degraded: number
  readonly reason: FallbackReason
  readonly held: readonly string[]
  readonly answered: boolean
  readonly leftOut: LeftOut
}): LoweringWarning[] {
  const warnings: LoweringWarning[] = []
  if (degraded > 0) warnings.push({ type: 'updates-tagged', reason, count: degraded })
  if (held.length > 0) warnings.push({ type: 'tools-held', reason: 'unsupported', ids: held })
  if (answered) warnings.push({ type: 'nothing-to-answer' })
  if (leftOut.thinking > 0) warnings.push({ type: 'thinking-detached', count: leftOut.thinking })
  if (leftOut.blank > 0) warnings.push({ type: 'blank-text', count: leftOut.blank })
  return warnings
}
