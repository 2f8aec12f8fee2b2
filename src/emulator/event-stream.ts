/**
 * Writing the events of a streamed answer: one at a time, the next one when the client has room for it. When the client
 * hangs up, the stream is cancelled and no further event is waited for.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { StreamEvent } from './types.ts'

/** How events are written: server-sent events, or the elements of one JSON array (Gemini without `alt=sse`). */
export type Framing = 'sse' | 'array'

/** What the stream reports and obeys. */
export interface EventStreamOptions {
  readonly framing: Framing
  /** Milliseconds before each event but the first. */
  readonly delay: number
  readonly signal: AbortSignal
  /** All events were taken. */
  readonly onEnd: () => void
}

/** The events as the bytes of a response. */
export function eventStream(events: readonly StreamEvent[], options: EventStreamOptions): ReadableStream<Uint8Array> {
  const { framing, delay, signal, onEnd } = options
  const encoder = new TextEncoder()
  let next = 0
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const event = events[next]
      if (event === undefined) {
        controller.close()
        onEnd()
        return
      }
      if (delay > 0 && next > 0) await pause(delay, undefined, { signal })
      next++
      const text = framing === 'sse' ? encodeEvent(event) : encodeElement(event, next === 1, next === events.length)
      controller.enqueue(encoder.encode(text))
    },
  })
}

function encodeEvent({ event, data, bare }: StreamEvent): string {
  const line = bare === true && typeof data === 'string' ? data : JSON.stringify(data)
  return event === undefined ? `data: ${line}\n\n` : `event: ${event}\ndata: ${line}\n\n`
}

function encodeElement({ data }: StreamEvent, first: boolean, last: boolean): string {
  return `${first ? '[' : ',\r\n'}${JSON.stringify(data)}${last ? ']' : ''}`
}
