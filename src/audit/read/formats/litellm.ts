/**
 * LiteLLM: the StandardLoggingPayload that its callbacks get, one per line, and rows of its spend logs as JSON.
 *
 * The tokens are the provider's where `metadata.usage_object` is there; `prompt_tokens` counts cached ones in, for
 * Anthropic too. `cache_hit` is LiteLLM's own cache of answers: such a call never reached a provider. Which deployment
 * answered is told (`model_id`), and which account it has is not.
 */
import type { Usage } from '../../../base/usage.ts'
import { readUsage } from '../../../cache/usage/read-usage.ts'
import { at, count, fields, type Fields } from '../../../cache/usage/fields.ts'
import type { Exchange } from '../../exchange.ts'
import { exchangeOf } from '../http-exchange.ts'
import { promptFidelity } from '../prompt-fidelity.ts'
import { providerNamed } from '../provider-name.ts'
import { readTime } from '../read-time.ts'
import { addressOf } from '../traffic.ts'
import type { LogReader, ReaderInput } from '../types.ts'
import { nameOf, type JsonRecord } from './json-records.ts'
import { firstRows, jsonRows } from './json-rows.ts'
import { loggedRequest, objectIn } from './litellm-request.ts'

const lists = ['data']

/** Reads logs of LiteLLM. */
export const liteLlm: LogReader = {
  id: 'litellm',
  title: 'LiteLLM log',
  hint: 'Set litellm_settings.log_raw_request_response: true to log the bodies that LiteLLM sends; for spend logs, general_settings.store_prompts_in_spend_logs: true and MAX_STRING_LENGTH_PROMPT_IN_DB.',
  recognises: (head) => firstRows(head, lists).some((row) => isPayload(payloadIn(row))),
  async *read(input) {
    for await (const row of jsonRows(input, lists)) {
      const exchange = readPayload(row, input)
      if (exchange !== null) yield exchange
    }
  },
}

/** A callback may log all that it was given. */
function payloadIn(row: Fields): Fields {
  return fields(row['standard_logging_object']) ?? fields(at(row, 'kwargs', 'standard_logging_object')) ?? row
}

function isPayload(payload: Fields): boolean {
  return 'call_type' in payload && ['custom_llm_provider', 'model_group', 'spend'].some((name) => name in payload)
}

const calls = /completion|messages|responses|generate_content/

function readPayload({ record, line }: JsonRecord, input: ReaderInput): Exchange | null {
  const payload = { ...payloadIn(record) }
  const type = payload['call_type']
  if (!isPayload(payload)) {
    input.unread({ line, kind: 'unknown-shape', message: 'The entry is no StandardLoggingPayload.' })
    return null
  }
  if (typeof type !== 'string' || !calls.test(type)) {
    input.unread({ line, kind: 'other-traffic', message: 'Not a call to a language model.' })
    return null
  }
  if (/^true$/i.test(String(payload['cache_hit']))) {
    input.unread({ line, kind: 'other-traffic', message: "Answered out of LiteLLM's own cache, without a provider." })
    return null
  }
  payload['metadata'] = objectIn(payload['metadata'])
  return exchangeIn(payload, line, input)
}

function exchangeIn(payload: Fields, line: number, input: ReaderInput): Exchange | null {
  const { model, provider } = whose(payload)
  const found = loggedRequest(payload, provider, model)
  if (found.type === 'cut') {
    const message = 'LiteLLM cut long texts out of the request: raise MAX_STRING_LENGTH_PROMPT_IN_DB.'
    input.unread({ line, kind: 'truncated', message })
  }
  const common = commonOf(payload, line)
  const host = addressOf(payload['api_base']).host
  const known = { parameters: true, time: common.startedAt !== undefined, redacted: found.type === 'redacted' }
  if (found.type === 'sent') {
    const url = found.url ?? payload['api_base']
    const sent = exchangeOf({ ...common, url, path: '', request: found.body, fidelity: { level: 'body' } }, input)
    return (
      sent && {
        ...sent,
        model: sent.model ?? model,
        provider: sent.provider ?? provider,
        usage: usageOf(payload, model),
      }
    )
  }
  const request = 'body' in found ? found.body : undefined
  // What the proxy was asked with is whole, but in the words of the client.
  const whole =
    found.type === 'asked' ? { tools: true, system: true, breakpoints: true } : { tools: request !== undefined }
  return {
    ...common,
    kind: 'generate',
    request,
    usage: usageOf(payload, model),
    provider,
    model,
    host: host === '' ? undefined : host,
    source: { file: input.name, line },
    fidelity: promptFidelity(request, { ...known, ...whole }),
  }
}

/** Model ids may carry the provider in front, as `bedrock/…`. */
function whose(payload: Fields): { readonly model: string | undefined; readonly provider: string | undefined } {
  const named = nameOf(payload['model'])
  const platform = nameOf(payload['custom_llm_provider'])
  const prefix = `${platform}/`
  const model = named?.startsWith(prefix) === true ? named.slice(prefix.length) : named
  return { model, provider: providerNamed(platform, model) }
}

function commonOf(
  payload: Fields,
  line: number,
): Pick<Exchange, 'response' | 'status' | 'error' | 'streamed' | 'startedAt' | 'endedAt' | 'ids'> & {
  readonly line: number
} {
  const response = objectIn(payload['response'])
  const failure = fields(payload['error_information']) ?? fields(at(payload, 'metadata', 'error_information'))
  const failed = (payload['status'] ?? at(payload, 'metadata', 'status')) === 'failure'
  const error = nameOf(payload['error_str']) ?? nameOf(failure?.['error_message']) ?? nameOf(failure?.['error_class'])
  const code = Number(failure?.['error_code'] ?? Number.NaN)
  return {
    line,
    response: response === undefined || Object.keys(response).length === 0 ? undefined : response,
    status: failed ? (code >= 100 ? code : undefined) : 200,
    error: failed ? (error ?? 'failure') : undefined,
    streamed: typeof payload['stream'] === 'boolean' ? payload['stream'] : undefined,
    startedAt: readTime(payload['startTime']),
    endedAt: readTime(payload['endTime']),
    ids: {
      request: nameOf(payload['request_id']) ?? nameOf(payload['id']),
      response: nameOf(response?.['id']),
      session: nameOf(payload['session_id']) ?? nameOf(payload['trace_id']),
    },
  }
}

function usageOf(payload: Fields, model: string | undefined): Usage | undefined {
  const reported = fields(at(payload, 'metadata', 'usage_object')) ?? fields(at(payload, 'response', 'usage'))
  if (reported !== undefined) return readUsage(withSplit(reported), { model })
  const total = count(payload['prompt_tokens'])
  if (total === undefined || total === 0) return undefined
  return readUsage({ prompt_tokens: total, completion_tokens: count(payload['completion_tokens']) })
}

/** LiteLLM keeps Anthropic's writes by lifetime under a name of its own. */
function withSplit(usage: Fields): Fields {
  const split = fields(at(usage, 'prompt_tokens_details', 'cache_creation_token_details'))
  return split === undefined || 'cache_creation' in usage ? usage : { ...usage, cache_creation: split }
}
