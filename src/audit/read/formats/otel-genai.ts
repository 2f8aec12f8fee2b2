/**
 * OpenTelemetry GenAI spans: OTLP in JSON, one document or one per line, and lists of spans as SDKs dump them.
 *
 * Spans of agents and tools enclose those of calls and repeat their sums, so only calls of a model count. The odd case
 * is two instrumentations, of a framework and of the SDK below it, that both report a call: an answer counts once.
 */
import type { Usage } from '../../../base/usage.ts'
import { readUsage } from '../../../cache/usage/read-usage.ts'
import type { Fields } from '../../../cache/usage/fields.ts'
import type { Exchange } from '../../exchange.ts'
import { promptFidelity } from '../prompt-fidelity.ts'
import { providerNamed } from '../provider-name.ts'
import type { LogReader, ReaderInput } from '../types.ts'
import { nameOf } from './json-records.ts'
import { firstRows, jsonRows } from './json-rows.ts'
import { attributesOf, spansIn, structured, type Span } from './otel-attributes.ts'
import { otelRequest } from './otel-prompt.ts'

const lists = ['resourceSpans', 'batches', 'spans']

/** Reads spans. */
export const otelGenAi: LogReader = {
  id: 'otel-genai',
  title: 'OpenTelemetry GenAI spans',
  hint: 'Set OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT=span_and_event (OpenLLMetry: TRACELOOP_TRACE_CONTENT=true) to capture prompts; cache marks are never captured.',
  recognises: (head) =>
    firstRows(head, lists).some(
      (row) => 'scopeSpans' in row || 'resourceSpans' in row || isGenAi(attributesOf(row['attributes'])),
    ),
  async *read(input) {
    const answered = new Set<string>()
    for await (const { record, line } of jsonRows(input, lists)) {
      const spans = spansIn(record)
      if (spans.length === 0 && !('scopeSpans' in record) && !('resourceSpans' in record)) {
        input.unread({ line, kind: 'unknown-shape', message: 'The entry is no span.' })
      }
      for (const span of spans) {
        const exchange = readSpan(span, line, answered, input)
        if (exchange !== null) yield exchange
      }
    }
  },
}

function isGenAi(attributes: Fields): boolean {
  return Object.keys(attributes).some((name) => name.startsWith('gen_ai.') || name === 'llm.request.type')
}

const operations = new Set(['chat', 'text_completion', 'generate_content', 'completion', 'responses', 'messages'])

function isCall(attributes: Fields): boolean {
  if (!isGenAi(attributes)) return false
  const operation = attributes['gen_ai.operation.name'] ?? attributes['llm.request.type']
  // The AI SDK names its operations itself; the outer ones have no `do`.
  if (typeof operation === 'string') return operations.has(operation) || /\.do(?:Generate|Stream)/.test(operation)
  return nameOf(attributes['gen_ai.request.model']) !== undefined && usageIn(attributes, undefined) !== undefined
}

function readSpan(span: Span, line: number, answered: Set<string>, input: ReaderInput): Exchange | null {
  const { attributes, startedAt, endedAt } = span
  if (!isCall(attributes)) {
    input.unread({ line, kind: 'other-traffic', message: 'A span that is no call of a model.' })
    return null
  }
  const response = nameOf(attributes['gen_ai.response.id'])
  if (response !== undefined && answered.has(response)) {
    input.unread({ line, kind: 'other-traffic', message: 'A second span for an answer that was read.' })
    return null
  }
  if (response !== undefined) answered.add(response)
  const model = nameOf(attributes['gen_ai.request.model']) ?? nameOf(attributes['gen_ai.response.model'])
  const provider = providerNamed(attributes['gen_ai.provider.name'] ?? attributes['gen_ai.system'], model)
  const request = otelRequest(attributes, provider, model)
  const failed = span.failed || 'error.type' in attributes
  return {
    kind: 'generate',
    request,
    response: answerOf(attributes),
    usage: usageIn(attributes, model),
    error: failed ? (span.message ?? nameOf(attributes['error.type']) ?? 'error') : undefined,
    streamed:
      typeof attributes['gen_ai.request.stream'] === 'boolean' ? attributes['gen_ai.request.stream'] : undefined,
    startedAt,
    endedAt,
    provider,
    model,
    host: nameOf(attributes['server.address']),
    ids: {
      response,
      session: nameOf(attributes['gen_ai.conversation.id']) ?? span.trace,
      agent: nameOf(attributes['gen_ai.agent.name']),
    },
    source: { file: input.name, line },
    fidelity: promptFidelity(request, { time: startedAt !== undefined }),
  }
}

const usageNames = /^gen_ai\.usage\.|^llm\.usage\.|^gen_ai\.(?:provider\.name|system)$/

function usageIn(attributes: Fields, model: string | undefined): Usage | undefined {
  const reported = Object.entries(attributes).filter(([name]) => usageNames.test(name))
  if (!reported.some(([name]) => name.startsWith('gen_ai.usage.'))) return undefined
  // The AI SDK has cached tokens under its own name only.
  const cached = attributes['ai.usage.cachedInputTokens']
  const usage = { ...(cached === undefined ? {} : { [readName]: cached }), ...Object.fromEntries(reported) }
  return readUsage(usage, { format: 'otel', model })
}

const readName = 'gen_ai.usage.cache_read.input_tokens'

/** The answer as far as it was captured; its id and model alone still say that there was one. */
function answerOf(attributes: Fields): unknown {
  const output = structured(attributes['gen_ai.output.messages'] ?? attributes['gen_ai.completion'])
  const [id, model] = [attributes['gen_ai.response.id'], attributes['gen_ai.response.model']]
  if (output === undefined && id === undefined && model === undefined) return undefined
  return {
    ...(id === undefined ? {} : { id }),
    ...(model === undefined ? {} : { model }),
    ...(output === undefined ? {} : { output }),
  }
}
