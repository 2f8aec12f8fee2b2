/** One call that no model answers: it is journalled as any other, and no cache hears of it. */
import type { Emulation } from './emulation.ts'
import { jsonResponse } from './json-response.ts'
import { redact } from './redact.ts'
import { receive, type AppContext } from './receive.ts'
import type { Endpoint, EndpointCall, Refusal } from './types.ts'
import { whyUnreadable } from './unreadable.ts'

/** Answers a call. */
export async function answerCall(
  context: AppContext,
  emulation: Emulation,
  endpoint: Endpoint,
  call: EndpointCall,
): Promise<Response> {
  const received = await receive(context, emulation, endpoint)
  if ('refused' in received) return received.refused
  const { request, arrival, text } = received
  const note = emulation.journal.add(arrival, text)
  let answer: Refusal
  try {
    const parameters: { readonly [name: string]: string } = context.req.param()
    answer = call.handle({ ...request, parameters, query: context.req.query(), strict: emulation.strict })
  } catch (error) {
    answer = { status: 400, body: endpoint.error(400, whyUnreadable(error), request.id) }
  }
  const { status, body } = answer
  const settled = note({ status, error: status < 400 ? null : body })
  emulation.log?.({ ...settled, body: redact(request.body), answer: status < 400 ? body : null })
  return jsonResponse({ ...answer, headers: { ...endpoint.headers?.(request), ...answer.headers } })
}
