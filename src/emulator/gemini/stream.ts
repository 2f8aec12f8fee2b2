/** An answer as the responses of a stream: text in pieces, calls whole, usage on every one. */
import type { Json } from '../../base/json.ts'
import { fields } from '../fields.ts'
import { pieces } from '../pieces.ts'
import type { Answer, EndpointRequest, StreamEvent } from '../types.ts'
import { geminiParts, response } from './answer.ts'

export function geminiStream(request: EndpointRequest, answer: Answer, usage: Json): readonly StreamEvent[] {
  const parts = geminiParts(request, answer).flatMap(split)
  const last = parts.length - 1
  if (last < 0) return [{ data: response(request, [], 'STOP', usage) }]
  return parts.map((part, index) => ({
    data: response(request, [part], index === last ? 'STOP' : undefined, usage),
  }))
}

function split(part: Json): readonly Json[] {
  const { text, thought } = fields(part)
  if (typeof text !== 'string' || text === '') return [part]
  return pieces(text).map((piece) => ({ text: piece, ...(thought === true ? { thought } : {}) }))
}
