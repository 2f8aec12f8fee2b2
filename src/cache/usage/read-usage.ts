/**
 * The usage in whatever a provider answered: a whole response, the usage object alone, a stream as parsed events or as
 * the text that came over the wire, the attributes of a span.
 *
 * The family is recognised by the names of the fields, unless it is given; a stream is of the family of its first
 * report. Nothing is ever thrown: what cannot be read has no buckets, an anomaly that says so, and `raw` as it was passed
 * in. The odd case is a
 * gateway that answers with the fields of two families; the one whose total contains the cached tokens then counts.
 */
import type { Usage } from '../../base/usage.ts'
import { aiSdkUsage } from './ai-sdk.ts'
import { anthropicUsage } from './anthropic.ts'
import { bedrockUsage } from './bedrock.ts'
import { at, fields, type Fields } from './fields.ts'
import { geminiUsage } from './gemini.ts'
import { openaiUsage } from './openai.ts'
import { attributes, hasCount, otelUsage } from './otel.ts'
import type { ReadOptions, Report, UsageReader } from './reader.ts'
import { isSse, parseJson, parseSse } from './sse.ts'

/**
 * A family of reports: the Messages API; Bedrock Converse; Responses, Chat and all that follow them; Gemini's
 * generateContent and Interactions; OpenTelemetry GenAI attributes; what the AI SDK makes of any of them.
 */
export type UsageFormat = 'anthropic' | 'bedrock' | 'openai' | 'gemini' | 'otel' | 'ai-sdk'

/** What helps to read a report. */
export interface ReadUsageOptions extends ReadOptions {
  /** The family, where the shape does not tell or tells wrong. */
  readonly format?: UsageFormat | undefined
}

// In the order in which they are asked: the fields of a family further down are too common to be asked for first.
const readers: Readonly<Record<UsageFormat, UsageReader>> = {
  otel: otelUsage,
  gemini: geminiUsage,
  'ai-sdk': aiSdkUsage,
  openai: openaiUsage,
  bedrock: bedrockUsage,
  anthropic: anthropicUsage,
}
const formats = Object.keys(readers) as UsageFormat[]

/** Where a report stands in a response or an event. */
const places: readonly (readonly (string | number)[])[] = [
  // The AI SDK keeps the provider's own.
  ['usage', 'raw'],
  ['raw'],
  ['usage'],
  ['usageMetadata'],
  ['message', 'usage'],
  ['response', 'usage'],
  ['response', 'usageMetadata'],
  ['interaction', 'usage'],
  ['metadata', 'usage'],
  ['choices', 0, 'usage'],
  ['x_groq', 'usage'],
]

/** Reads the usage of one answer, in tokens. Never throws; see {@link Usage} for what is not there. */
export function readUsage(response: unknown, options: ReadUsageOptions = {}): Usage {
  const reports = values(response).flatMap((value) => reportsIn(value, options.format))
  const format = options.format ?? reports.map(({ usage }) => formatOf(usage)).find((found) => found !== undefined)
  if (format === undefined) return unread(response)
  const [first, ...rest] = reports.filter(
    ({ usage }) => options.format !== undefined || readers[format].recognises(usage),
  )
  return first === undefined ? unread(response) : readers[format].read([first, ...rest], options)
}

function unread(response: unknown): Usage {
  const message = `No usage of a known shape (${formats.join(', ')}) was found; pass the whole response, or its usage.`
  return { raw: response, anomalies: [{ type: 'not-recognised', message }] }
}

function values(response: unknown): readonly unknown[] {
  if (typeof response === 'string') {
    return isSse(response) ? parseSse(response) : values(parseJson(response) ?? null)
  }
  if (!Array.isArray(response)) return [response]
  const listed = attributes(response)
  return listed !== undefined && hasCount(listed) ? [listed] : (response as readonly unknown[]).map(eventData)
}

/** Clients that parse server-sent events themselves hand on `{ event, data }`, with `data` as text or as a value. */
function eventData(event: unknown): unknown {
  const data = at(event, 'data')
  if (typeof data === 'string') return parseJson(data)
  return fields(data) === undefined || at(event, 'type') !== undefined ? event : data
}

function reportsIn(value: unknown, format: UsageFormat | undefined): Report[] {
  const carrier = fields(value)
  if (carrier === undefined) return []
  const span = attributes(carrier['attributes'])
  if (span !== undefined && hasCount(span)) return [{ usage: span, carrier }]
  for (const place of places) {
    const usage = fields(at(carrier, ...place))
    if (usage !== undefined && (format !== undefined || formatOf(usage) !== undefined)) return [{ usage, carrier }]
  }
  return (format === undefined ? formatOf(carrier) : readers[format].recognises(carrier) ? format : undefined) ===
    undefined
    ? []
    : [{ usage: carrier, carrier }]
}

function formatOf(usage: Fields): UsageFormat | undefined {
  return formats.find((format) => readers[format].recognises(usage))
}
