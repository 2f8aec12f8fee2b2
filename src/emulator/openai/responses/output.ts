/** The output items of an answer, in the order reasoning, message, calls. A prewarmed prompt is not answered at all. */
import { fields, list } from '../../fields.ts'
import type { Answer, EndpointRequest } from '../../types.ts'
import { idOf } from '../ids.ts'

/** An item before it is written. Reasoning has its text where the request asked for summaries. */
export type OutputItem =
  | {
      readonly type: 'reasoning'
      readonly id: string
      readonly summary: string | null
      readonly encrypted: string | null
    }
  | { readonly type: 'message'; readonly id: string; readonly text: string }
  | {
      readonly type: 'function_call'
      readonly id: string
      readonly callId: string
      readonly name: string
      readonly input: string
    }

export function outputItems(
  request: EndpointRequest,
  { text, toolCalls = [], thinking }: Answer,
): readonly OutputItem[] {
  const { body } = request
  if (isPrewarm(body)) return []
  const items: OutputItem[] = []
  if (thinking !== undefined && thinking !== '') {
    const { summary } = fields(body['reasoning'])
    items.push({
      type: 'reasoning',
      id: idOf(request, 'rs_', items.length),
      summary: typeof summary === 'string' ? thinking : null,
      encrypted: list(body['include']).includes('reasoning.encrypted_content')
        ? idOf(request, 'gAAAAAB', items.length)
        : null,
    })
  }
  if (text !== undefined && (text !== '' || toolCalls.length === 0)) {
    items.push({ type: 'message', id: idOf(request, 'msg_', items.length), text })
  }
  for (const { name, input, id } of toolCalls) {
    items.push({
      type: 'function_call',
      id: idOf(request, 'fc_', items.length),
      callId: id ?? idOf(request, 'call_', items.length),
      name,
      input: JSON.stringify(input),
    })
  }
  return items
}

/** The request only fills the cache. */
export function isPrewarm(body: EndpointRequest['body']): boolean {
  return fields(body['prompt_cache_options'])['prewarm'] === true
}
