import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isSse, parseSse } from './sse.ts'

describe('parseSse', () => {
  it.each(['\n', '\r\n', '\r'])('reads events that end in %j', (end) => {
    const stream = [
      ': ping',
      'event: a',
      'data: {"a":1}',
      '',
      'id: 7',
      'data:{"b":2}',
      '',
      'data: [DONE]',
      '',
      '',
    ].join(end)
    expect(parseSse(stream)).toEqual([{ a: 1 }, { b: 2 }])
  })

  it('joins the lines of an event', () => {
    expect(parseSse('data: {"a":\ndata: 1}\n\n')).toEqual([{ a: 1 }])
  })

  it('keeps the events before one that is cut off', () => {
    expect(parseSse('data: {"a":1}\n\ndata: {"b":')).toEqual([{ a: 1 }])
  })

  it('reads a last event that no blank line ends', () => {
    expect(parseSse('\uFEFFdata: {"a":1}')).toEqual([{ a: 1 }])
  })

  it('loses only events from the cut on, wherever a stream is cut', () => {
    const events = [{ a: 'é😀' }, { b: [1, 2] }, { c: null }]
    const stream = events.map((event) => `event: x\r\ndata: ${JSON.stringify(event)}\r\n\r\n`).join('')
    fc.assert(
      fc.property(fc.nat(stream.length), (length) => {
        const found = parseSse(stream.slice(0, length))
        expect(found).toEqual(events.slice(0, found.length))
      }),
    )
  })
})

describe('isSse', () => {
  it.each([
    ['data: {}', true],
    ['event: message_start\ndata: {}', true],
    [': comment', true],
    ['\uFEFF\r\ndata: 1', true],
    ['{"data": 1}', false],
    ['[{"usageMetadata": {}}]', false],
    ['', false],
  ])('%j: %s', (text, expected) => {
    expect(isSse(text)).toBe(expected)
  })
})
