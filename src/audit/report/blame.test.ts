import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Alignment, Step } from '../changes/types.ts'
import { turnsOf } from '../test-turns.ts'
import type { Reason, VerdictKind } from '../verdicts/types.ts'
import { blame, inProviderOrder } from './blame.ts'
import { clockTurns, culpritOf, verdictOf } from './test-parts.ts'

const [first, second] = clockTurns(2) as [ReturnType<typeof clockTurns>[0], ReturnType<typeof clockTurns>[0]]
const clock = culpritOf([second])
const parameter = culpritOf([second], { id: 'parameter-1', kind: 'parameter', path: 'parameter tool_choice' })
const wasted = culpritOf([second], { id: 'wasted-1', kind: 'breakpoint-wasted' })
const pruned = culpritOf([second], { id: 'pruned-1', kind: 'pruned-result', path: 'messages[0].content[0]' })

const reason = (kind: VerdictKind, tokens: number): Reason => ({ kind, tokens, detail: '' })

describe('what a turn lost', () => {
  it('goes to the earliest culprit alone', () => {
    const verdict = verdictOf(second, { verdict: 'rewritten', lostTokens: 900 })
    expect(blame(verdict, [clock, pruned])).toEqual([{ culprit: 'clock-1', reason: 'rewritten', tokens: 900 }])
  })

  it('goes to no culprit for what a lifetime took', () => {
    const verdict = verdictOf(second, {
      verdict: 'expired',
      lostTokens: 900,
      reasons: [reason('expired', 600), reason('rewritten', 300)],
    })
    expect(blame(verdict, [clock])).toEqual([
      { culprit: null, reason: 'expired', tokens: 600 },
      { culprit: 'clock-1', reason: 'rewritten', tokens: 300 },
    ])
  })

  it('goes to a parameter where another value of one lost it, whatever stands before it', () => {
    const verdict = verdictOf(second, { verdict: 'scope', lostTokens: 50 })
    expect(blame(verdict, [clock, parameter])).toEqual([{ culprit: 'parameter-1', reason: 'scope', tokens: 50 }])
    expect(blame(verdict, [clock])).toEqual([{ culprit: null, reason: 'scope', tokens: 50 }])
  })

  it('goes to a wasted breakpoint where nobody looked for it', () => {
    const lost = { lostTokens: 50 }
    expect(blame(verdictOf(second, { verdict: 'unmarked', ...lost }), [wasted])[0]?.culprit).toBe('wasted-1')
    expect(blame(verdictOf(second, { verdict: 'unmarked', ...lost }), [clock])[0]?.culprit).toBeNull()
  })

  it('goes to a breakpoint on what only one call had where nothing else changed', () => {
    const verdict = verdictOf(second, { verdict: 'rewritten', lostTokens: 50 })
    expect(blame(verdict, [wasted])).toEqual([{ culprit: 'wasted-1', reason: 'rewritten', tokens: 50 }])
    expect(blame(verdict, [wasted, clock])[0]?.culprit).toBe('clock-1')
    expect(blame(verdict, [wasted, parameter])[0]?.culprit).toBe('parameter-1')
  })

  it('is nobody’s where nothing was lost', () => {
    expect(blame(verdictOf(second), [clock])).toEqual([])
  })

  it('is split without a rest, whatever reasons are given', () => {
    const kinds = fc.constantFrom<VerdictKind>('rewritten', 'scope', 'expired', 'unmarked', 'provider-miss', 'unknown')
    const reasons = fc.array(fc.tuple(kinds, fc.nat(1000)).map(([kind, tokens]) => reason(kind, tokens)))
    const culprits = fc.subarray([clock, parameter, wasted, pruned])
    fc.assert(
      fc.property(fc.nat(2000), kinds, reasons, culprits, (lostTokens, verdict, all, on) => {
        const shares = blame(verdictOf(second, { verdict, lostTokens, reasons: all }), on)
        expect(shares.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(lostTokens)
        expect(shares.every(({ tokens }) => tokens > 0)).toBe(true)
      }),
      { numRuns: 100 },
    )
  })
})

describe('culprits of a turn', () => {
  const alignmentOf = (steps: readonly Step[], parameters: Alignment['parameters'] = []): Alignment => ({
    turn: second,
    parent: first,
    steps,
    parameters,
    notes: [],
  })
  const hunk = (
    culprit: string | null,
  ): { before: { start: 0; end: 1 }; after: { start: 0; end: 1 }; culprit: string | null } => ({
    before: { start: 0, end: 1 },
    after: { start: 0, end: 1 },
    culprit,
  })
  const named = (id: string): typeof clock => culpritOf([second], { id })
  const idsOf = (alignment: Alignment | undefined, ids: readonly string[]): string[] =>
    inProviderOrder(second, ids.map(named), alignment).map(({ id }) => id)

  it('stand in the order in which the provider reads', () => {
    const alignment = alignmentOf([
      { type: 'removed', from: 0, culprit: 'tool' },
      { type: 'edited', from: 1, to: 0, hunks: [hunk('clock'), hunk(null), hunk('git')] },
      { type: 'inserted', to: 1, culprit: 'block' },
      { type: 'appended', to: 2 },
    ])
    expect(idsOf(alignment, ['block', 'git', 'clock', 'tool'])).toEqual(['tool', 'clock', 'git', 'block'])
  })

  it('stand where a moved block was missed first', () => {
    const alignment = alignmentOf([
      { type: 'same', from: 0, to: 0 },
      { type: 'edited', from: 2, to: 1, hunks: [hunk('edit')] },
      { type: 'moved', from: 1, to: 2, culprit: 'moved' },
    ])
    expect(idsOf(alignment, ['edit', 'moved'])).toEqual(['moved', 'edit'])
  })

  it('put a parameter in front of the first section that it loses', () => {
    const [before, after] = turnsOf(
      [{}, { tool_choice: { type: 'any' } }].map((more) => ({
        model: 'claude-opus-5',
        tools: [{ name: 'a', input_schema: { type: 'object' } }],
        system: 'Be brief.',
        messages: [{ role: 'user', content: 'Hello' }],
        ...more,
      })),
    ) as [typeof first, typeof first]
    const alignment: Alignment = {
      turn: after,
      parent: before,
      steps: [
        { type: 'edited', from: 0, to: 0, hunks: [hunk('tool')] },
        { type: 'same', from: 1, to: 1 },
        { type: 'edited', from: 2, to: 2, hunks: [hunk('message')] },
      ],
      parameters: [{ name: 'tool_choice', culprit: 'choice' }],
      notes: [],
    }
    const ids = ['message', 'choice', 'tool'].map(named)
    expect(inProviderOrder(after, ids, alignment).map(({ id }) => id)).toEqual(['tool', 'choice', 'message'])
  })

  it('are placed by their paths where there is no parent to compare', () => {
    const paths = [
      ['message', 'messages[0].content[0]', 'messages'],
      ['anywhere', 'messages[*].content[0]', 'messages'],
      ['system', 'system[0]', 'system'],
      ['tools', 'tools[read_file]', 'tools'],
    ] as const
    const culprits = paths.map(([id, path, section]) => culpritOf([first], { id, path, section }))
    expect(inProviderOrder(first, culprits, undefined).map(({ id }) => id)).toEqual([
      'tools',
      'system',
      'message',
      'anywhere',
    ])
  })
})
