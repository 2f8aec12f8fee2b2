/** An answer as a whole `response` object, and its items as they look when they are begun and when they are done. */
import type { Json } from '../../../base/json.ts'
import { fields, json, type Fields } from '../../fields.ts'
import { providerOf } from '../../../cache/providers/provider-of.ts'
import { redact } from '../../redact.ts'
import type { EndpointRequest } from '../../types.ts'
import { idOf, secondsOf } from '../ids.ts'
import { hasBreakpoints } from '../models.ts'
import type { OutputItem } from './output.ts'

/** What a response ends with. */
export interface ResponseEnd {
  readonly output: readonly OutputItem[]
  readonly usage: Json
  readonly diagnostics: Json | undefined
}

/** The response while it is being made. */
export function begunResponse(request: EndpointRequest): { readonly [key: string]: Json } {
  const { body, model, at } = request
  return {
    id: idOf(request, 'resp_'),
    object: 'response',
    created_at: secondsOf(at),
    status: 'in_progress',
    background: body['background'] === true,
    completed_at: null,
    error: null,
    incomplete_details: null,
    ...echoed(body),
    model,
    output: [],
    ...cacheSettings(body, model),
    usage: null,
  }
}

export function completedResponse(request: EndpointRequest, { output, usage, diagnostics }: ResponseEnd): Json {
  return {
    ...begunResponse(request),
    status: 'completed',
    completed_at: secondsOf(request.at),
    output: output.map(doneItem),
    usage,
    ...(diagnostics === undefined ? {} : { prompt_cache_diagnostics: diagnostics }),
  }
}

/** Parameters that are sent back, with the defaults of the API. */
function echoed(body: Fields): { readonly [key: string]: Json } {
  const { format, verbosity } = fields(body['text'])
  const { effort, summary } = fields(body['reasoning'])
  return {
    access_programs: null,
    instructions: json(body['instructions']),
    max_output_tokens: json(body['max_output_tokens']),
    max_tool_calls: json(body['max_tool_calls']),
    metadata: json(body['metadata'] ?? {}),
    parallel_tool_calls: body['parallel_tool_calls'] !== false,
    previous_response_id: json(body['previous_response_id']),
    prompt_cache_key: json(body['prompt_cache_key']),
    reasoning: { effort: json(effort), summary: json(summary) },
    safety_identifier: json(body['safety_identifier']),
    service_tier: 'default',
    store: isStored(body),
    temperature: json(body['temperature'] ?? 1),
    text: { format: json(format ?? { type: 'text' }), verbosity: json(verbosity ?? 'medium') },
    tool_choice: json(body['tool_choice'] ?? 'auto'),
    tools: json(redact(body)['tools'] ?? []),
    top_logprobs: json(body['top_logprobs'] ?? 0),
    top_p: json(body['top_p'] ?? 1),
    truncation: json(body['truncation'] ?? 'disabled'),
    user: json(body['user']),
  }
}

function cacheSettings(body: Fields, model: string): { readonly [key: string]: Json } {
  const retention = json(body['prompt_cache_retention'])
  if (providerOf(model) !== 'openai' || !hasBreakpoints(model)) return { prompt_cache_retention: retention }
  const { mode, ttl, comparison_response_id: compared } = fields(body['prompt_cache_options'])
  return {
    prompt_cache_options: {
      mode: json(mode ?? 'implicit'),
      ttl: json(ttl ?? '30m'),
      ...(compared === undefined ? {} : { comparison_response_id: json(compared) }),
    },
    prompt_cache_retention: retention,
  }
}

/** Responses are kept unless the request says otherwise. */
export function isStored(body: Fields): boolean {
  return body['store'] !== false
}

/** An item as its `output_item.added` has it. */
export function begunItem(item: OutputItem): { readonly [key: string]: Json } {
  switch (item.type) {
    case 'reasoning':
      return { id: item.id, type: 'reasoning', summary: [], ...encrypted(item.encrypted) }
    case 'message':
      return { id: item.id, type: 'message', status: 'in_progress', role: 'assistant', content: [] }
    case 'function_call':
      return { ...call(item), status: 'in_progress', arguments: '' }
  }
}

/** An item as its `output_item.done` and the response have it. */
export function doneItem(item: OutputItem): { readonly [key: string]: Json } {
  switch (item.type) {
    case 'reasoning':
      return {
        ...begunItem(item),
        summary: item.summary === null ? [] : [{ type: 'summary_text', text: item.summary }],
      }
    case 'message':
      return { ...begunItem(item), status: 'completed', content: [outputText(item.text)] }
    case 'function_call':
      return { ...call(item), status: 'completed', arguments: item.input }
  }
}

export function outputText(text: string): { readonly [key: string]: Json } {
  return { type: 'output_text', text, annotations: [], logprobs: [] }
}

function call({ id, callId, name }: Extract<OutputItem, { type: 'function_call' }>): { readonly [key: string]: Json } {
  return { id, type: 'function_call', call_id: callId, name }
}

function encrypted(content: string | null): { readonly [key: string]: Json } {
  return content === null ? {} : { encrypted_content: content }
}
