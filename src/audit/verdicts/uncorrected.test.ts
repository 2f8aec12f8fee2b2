import { describe, expect, it } from 'vitest'
import { callsOf, claude, conversation, judged, mark, rules, user } from './test-log.ts'

/** What Anthropic reports of each call of a conversation, when it reads nothing. */
const missed = (total: number): readonly [number, number, number] => [0, total - 3, 3]

describe('what the rules alone come to', () => {
  const bodies = conversation(4)

  it('is what is predicted, where nothing is reported', () => {
    const { list } = judged(callsOf(bodies))
    for (const { uncorrected, prediction, reasons } of list) {
      expect(uncorrected?.read).toBe(prediction?.usage.read)
      expect(uncorrected?.reasons).toEqual(reasons.filter(({ tokens }) => tokens > 0))
    }
  })

  it('has nothing of what a provider missed, on that turn or later', () => {
    const sizes = judged(callsOf(bodies)).list.map(({ prediction }) => prediction?.usage.total ?? 0)
    const { list } = judged(
      callsOf(bodies, (index) => {
        const total = sizes[index] ?? 0
        // Nothing was written either, so that the next turn finds less.
        return { usage: index === 1 ? [0, 0, total] : missed(total) }
      }),
    )
    expect(list.slice(1).some(({ lostTokens }) => lostTokens > 0)).toBe(true)
    expect(list.map(({ uncorrected }) => uncorrected?.reasons)).toEqual([[], [], [], []])
    const reads = list.map(({ uncorrected }) => uncorrected?.read ?? 0)
    expect(reads[0]).toBe(0)
    expect(reads.slice(1).every((read, index) => read >= (sizes[index] ?? 0) - 10)).toBe(true)
  })

  it('has what was changed, whatever was reported as read', () => {
    const changed = conversation(3, (index) => ({
      system: [{ type: 'text', text: `It is 09:0${index}. ${rules}`, ...mark }],
    }))
    const { list } = judged(callsOf(changed, () => ({ usage: [2000, 100, 3] })))
    for (const { uncorrected } of list.slice(1)) {
      expect(uncorrected?.reasons).toMatchObject([{ kind: 'rewritten', parameters: ['system[0]'] }])
      expect(uncorrected?.reasons[0]?.tokens).toBeGreaterThan(1000)
    }
  })

  it('has a lifetime that was over as that', () => {
    const { list } = judged(callsOf(conversation(2), (index) => ({ at: index * 900 })))
    expect(list[1]?.uncorrected?.reasons).toMatchObject([{ kind: 'expired' }])
  })

  it('is not there for what cannot be played', () => {
    const { list } = judged([
      { body: claude([user('Hello.')]), usage: missed(2000) },
      { body: undefined, usage: missed(2100) },
    ])
    expect(list.map(({ uncorrected }) => uncorrected === null)).toEqual([false, true])
  })
})
