import { describe, expect, it } from 'vitest'
import { readUsage } from '../../cache/usage/read-usage.ts'
import { decodeEventStream, isEventStream } from './aws-event-stream.ts'
import { readBody } from './recorded-body.ts'

/** A message with two text headers, as Bedrock writes it; checksums are not looked at. */
function message(type: string, payload: unknown): Uint8Array {
  const header = (name: string, value: string): Buffer =>
    Buffer.concat([
      Buffer.from([name.length]),
      Buffer.from(name),
      Buffer.from([7, 0, value.length]),
      Buffer.from(value),
    ])
  const headers = Buffer.concat([header(':message-type', 'event'), header(':event-type', type)])
  const body = Buffer.from(JSON.stringify(payload))
  const prelude = Buffer.alloc(12)
  prelude.writeUInt32BE(16 + headers.length + body.length, 0)
  prelude.writeUInt32BE(headers.length, 4)
  return Buffer.concat([prelude, headers, body, Buffer.alloc(4)])
}

const stream = Buffer.concat([
  message('messageStart', { role: 'assistant' }),
  message('metadata', {
    usage: { inputTokens: 7, outputTokens: 2, cacheReadInputTokens: 100, cacheWriteInputTokens: 0 },
  }),
])

describe('event streams of Bedrock', () => {
  it('come out as the events that an SDK gives, with the usage in them', () => {
    const events = decodeEventStream(stream)
    expect(events[0]).toEqual({ messageStart: { role: 'assistant' } })
    expect(readUsage(events)).toMatchObject({ total: 107, read: 100, output: 2 })
    expect(readBody(stream)).toEqual({ type: 'body', value: events })
  })

  it('of InvokeModel hold the events of the model', () => {
    const start = { type: 'message_start', message: { usage: { input_tokens: 3 } } }
    const chunk = message('chunk', { bytes: Buffer.from(JSON.stringify(start)).toString('base64') })
    expect(decodeEventStream(chunk)).toEqual([start])
    expect(decodeEventStream(message('chunk', { bytes: '%%%' }))).toEqual([])
  })

  it('may be cut off or damaged anywhere', () => {
    for (let end = 0; end < stream.length; end++) {
      const events = decodeEventStream(stream.subarray(0, end))
      expect(events.length).toBeLessThanOrEqual(end < stream.length - 4 ? 1 : 2)
    }
    const damaged = Buffer.from(stream)
    damaged.fill(0xff, 12, 40)
    expect(decodeEventStream(damaged)).toHaveLength(2)
  })

  it('are not confused with text', () => {
    expect(isEventStream(stream)).toBe(true)
    expect(isEventStream(Buffer.from('data: {"type":"message_start"}\n\n'))).toBe(false)
    expect(isEventStream(new Uint8Array(5))).toBe(false)
  })
})
