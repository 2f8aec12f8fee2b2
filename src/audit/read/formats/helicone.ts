/**
 * Helicone exports (`npx @helicone/export`, or the answer of its API): one row per request, as JSON lines or a JSON list.
 *
 * The bodies are those that went through its gateway, parsed. Odd cases: images were taken out and stand among the
 * assets; an answer out of Helicone's own cache is no call to a provider.
 */
import type { Usage } from '../../../base/usage.ts'
import { at, fields, type Fields } from '../../../cache/usage/fields.ts'
import { readUsage } from '../../../cache/usage/read-usage.ts'
import type { Exchange } from '../../exchange.ts'
import { exchangeOf } from '../http-exchange.ts'
import { providerNamed } from '../provider-name.ts'
import { readTime } from '../read-time.ts'
import type { LogReader, ReaderInput } from '../types.ts'
import { nameOf, type JsonRecord } from './json-records.ts'
import { firstRows, jsonRows } from './json-rows.ts'

/** Reads exports of Helicone. */
export const helicone: LogReader = {
  id: 'helicone',
  title: 'Helicone export',
  hint: 'Export with --include-body, so that the rows have the requests.',
  recognises: (head) => firstRows(head, ['data']).some(isRow),
  async *read(input) {
    for await (const row of jsonRows(input, ['data'])) {
      const exchange = callOf(row, input)
      if (exchange !== null) yield exchange
    }
  },
}

function isRow(row: Fields): boolean {
  const others = ['request_body', 'request_path', 'response_body', 'response_status']
  return 'request_id' in row && 'request_created_at' in row && others.some((name) => name in row)
}

/** No id at all, as the API writes it. */
const noReference = /^0{8}-/

function callOf({ record, line }: JsonRecord, input: ReaderInput): Exchange | null {
  if (!isRow(record)) {
    input.unread({ line, kind: 'unknown-shape', message: 'The entry is no request.' })
    return null
  }
  const cached = nameOf(record['cache_reference_id'])
  if (cached !== undefined && !noReference.test(cached)) {
    input.unread({
      line,
      kind: 'other-traffic',
      message: 'An answer out of the cache of Helicone, for which nobody was asked.',
    })
    return null
  }
  const model = nameOf(record['request_model']) ?? nameOf(record['model']) ?? nameOf(record['response_model'])
  const startedAt = readTime(record['request_created_at'])
  const status = record['response_status'] ?? record['status']
  const properties = record['request_properties'] ?? record['properties']
  const redacted = Object.keys(fields(record['assets']) ?? fields(record['asset_urls']) ?? {}).length > 0
  const exchange = exchangeOf(
    {
      url: nameOf(record['target_url']) ?? nameOf(record['request_path']),
      request: record['request_body'],
      response: record['response_body'],
      // Calls that Helicone lost sight of have a negative one.
      status: typeof status === 'number' && status > 0 ? status : undefined,
      startedAt,
      endedAt: endOf(record, startedAt),
      line,
      ids: { request: nameOf(record['request_id']), session: nameOf(at(properties, 'Helicone-Session-Id')) },
      fidelity: { redacted },
    },
    input,
  )
  if (exchange === null) return null
  const provider = exchange.provider ?? providerNamed(record['provider'], model)
  return { ...exchange, provider, usage: usageOf(record, provider, model, exchange.response) }
}

function endOf(record: Fields, startedAt: number | undefined): number | undefined {
  const delay = record['delay_ms']
  const ended = readTime(record['response_created_at'])
  return ended ?? (startedAt !== undefined && typeof delay === 'number' ? startedAt + delay : undefined)
}

/** Undefined where the answer has the provider's own. Helicone passes on what each provider calls its input. */
function usageOf(
  record: Fields,
  provider: string | undefined,
  model: string | undefined,
  response: unknown,
): Usage | undefined {
  if (record['prompt_tokens'] === undefined || readUsage(response).total !== undefined) return undefined
  const [input, output] = [record['prompt_tokens'], record['completion_tokens']]
  const [read, written] = [record['prompt_cache_read_tokens'], record['prompt_cache_write_tokens']]
  const isDisjoint = provider === 'anthropic' || provider === 'bedrock' || provider === 'vertex'
  const usage = isDisjoint
    ? {
        input_tokens: input,
        output_tokens: output,
        cache_read_input_tokens: read,
        cache_creation_input_tokens: written,
      }
    : { prompt_tokens: input, completion_tokens: output, prompt_tokens_details: { cached_tokens: read } }
  const found = readUsage(usage, { format: isDisjoint ? 'anthropic' : 'openai', model })
  return found.total === undefined ? undefined : found
}
