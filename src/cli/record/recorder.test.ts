import { describe, expect, it } from 'vitest'
import type { Begun, Ended } from './log-worker.ts'
import { Recorder } from './recorder.ts'

const opening = { url: 'https://x.example/v1/messages', method: 'POST', rawHeaders: [] }

describe('the end of an exchange', () => {
  it('waits for its line, and not for ever', async () => {
    const recorder = new Recorder({ log: { begin: () => {}, end: () => new Promise(() => {}) }, now: () => 0 })
    await recorder.begin(opening).end()
    await recorder.begin(opening).end()
    expect(recorder.cut).toBe(0)
  })

  it('is noted once, with what came until then and why', async () => {
    const begun: Begun[] = []
    const ended: Ended[] = []
    const log = {
      begin: (one: Begun) => void begun.push(one),
      end: async (one: Ended) => void ended.push(one),
    }
    let time = 0
    const recorder = new Recorder({ log, now: () => ++time, totalLimit: 100 })
    const recording = recorder.begin(opening)
    recording.sent(Buffer.from('ab'))
    recording.replied({ status: 200, rawHeaders: [] })
    recording.received(Buffer.from('cd'))
    await recording.end('It broke off.')
    recording.sent(Buffer.from('ef'))
    recording.received(Buffer.from('gh'))
    await recording.end()
    expect(begun.map(({ opening: { startedAt }, body }) => [startedAt, String(body.bytes)])).toEqual([[1, 'ab']])
    expect(ended.map(({ reply, ending, body }) => [reply?.status, ending, String(body.bytes)])).toEqual([
      [200, { endedAt: 2, error: 'It broke off.' }, 'cd'],
    ])
    expect(recorder.free).toBe(100)
  })

  it('frees what it held for the bodies of others', async () => {
    const kept: number[] = []
    const log = { begin: ({ body }: Begun) => void kept.push(body.bytes.length), end: async () => {} }
    const recorder = new Recorder({ log, now: () => 0, totalLimit: 10 })
    const [one, two] = [recorder.begin(opening), recorder.begin(opening)]
    one.sent(Buffer.alloc(8))
    two.sent(Buffer.alloc(8))
    await Promise.all([one.end(), two.end()])
    const three = recorder.begin(opening)
    three.sent(Buffer.alloc(8))
    await three.end()
    expect([kept, recorder.cut, recorder.free]).toEqual([[8, 0, 8], 1, 10])
  })
})
