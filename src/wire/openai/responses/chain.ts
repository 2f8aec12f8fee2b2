/** What of a turn a response that it goes on from does not hold yet. */
import type { ResponseInputItem } from 'openai/resources/responses/responses'
import type { Entry, TurnView } from '../../../session/types.ts'
import { openAIResponsesFormat } from './format.ts'

/**
 * The entries after the answer that `revision` names, without that answer; `undefined` where the response belongs to an
 * earlier epoch or to nothing that is in view, so that the conversation has to be sent whole.
 */
export function entriesAfter(
  turn: Pick<TurnView<ResponseInputItem>, 'entries' | 'epoch'>,
  revision: number,
): readonly Entry<ResponseInputItem>[] | undefined {
  const { entries, epoch } = turn
  const known = entries.findLastIndex((entry) => entry.revision <= revision)
  // What was in view when an epoch started keeps the number of the one that it came under.
  if (known < 0 || entries[known]!.epoch !== epoch) return undefined
  let start = known + 1
  while (isOutput(entries[start])) start++
  return entries.slice(start)
}

/** True for what a response held: answers, and the results of tools that ran on the server, which have an id. */
function isOutput(entry: Entry<ResponseInputItem> | undefined): boolean {
  if (entry?.type !== 'message') return false
  const { message } = entry
  if (openAIResponsesFormat.kind(message) === 'assistant') return true
  return openAIResponsesFormat.kind(message) === 'tool-result' && typeof (message as { id?: unknown }).id === 'string'
}
