import { describe, expect, it } from 'vitest'
import { looseExchange } from './loose-record.ts'
import { inputOf } from './test-input.ts'
import { withoutFalseTimes } from './false-times.ts'

const exchange = looseExchange({ model: 'gpt-4o', messages: [{ role: 'user', content: 'a' }] }, 1, inputOf(''))!
const timed = { ...exchange, fidelity: { ...exchange.fidelity, time: true } }
const noon = Date.UTC(2026, 10, 2, 12)

describe('times of a call', () => {
  it('stay where they are times, or absent', () => {
    for (const times of [{}, { startedAt: noon }, { startedAt: noon, endedAt: noon - 1 }]) {
      const call = { ...timed, ...times }
      expect(withoutFalseTimes(call)).toBe(call)
    }
  })

  it.each([0, -62_135_596_800_000, 8.64e15, 1e303, Number.NaN, -Infinity])('are absent at %d', (time) => {
    expect(withoutFalseTimes({ ...timed, startedAt: time, endedAt: noon })).toMatchObject({
      startedAt: undefined,
      endedAt: noon,
      fidelity: { time: true },
    })
    expect(withoutFalseTimes({ ...timed, startedAt: time, endedAt: time })).toMatchObject({
      startedAt: undefined,
      endedAt: undefined,
      fidelity: { time: false },
    })
  })
})
