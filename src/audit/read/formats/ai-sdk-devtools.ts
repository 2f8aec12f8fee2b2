/**
 * Vercel AI SDK DevTools, `.devtools/generations.json`: runs (one `generateText` or `streamText` each) and their steps,
 * one call each. `raw_request` is JSON text with the exact body that the provider was sent, in which a body that was text
 * already is a JSON string; `input` is what the SDK was given, and stands in where a call failed before it was sent.
 *
 * Steps are written in the order in which they began, which is that of their numbers in a run. Which runs continue each
 * other is not told.
 */
import { has, list } from '../../../cache/layout/peek.ts'
import { recogniseFormat } from '../../../cache/layout/read-items.ts'
import { readUsage } from '../../../cache/usage/read-usage.ts'
import { fields, type Fields } from '../../../cache/usage/fields.ts'
import { parseJson } from '../../../cache/usage/sse.ts'
import type { Exchange } from '../../exchange.ts'
import { exchangeOf } from '../http-exchange.ts'
import { chatMessages, chatTools } from '../logged-messages.ts'
import { promptFidelity } from '../prompt-fidelity.ts'
import { bodyFor } from '../provider-body.ts'
import { providerNamed } from '../provider-name.ts'
import { readTime } from '../read-time.ts'
import type { Head, LogReader, ReaderInput } from '../types.ts'
import { nameOf } from './json-records.ts'

/** Reads what DevTools recorded. */
export const aiSdkDevtools: LogReader = {
  id: 'ai-sdk-devtools',
  title: 'Vercel AI SDK DevTools',
  hint: 'DevTools keeps neither account nor headers: to tell a change of either, record through a proxy that writes HAR.',
  recognises: isDevtools,
  async *read(input) {
    for await (const { text, line } of input.items(['steps'])) {
      const step = fields(parseJson(text))
      if (step === undefined) input.unread({ line, kind: 'broken', message: 'The step is no JSON object.' })
      else {
        const exchange = readStep(step, line, input)
        if (exchange !== null) yield exchange
      }
    }
  },
}

/** The runs stand before the steps, and may fill the head. */
function isDevtools({ start }: Head): boolean {
  if (!has(start, 'runs') || Array.isArray(start)) return false
  const { runs, steps } = start as { readonly runs?: unknown; readonly steps?: unknown }
  return steps === undefined
    ? list(runs).some((run) => has(run, 'started_at'))
    : list(steps).every((step) => has(step, 'run_id')) && Array.isArray(steps)
}

function readStep(step: Fields, line: number, input: ReaderInput): Exchange | null {
  const model = nameOf(step['model_id'])
  const provider = providerNamed(step['provider'], model)
  const startedAt = readTime(step['started_at'])
  const duration = step['duration_ms']
  const usage = fields(parsed(step['usage']))
  const response = parsed(step['raw_chunks']) ?? parsed(step['raw_response']) ?? parsed(step['output'])
  const common = {
    response,
    startedAt,
    endedAt: startedAt !== undefined && typeof duration === 'number' ? startedAt + duration : undefined,
    error: nameOf(step['error']),
    streamed: step['type'] === 'stream',
    ids: { request: nameOf(step['id']), session: nameOf(step['run_id']) },
  }
  const body = bodyIn(step['raw_request'])
  const own = { model, provider, usage: usage === undefined ? undefined : readUsage({ usage }, { model }) }
  if (body !== undefined) {
    const exchange = exchangeOf({ ...common, request: body, line }, input)
    if (exchange === null) return null
    // The provider's own report says more than what the SDK made of it.
    const isReported = readUsage(response).total !== undefined
    return {
      ...exchange,
      model: exchange.model ?? model,
      provider: provider ?? exchange.provider,
      ...(isReported ? {} : { usage: own.usage }),
    }
  }
  const request = promptOf(fields(parsed(step['input'])), provider, model)
  if (request === undefined)
    input.unread({ line, kind: 'no-body', message: 'The step has neither a body nor a prompt.' })
  return {
    ...common,
    ...own,
    kind: 'generate',
    request,
    source: { file: input.name, line },
    fidelity: promptFidelity(request, { tools: true, system: true, parameters: true, time: startedAt !== undefined }),
  }
}

/** The text of the body that was sent. */
function bodyIn(raw: unknown): string | undefined {
  if (typeof raw !== 'string') return undefined
  const value = parseJson(raw)
  const text = typeof value === 'string' ? value : raw
  return recogniseFormat(typeof value === 'string' ? parseJson(value) : value) === undefined ? undefined : text
}

function promptOf(
  given: Fields | undefined,
  provider: string | undefined,
  model: string | undefined,
): object | undefined {
  const messages = chatMessages(given?.['prompt'])
  if (messages === undefined) return undefined
  const tools = chatTools(given?.['tools'])
  return bodyFor(provider, model, {
    ...(model === undefined ? {} : { model }),
    messages,
    ...(tools === undefined ? {} : { tools }),
  })
}

function parsed(value: unknown): unknown {
  const found = typeof value === 'string' ? parseJson(value) : value
  return found === null || (Array.isArray(found) && found.length === 0) ? undefined : found
}
