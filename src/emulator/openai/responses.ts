/**
 * OpenAI's Responses. What was answered is kept, so that a later request can build on it; whoever lays a request out
 * reads the chain through `reading`.
 */
import type { ReadOptions } from '../../cache/layout/types.ts'
import { guessTokens } from '../../cache/tokens/count-tokens.ts'
import type { Prediction } from '../../cache/simulator/types.ts'
import { answerTokens } from '../answer-tokens.ts'
import { countInput } from '../count-input.ts'
import { providerOf } from '../../cache/providers/provider-of.ts'
import type { Answer, CallRequest, Endpoint, EndpointRequest, Refusal } from '../types.ts'
import type { OpenAiEndpointOptions } from './chat.ts'
import { idOf } from './ids.ts'
import { failure, refuse } from './refusals.ts'
import { completedResponse, doneItem, isStored, type ResponseEnd } from './responses/answer.ts'
import { checkResponses } from './responses/check.ts'
import { diagnose } from './responses/diagnostics.ts'
import { isPrewarm, outputItems } from './responses/output.ts'
import { resolveReferences, responseStore, type StoreLimits } from './responses/store.ts'
import { responsesStream } from './responses/stream.ts'
import { responsesUsage } from './responses/usage.ts'
import { writtenTokens } from './chat/usage.ts'
import { hasBreakpoints } from './models.ts'

/** How the endpoint is set up. */
export interface ResponsesOptions extends OpenAiEndpointOptions {
  /** How many responses are kept; 2,000, or 128 M characters of requests, unless given. */
  readonly limits?: StoreLimits
}

/** `POST /v1/responses`, and what it keeps under `/v1/responses/{id}`. */
export function openaiResponses({ countTokens = guessTokens, limits }: ResponsesOptions = {}): Endpoint {
  const store = responseStore(limits)
  // A request may be answered twice, streamed and for the log; it is kept once, and not again after it was deleted.
  const ended = new WeakMap<EndpointRequest, ResponseEnd>()

  const reading = (account: string): ReadOptions => ({ previousResponse: (id) => store.find(account, id) })

  /** Counts what a response to the same body would be told. */
  function count(request: CallRequest): Refusal {
    const { body, model, account, strict } = request
    const refused = strict ? checkResponses(request, store) : null
    if (refused !== null) return refused
    const options = {
      provider: providerOf(model),
      format: 'openai-responses',
      countTokens,
      ...reading(account),
    } as const
    const { usage } = countInput(resolveReferences(body, account, store), model, options)
    return { status: 200, body: { object: 'response.input_tokens', input_tokens: usage.total } }
  }

  /** Ends a response and keeps it. */
  function end(request: EndpointRequest, answer: Answer, { usage }: Prediction): ResponseEnd {
    const before = ended.get(request)
    if (before !== undefined) return before
    const { body, model, account, headers } = request
    const output = outputItems(request, answer)
    const tokens = answerTokens(isPrewarm(body) ? {} : answer, countTokens)
    const made: ResponseEnd = {
      output,
      usage: responsesUsage(model, usage, tokens),
      diagnostics: isDiagnosed(model) ? diagnose({ body, model, account }, usage, store) : undefined,
    }
    store.save({
      id: idOf(request, 'resp_'),
      account,
      stored: isStored(body),
      model,
      request: resolveReferences(body, account, store),
      output: output.map(doneItem),
      response: completedResponse(request, made),
      reusable: usage.read + writtenTokens(usage),
      size: (Number(headers['content-length'] ?? 0) || JSON.stringify(body).length) + JSON.stringify(output).length,
    })
    ended.set(request, made)
    return made
  }

  return {
    id: 'openai-responses',
    format: 'openai-responses',
    provider: providerOf,
    check: (request) => checkResponses(request, store),
    edit: ({ body, account }) => resolveReferences(body, account, store),
    answer: (request, answer, prediction) => completedResponse(request, end(request, answer, prediction)),
    stream: (request, answer, prediction) => responsesStream(request, end(request, answer, prediction)),
    error: failure,
    headers: (request) => ({ 'x-request-id': idOf(request, 'req_') }),
    reading,
    calls: [
      { method: 'POST', path: '/v1/responses/input_tokens', handle: count },
      {
        method: 'GET',
        path: '/v1/responses/:id',
        handle: ({ account, parameters }) => {
          const found = store.find(account, parameters['id'] ?? '')
          return found === undefined ? notFound(parameters['id'] ?? '') : { status: 200, body: found.response }
        },
      },
      {
        method: 'DELETE',
        path: '/v1/responses/:id',
        handle: ({ account, parameters }) => {
          const id = parameters['id'] ?? ''
          if (!store.delete(account, id)) return notFound(id)
          return { status: 200, body: { id, object: 'response', deleted: true } }
        },
      },
    ],
    clear: () => store.clear(),
  }
}

/** Where there are cache diagnostics: at OpenAI itself, for models with breakpoints. */
function isDiagnosed(model: string): boolean {
  return providerOf(model) === 'openai' && hasBreakpoints(model)
}

function notFound(id: string): Refusal {
  return refuse(`Response with id '${id}' not found.`, { param: 'response_id', status: 404 })
}
