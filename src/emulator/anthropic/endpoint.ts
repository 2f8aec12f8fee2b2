/** The Messages API: `POST /v1/messages` and the counting of tokens. */
import type { Json } from '../../base/json.ts'
import { createSimulator } from '../../cache/simulator/create-simulator.ts'
import { guessTokens, type CountTokens } from '../../cache/tokens/count-tokens.ts'
import type { Prediction } from '../../cache/simulator/types.ts'
import type { Answer, CallRequest, Endpoint, EndpointRequest, Refusal } from '../types.ts'
import { messageId, toMessage, type AnthropicMessage } from './answer.ts'
import { check } from './check.ts'
import { createDiagnostics } from './diagnostics.ts'
import { anthropicError, requestId } from './errors.ts'
import { toEvents } from './stream.ts'
import { createThinking } from './thinking.ts'

const provider = 'anthropic'
const format = 'anthropic'

/** An endpoint with a signing key and a memory of its own. */
export function anthropicMessages({
  countTokens = guessTokens,
}: { readonly countTokens?: CountTokens } = {}): Endpoint {
  const thinking = createThinking()
  const diagnostics = createDiagnostics()

  function message(request: EndpointRequest, answer: Answer, prediction: Prediction): AnthropicMessage {
    return toMessage(answer, {
      request,
      prediction,
      countTokens,
      diagnostics: diagnostics.diagnose(request, messageId(request)),
      transformations: thinking.transformations(request),
      sign: (text) => thinking.sign(request, text),
    })
  }

  /** Counts as the cache would that sees this request first. */
  function countInput(request: CallRequest): Refusal {
    const refused = request.strict ? check(request, thinking, { answers: false }) : null
    if (refused !== null) return refused
    const { usage } = createSimulator({ provider, format, countTokens }).send(thinking.edit(request), {
      model: request.model || undefined,
    })
    return { status: 200, body: { input_tokens: usage.total } }
  }

  return {
    id: 'anthropic',
    format,
    provider: () => provider,
    cannot,
    check: (request) => check(request, thinking, { answers: true }),
    edit: (request) => thinking.edit(request),
    answer: (request, answer, prediction) => message(request, answer, prediction) as never,
    stream: (request, answer, prediction) => toEvents(message(request, answer, prediction)),
    error: anthropicError,
    headers: ({ id }) => ({ 'request-id': requestId(id) }),
    calls: [{ method: 'POST', path: '/v1/messages/count_tokens', handle: countInput }],
    clear: () => diagnostics.clear(),
  }
}

/**
 * A thread is a conversation that the provider keeps. It is refused as it is for an account that cannot have one, and
 * clients that can then send the whole conversation.
 */
function cannot({ body, id }: EndpointRequest): Refusal | null {
  if (body['thread'] === undefined || body['thread'] === null) return null
  const message = 'thread: Threads are not emulated. Send the full conversation without `thread`.'
  const { error, ...rest } = anthropicError(400, message, id) as { readonly error: Json }
  const details = { error_code: 'thread_unsupported_request', unsupported: [] }
  return { status: 400, body: { ...rest, error: { ...(error as object), details } } }
}
