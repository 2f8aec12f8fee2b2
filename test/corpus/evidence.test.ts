import { describe, expect, it } from 'vitest'
import { problemWith, type Evidence } from './evidence.ts'
import { judge } from './run.ts'
import { turnsOf, type Plan } from './test-turn.ts'

const long = 'x'.repeat(900)
const hit = 'messages[0].content[0]'
const first: Plan = { texts: [long], read: 0, write: 900 }
const missed: Plan = { texts: [long, 'more'], predicted: 900, hit, read: 0, write: 904 }
const later: Plan = { texts: [long, 'more', 'again'], predicted: 904, hit: 'messages[0].content[1]', read: 904 }

function problem(plans: readonly Plan[], evidence: Evidence = 'later-read'): string | undefined {
  return problemWith({ file: 'recording.json', call: 1, evidence, explanation: '' }, turnsOf(plans))
}

describe('an exclusion', () => {
  it('holds when a later turn of the same bytes reads that far', () => {
    expect(problem([first, missed, later])).toBeUndefined()
  })

  it('does not hold without a later turn, with one that reads less, or with one of other bytes', () => {
    const none = 'no later turn reads 900 tokens or more of the same bytes'
    expect(problem([first, missed])).toBe(none)
    expect(problem([first, missed, { ...later, read: 899 }])).toBe(none)
    expect(problem([first, missed, { ...later, texts: ['y'] }])).toBe(none)
  })

  it('holds when exactly an older entry was read', () => {
    const older: Plan = { texts: [long, 'more'], predicted: 900, hit, read: 900, write: 50 }
    const short: Plan = { texts: [long, 'more', 'end'], predicted: 950, hit: 'messages[0].content[1]', read: 900 }
    const turns = turnsOf([first, older, short])
    const exclusion = { file: 'recording.json', call: 2, evidence: 'older-breakpoint', explanation: '' } as const
    expect(problemWith(exclusion, turns)).toBeUndefined()
    expect(problemWith(exclusion, turnsOf([first, older, { ...short, read: 899 }]))).toBe(
      'no older entry is known to end at 899 tokens',
    )
  })

  it('does not take a read of nothing for an older entry', () => {
    expect(problem([first, missed, later], 'older-breakpoint')).toBe('no older entry is known to end at 0 tokens')
  })

  it('asks for the same bytes as far as the predicted read', () => {
    const rewritten = { ...missed, texts: [`y${long}`, 'more'] }
    expect(problem([first, rewritten, later])).toBe('no earlier request of its scope had sent the same bytes that far')
  })

  it('asks for the same scope', () => {
    const elsewhere = { ...missed, body: { tool_choice: { type: 'any' } } }
    expect(problem([first, elsewhere, later])).toBe('no earlier request of its scope had sent the same bytes that far')
    expect(problem([{ ...first, model: 'claude-opus-4-8' }, missed, later])).toContain('no earlier request')
  })

  it('asks for a short time, where there is a clock', () => {
    const at = Date.UTC(2026, 0, 1)
    expect(problem([{ ...first, at }, { ...missed, at: at + 300_000 }, later])).toBeUndefined()
    expect(problem([{ ...first, at }, { ...missed, at: at + 300_001 }, later])).toBe(
      'more than 300 s lie between it and call 0',
    )
  })

  it('is not needed where the prediction is right or the read is no shorter', () => {
    expect(problem([first, { ...missed, read: 900 }, later])).toBe('it is not needed: the prediction is right')
    expect(problem([first, { ...missed, read: 1000 }, later])).toBe('1000 were read, not less than the predicted 900')
    expect(problem([first])).toBe('the recording has no such call')
  })
})

describe('the list of exclusions', () => {
  const line = { file: 'recording.json', evidence: 'later-read', explanation: '' } as const

  it('takes a turn out of the warm ones only when its line holds', () => {
    const turns = turnsOf([first, missed, later])
    expect(judge(turns, [{ ...line, call: 1 }])).toMatchObject({
      judged: [{ category: 'cold' }, { category: 'excluded', hit: false }, { category: 'warm', hit: true }],
      problems: [],
    })
    const unproven = judge(turnsOf([first, missed]), [{ ...line, call: 1 }])
    expect(unproven.judged.map(({ category }) => category)).toEqual(['cold', 'warm'])
    expect(unproven.problems).toHaveLength(1)
  })

  it('may not name a turn that is not warm', () => {
    expect(judge(turnsOf([first, missed, later]), [{ ...line, call: 0 }]).problems).toEqual([
      'the exclusion of call 0 does not hold: it is not needed: the turn is not warm',
    ])
  })
})
