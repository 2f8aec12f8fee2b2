/** An answer as the events of a Responses stream, numbered from 0. Diagnostics and usage come on `response.completed`. */
import type { Json } from '../../../base/json.ts'
import { pieces } from '../../pieces.ts'
import type { EndpointRequest, StreamEvent } from '../../types.ts'
import { begunItem, begunResponse, completedResponse, doneItem, outputText, type ResponseEnd } from './answer.ts'
import type { OutputItem } from './output.ts'

/** An event without its number. */
type Event = { readonly type: string; readonly [key: string]: Json }

export function responsesStream(request: EndpointRequest, end: ResponseEnd): readonly StreamEvent[] {
  const response = begunResponse(request)
  const events: readonly Event[] = [
    { type: 'response.created', response },
    { type: 'response.in_progress', response },
    ...end.output.flatMap((item, index) => [
      { type: 'response.output_item.added', output_index: index, item: begunItem(item) },
      ...itemEvents(item, { item_id: item.id, output_index: index }),
      { type: 'response.output_item.done', output_index: index, item: doneItem(item) },
    ]),
    { type: 'response.completed', response: completedResponse(request, end) },
  ]
  return events.map(({ type, ...rest }, number) => ({ event: type, data: { type, sequence_number: number, ...rest } }))
}

/** Where an event belongs. */
interface ItemPlace {
  readonly item_id: string
  readonly output_index: number
}

function itemEvents(item: OutputItem, place: ItemPlace): readonly Event[] {
  switch (item.type) {
    case 'reasoning':
      return item.summary === null ? [] : summaryEvents(item.summary, { ...place, summary_index: 0 })
    case 'message':
      return textEvents(item.text, { ...place, content_index: 0 })
    case 'function_call':
      return [
        ...pieces(item.input).map((delta) => ({ type: 'response.function_call_arguments.delta', ...place, delta })),
        { type: 'response.function_call_arguments.done', ...place, arguments: item.input },
      ]
  }
}

function summaryEvents(text: string, place: ItemPlace & { readonly summary_index: number }): readonly Event[] {
  return [
    { type: 'response.reasoning_summary_part.added', ...place, part: { type: 'summary_text', text: '' } },
    ...pieces(text).map((delta) => ({ type: 'response.reasoning_summary_text.delta', ...place, delta })),
    { type: 'response.reasoning_summary_text.done', ...place, text },
    { type: 'response.reasoning_summary_part.done', ...place, part: { type: 'summary_text', text } },
  ]
}

function textEvents(text: string, place: ItemPlace & { readonly content_index: number }): readonly Event[] {
  return [
    { type: 'response.content_part.added', ...place, part: outputText('') },
    ...pieces(text).map((delta) => ({ type: 'response.output_text.delta', ...place, delta, logprobs: [] })),
    { type: 'response.output_text.done', ...place, text, logprobs: [] },
    { type: 'response.content_part.done', ...place, part: outputText(text) },
  ]
}
