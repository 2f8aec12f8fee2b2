/**
 * Inspect AI eval logs: `samples[].events[]`, of which those with `event: "model"` carry the call as it was sent. Long
 * texts stand once in the sample's `attachments` and are named `attachment://id` wherever they belong.
 */
import { field, has, list } from '../../../src/cache/layout/peek.ts'
import type { Exchange, RecordingReader } from '../exchange.ts'

const reference = 'attachment://'

export const inspect: RecordingReader = {
  name: 'inspect',
  recognises: ([log]) => has(log, 'eval') && list(field(log, 'samples')).some((sample) => has(sample, 'events')),
  read: ([log]) => list(field(log, 'samples')).flatMap(modelEvents).map(exchange),
}

interface ModelEvent {
  readonly event: unknown
  readonly attachments: unknown
}

function modelEvents(sample: unknown): ModelEvent[] {
  const events = list(field(sample, 'events')).filter(
    (event) => field(event, 'event') === 'model' && has(event, 'call'),
  )
  return events.map((event) => ({ event, attachments: field(sample, 'attachments') }))
}

function exchange({ event, attachments }: ModelEvent, index: number): Exchange {
  const call = field(event, 'call')
  const started = Date.parse(String(field(event, 'timestamp')))
  return {
    index,
    // As `openai/gpt-4o-mini`: the log has no addresses, but says whose API it was.
    host: String(field(event, 'model')).replace(/\/.*$/, ''),
    path: '',
    request: resolve(field(call, 'request'), attachments),
    response: resolve(field(call, 'response'), attachments),
    status: undefined,
    startedAt: Number.isNaN(started) ? undefined : started,
    date: undefined,
  }
}

/** Throws on a reference to an attachment that the log does not have: its text would be sent as a prompt. */
function resolve(value: unknown, attachments: unknown): unknown {
  if (typeof value === 'string') {
    if (!value.startsWith(reference)) return value
    const text = field(attachments, value.slice(reference.length))
    if (typeof text !== 'string') throw new Error(`the log has no ${value}`)
    return text
  }
  if (Array.isArray(value)) return value.map((each) => resolve(each, attachments))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, resolve(each, attachments)]))
}
