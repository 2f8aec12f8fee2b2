/**
 * Spans as exporters write them, made alike: OTLP JSON, where attributes are a list of keys and typed values, and flat
 * dumps of SDKs, where they are an object.
 */
import { setOwn } from '../../../base/json.ts'
import { field, list, textOf } from '../../../cache/layout/peek.ts'
import { at, count, fields, type Fields } from '../../../cache/usage/fields.ts'
import { parseJson } from '../../../cache/usage/sse.ts'
import { readTime } from '../read-time.ts'

/** What is looked at of a span. */
export interface Span {
  readonly trace: string | undefined
  readonly startedAt: number | undefined
  readonly endedAt: number | undefined
  readonly failed: boolean
  /** What the span says went wrong. */
  readonly message: string | undefined
  /** Of the span, with those of its events where the span does not have them: content may be on either. */
  readonly attributes: Fields
}

/** The spans in one record: a document of OTLP, one of its resources, or a span itself. */
export function spansIn(record: Fields): readonly Span[] {
  const resources = [record['resourceSpans'], record['batches'], field(record['trace'], 'resourceSpans')].flatMap(list)
  if (resources.length > 0) return resources.flatMap((resource) => spansIn(fields(resource) ?? {}))
  const scopes = list(record['scopeSpans'] ?? record['instrumentationLibrarySpans'])
  if (scopes.length > 0) return scopes.flatMap((scope) => list(field(scope, 'spans')).map(spanOf))
  return 'attributes' in record ? [spanOf(record)] : []
}

function spanOf(span: unknown): Span {
  const events = list(field(span, 'events')).map((event) => attributesOf(field(event, 'attributes')))
  const status = field(span, 'status')
  const code = field(status, 'code') ?? field(status, 'status_code')
  return {
    trace:
      textOf(span, 'traceId') || textOf(span, 'trace_id') || textOf(field(span, 'context'), 'trace_id') || undefined,
    startedAt: timeIn(span, ['startTimeUnixNano', 'start_time_unix_nano', 'startTime', 'start_time']),
    endedAt: timeIn(span, ['endTimeUnixNano', 'end_time_unix_nano', 'endTime', 'end_time']),
    failed: code === 2 || String(code).endsWith('ERROR'),
    message: textOf(status, 'message') || textOf(status, 'description') || undefined,
    attributes: Object.assign({}, ...events, attributesOf(field(span, 'attributes'))) as Fields,
  }
}

function timeIn(span: unknown, names: readonly string[]): number | undefined {
  for (const name of names) {
    const time = readTime(field(span, name))
    if (time !== undefined) return time
  }
  return undefined
}

/** Attributes as an object, from either shape. */
export function attributesOf(attributes: unknown): Fields {
  if (!Array.isArray(attributes)) return fields(attributes) ?? {}
  return Object.fromEntries(
    (attributes as readonly unknown[]).map((each) => [textOf(each, 'key'), valueOf(field(each, 'value'))]),
  )
}

/** An AnyValue of OTLP (https://opentelemetry.io/docs/specs/otel/common/#anyvalue) as a JSON value. */
function valueOf(value: unknown): unknown {
  const held = fields(value)
  if (held === undefined) return value
  if ('intValue' in held) return count(held['intValue']) ?? Number(held['intValue'])
  if ('arrayValue' in held) return list(at(held, 'arrayValue', 'values')).map(valueOf)
  if ('kvlistValue' in held) return attributesOf(at(held, 'kvlistValue', 'values'))
  return held['stringValue'] ?? held['doubleValue'] ?? held['boolValue']
}

/** A value that exporters write as JSON text because attributes were flat once. */
export function structured(value: unknown): unknown {
  return typeof value === 'string' && /^\s*[[{]/.test(value) ? (parseJson(value) ?? value) : value
}

/** Objects spread over attributes, as `gen_ai.prompt.0.role`: the object of each number below `prefix`, in order. */
export function numbered(attributes: Fields, prefix: string): readonly Fields[] {
  const found = new Map<number, Record<string, unknown>>()
  const pattern = /^\.(\d{1,6})\.(.+)$/
  for (const [name, value] of Object.entries(attributes)) {
    if (!name.startsWith(prefix)) continue
    const [, index, rest] = pattern.exec(name.slice(prefix.length)) ?? []
    if (index === undefined || rest === undefined) continue
    const entry = found.get(Number(index)) ?? {}
    setOwn(entry, rest, value)
    found.set(Number(index), entry)
  }
  return [...found].sort(([a], [b]) => a - b).map(([, entry]) => entry)
}
