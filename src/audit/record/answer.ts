/** What an answer says of itself, whole or streamed, of any API; absent where it was not recorded. */
import { field, list, textOf } from '../../cache/layout/peek.ts'
import { isServerEdited } from '../../cache/simulator/server-edited.ts'
import { isSse, parseJson, parseSse } from '../../cache/usage/sse.ts'
import type { Answer } from './types.ts'

/** An answer in parts: one value, or the values of its events. */
export function answerParts(response: unknown): readonly unknown[] {
  if (typeof response === 'string') return isSse(response) ? parseSse(response) : [parseJson(response)]
  if (!Array.isArray(response)) return response === undefined ? [] : [response]
  return response.map((event: unknown) => {
    const data = field(event, 'data')
    if (typeof data === 'string') return parseJson(data)
    return data === undefined || field(event, 'type') !== undefined ? event : data
  })
}

/** Reads an answer from its parts. Never throws. */
export function readAnswer(parts: readonly unknown[]): Answer {
  const holders = parts.flatMap((part) => [field(part, 'response'), field(part, 'message'), part])
  const first = (...names: readonly string[]): string | undefined => {
    for (const holder of holders)
      for (const name of names) {
        const text = textOf(holder, name)
        if (text !== '') return text
      }
    return undefined
  }
  const usages = holders.map((holder) => field(holder, 'usage'))
  return {
    id: first('id', 'responseId'),
    model: first('model', 'modelVersion'),
    tier: first('service_tier') ?? lastText(usages, 'service_tier'),
    stopReason: stopReasonOf(parts),
    serverEdited: parts.some(isServerEdited),
    missReason: missReasonOf(holders),
  }
}

/** The output items of a Responses answer, where they are all there; what a later `previous_response_id` stands for. */
export function outputItems(parts: readonly unknown[]): readonly unknown[] | undefined {
  for (const part of parts) {
    const whole = field(part, 'response') ?? part
    const output = field(whole, 'output')
    if (!Array.isArray(output)) continue
    if (field(part, 'response') === undefined || textOf(part, 'type') === 'response.completed') return output
  }
  const done = parts.filter((part) => textOf(part, 'type') === 'response.output_item.done')
  return done.length === 0 ? undefined : done.map((part) => field(part, 'item'))
}

function lastText(holders: readonly unknown[], name: string): string | undefined {
  const texts = holders.map((holder) => textOf(holder, name)).filter((text) => text !== '')
  return texts.at(-1)
}

function stopReasonOf(parts: readonly unknown[]): string | undefined {
  for (const part of parts.toReversed()) {
    const reasons = [
      textOf(part, 'stop_reason'),
      textOf(field(part, 'delta'), 'stop_reason'),
      textOf(list(field(part, 'choices'))[0], 'finish_reason'),
      textOf(list(field(part, 'candidates'))[0], 'finishReason'),
      textOf(part, 'stopReason'),
    ]
    const found = reasons.find((reason) => reason !== '')
    if (found !== undefined) return found
  }
  return undefined
}

function missReasonOf(holders: readonly unknown[]): string | undefined {
  for (const holder of holders) {
    const type = textOf(field(field(holder, 'diagnostics'), 'cache_miss_reason'), 'type')
    if (type !== '') return type
  }
  return undefined
}
