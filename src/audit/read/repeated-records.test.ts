import { describe, expect, it } from 'vitest'
import type { Exchange } from '../exchange.ts'
import { looseExchange } from './loose-record.ts'
import { RepeatedRecords } from './repeated-records.ts'
import { inputOf } from './test-input.ts'

const id = 'chatcmpl-9Zz8yXx7wVv6uTt5'

function call(line: number, over: Partial<Exchange> = {}, text = 'a'): Exchange {
  const body = { model: 'gpt-4o', messages: [{ role: 'user', content: text }] }
  return { ...looseExchange(body, line, inputOf(''))!, ids: { response: id }, startedAt: 1e12, ...over }
}

describe('a record', () => {
  it('is repeated by one with the same answer, body and time, and by no other', () => {
    const records = new RepeatedRecords()
    const first = call(1)
    expect(records.find(first)).toBeUndefined()
    expect(records.find(call(2))).toBe(first.source)
    expect(records.find(call(3))).toBe(first.source)
    for (const other of [call(4, { startedAt: 2e12 }), call(5, { ids: { response: `${id}1` } }), call(6, {}, 'b')]) {
      expect(records.find(other)).toBeUndefined()
    }
  })

  it('is of a call of its own where that cannot be told', () => {
    const records = new RepeatedRecords()
    for (const over of [{ startedAt: undefined }, { ids: {} }, { ids: { response: 'chatcmpl-1' } }]) {
      expect([records.find(call(1, over)), records.find(call(2, over))]).toEqual([undefined, undefined])
    }
  })
})
