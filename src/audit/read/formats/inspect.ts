/**
 * Inspect AI eval logs: a JSON document, or the members of an `.eval` archive, in which every sample is a file.
 *
 * Events of a sample with `event: "model"` are its calls. They hold the body as it was sent where the API was logged;
 * otherwise the messages that Inspect was given, from which a body is made. Odd case: an answer out of Inspect's own
 * cache (`cache: "read"`) is no call to a provider.
 */
import type { Usage } from '../../../base/usage.ts'
import { field, has, list, textOf } from '../../../cache/layout/peek.ts'
import { at, fields, type Fields } from '../../../cache/usage/fields.ts'
import { readUsage } from '../../../cache/usage/read-usage.ts'
import { parseJson } from '../../../cache/usage/sse.ts'
import type { Exchange } from '../../exchange.ts'
import { exchangeOf } from '../http-exchange.ts'
import { chatTools } from '../logged-messages.ts'
import { promptFidelity } from '../prompt-fidelity.ts'
import { bodyFor } from '../provider-body.ts'
import { providerNamed } from '../provider-name.ts'
import type { Head, LogReader, ReaderInput } from '../types.ts'
import { Sample } from './inspect-sample.ts'
import { nameOf, timeOf } from './json-records.ts'

/** Reads logs of Inspect AI. */
export const inspect: LogReader = {
  id: 'inspect',
  title: 'Inspect AI log',
  hint: 'Run the evaluation with --log-model-api, so that the log has the requests as they were sent.',
  recognises: (head) => isLog(head) || isSample(head.start) || isSummary(head),
  async *read(input) {
    const { head } = input
    if (isLog(head)) {
      // The header of an archive is a log without samples.
      if (head.whole && !has(head.start, 'samples')) return
      for await (const { text, line } of input.items(['samples'])) yield* callsIn(parseJson(text), line, input)
    } else if (isSample(head.start)) {
      const text = await input.document()
      if (text !== undefined) yield* callsIn(parseJson(text), 1, input)
    }
  },
}

function isLog({ start }: Head): boolean {
  return has(start, 'version') && has(field(start, 'eval'), 'task')
}

function isSample(value: unknown): boolean {
  return ['id', 'epoch', 'input', 'target'].every((name) => has(value, name))
}

/** Members of an archive that hold no calls: what became of the samples. */
function isSummary({ start, name }: Head): boolean {
  if (!/(?:^|[/\\])(?:summaries|reductions|\d+)\.json$/.test(name)) return false
  const [first] = list(start)
  return isSample(first) || (has(first, 'scorer') && has(first, 'samples'))
}

function* callsIn(value: unknown, line: number, input: ReaderInput): Iterable<Exchange> {
  const record = fields(value)
  if (record === undefined) {
    input.unread({ line, kind: 'broken', message: 'The sample is no JSON object, or only a part of one.' })
    return
  }
  const sample = new Sample(record)
  for (const event of list(record['events'])) {
    const found = field(event, 'event') === 'model' ? callOf(event as Fields, { sample, record, line, input }) : null
    if (found !== null) yield found
  }
}

interface Context {
  readonly sample: Sample
  readonly record: Fields
  readonly line: number
  readonly input: ReaderInput
}

function callOf(event: Fields, { sample, record, line, input }: Context): Exchange | null {
  if (event['cache'] === 'read') {
    input.unread({
      line,
      kind: 'other-traffic',
      message: 'An answer out of the cache of Inspect, for which nobody was asked.',
    })
    return null
  }
  const [, vendor, model] = /^([^/]*)\/(.*)$/.exec(textOf(event, 'model')) ?? ['', '', textOf(event, 'model')]
  const provider = providerNamed(vendor, model)
  const sent = sample.request(event['call'])
  const { value, missing, redacted } = sent ?? sample.input(event)
  if (missing > 0) {
    input.unread({
      line,
      kind: 'no-body',
      message: `${missing} texts of a call are not among the attachments of its sample.`,
    })
    return null
  }
  const request = sent === undefined ? bodyOf({ provider, model, messages: list(value) }, event, sample) : fields(value)
  const response = sample.resolve(field(event['call'], 'response')).value
  const startedAt = timeOf(event['timestamp'])
  const exchange = exchangeOf(
    {
      request,
      response,
      startedAt,
      endedAt: timeOf(event['completed']),
      line,
      fidelity:
        sent === undefined ? promptFidelity(request, { redacted, time: startedAt !== undefined }) : { redacted },
      ids: { session: [record['id'], record['epoch']].join('/'), agent: nameOf(event['role']) },
      error: nameOf(event['error']),
    },
    input,
  )
  if (exchange === null) return null
  return { ...exchange, provider, usage: usageOf(event, response), model: has(request, 'model') ? undefined : model }
}

interface Given {
  readonly provider: string | undefined
  readonly model: string
  readonly messages: readonly unknown[]
}

/** A body out of what Inspect was given; undefined where that is nothing. */
function bodyOf({ provider, model, messages }: Given, event: Fields, sample: Sample): object | undefined {
  if (messages.length === 0) return undefined
  const tools = chatTools(sample.resolve(event['tools']).value)
  const chat = { model, messages: messages.map(chatMessage), ...(tools === undefined ? {} : { tools }) }
  return bodyFor(provider, model, chat)
}

/** Calls have the name of the function where Chat has an object. */
function chatMessage(message: unknown): unknown {
  const { role, content, tool_calls: calls, tool_call_id: id } = fields(message) ?? {}
  const named = list(calls).map((call) => ({
    id: field(call, 'id'),
    type: 'function',
    function: { name: field(call, 'function'), arguments: JSON.stringify(field(call, 'arguments') ?? {}) },
  }))
  return {
    role,
    content,
    ...(named.length === 0 ? {} : { tool_calls: named }),
    ...(id === undefined ? {} : { tool_call_id: id }),
  }
}

/**
 * Undefined where the answer has the provider's own. Inspect's `input_tokens` left out cached tokens for some providers
 * until February 2026 (pull request 3341); the grand total tells.
 */
function usageOf(event: Fields, response: unknown): Usage | undefined {
  const reported = fields(at(event, 'output', 'usage'))
  if (reported === undefined || readUsage(response).total !== undefined) return undefined
  const details = {
    cached_tokens: reported['input_tokens_cache_read'],
    cache_write_tokens: reported['input_tokens_cache_write'],
  }
  const usage = {
    prompt_tokens: reported['input_tokens'],
    completion_tokens: reported['output_tokens'],
    total_tokens: reported['total_tokens'],
    prompt_tokens_details: details,
    completion_tokens_details: { reasoning_tokens: reported['reasoning_tokens'] },
  }
  return { ...readUsage(usage, { format: 'openai', model: textOf(event, 'model') }), raw: reported }
}
