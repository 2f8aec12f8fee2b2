/**
 * Log events in which Claude Code puts the bodies of its calls, or the name of the file that has one: as OpenTelemetry
 * exports them in JSON, or one event per line as collectors write them.
 */
import { field, list, textOf } from '../../cache/layout/peek.ts'
import { readTime } from './read-time.ts'
import type { Head } from './types.ts'

/** One event. */
export interface BodyEvent {
  readonly type: 'request' | 'response'
  /** Undefined where it is in a file of its own. Cut at 60 KB. */
  readonly body: string | undefined
  /** Milliseconds since the epoch. */
  readonly at: number | undefined
  readonly session: string | undefined
  readonly agent: string | undefined
}

const eventName = /^(?:claude_code\.)?api_(request|response)_body$/

/** True where the first records are log events, some of which have bodies. */
export function hasBodyEvent({ records, start, text }: Head): boolean {
  return (
    text.includes('api_request_body') &&
    [start, ...records].some((record) => field(record, 'resourceLogs') !== undefined || bodyEventsIn(record).length > 0)
  )
}

/** The events in a line or document. */
export function bodyEventsIn(record: unknown): BodyEvent[] {
  const nested = list(field(record, 'resourceLogs'))
    .flatMap((resource) => list(field(resource, 'scopeLogs')))
    .flatMap((scope) => list(field(scope, 'logRecords')))
  return (nested.length > 0 ? nested : [record]).flatMap((event) => eventOf(event) ?? [])
}

function eventOf(event: unknown): BodyEvent | undefined {
  const attributes = attributesOf(field(event, 'attributes'))
  const names = [attributes('event.name'), valueOf(field(event, 'body')), textOf(event, 'eventName')]
  const type = names.map((name) => eventName.exec(name ?? '')?.[1]).find((found) => found !== undefined)
  if (type !== 'request' && type !== 'response') return undefined
  return {
    type,
    body: attributes('body'),
    at: readTime(attributes('event.timestamp') ?? field(event, 'timeUnixNano') ?? field(event, 'timestamp')),
    session: attributes('session.id'),
    agent: attributes('query_source'),
  }
}

/** Attributes are an object, or a list of keys and values that name their type. */
function attributesOf(attributes: unknown): (name: string) => string | undefined {
  if (!Array.isArray(attributes)) return (name) => valueOf(field(attributes, name))
  return (name) =>
    valueOf(
      field(
        attributes.find((each) => field(each, 'key') === name),
        'value',
      ),
    )
}

function valueOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  return textOf(value, 'stringValue') || undefined
}
