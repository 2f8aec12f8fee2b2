import { describe, expect, it } from 'vitest'
import { anthropicLookback } from '../../cache/index.ts'
import { claudePlanRules, conversationCandidates, planBreakpoints, type MeasuredConversation } from './index.ts'

const of = (tokens: number, positions = 1) => ({ tokens, positions })
const head = [
  { place: 'tools', ...of(2000, 8) },
  { place: 'instructions', ...of(3000) },
  { place: 'baseline', ...of(900) },
] as const
const conversation: MeasuredConversation = {
  head,
  answered: of(9000, 60),
  open: of(400, 3),
  ttl: { head: 0, tail: 0 },
}

function plan(over: Partial<MeasuredConversation>) {
  const candidates = conversationCandidates({ ...conversation, ...over })
  const { placed, dropped } = planBreakpoints(candidates, claudePlanRules(anthropicLookback))
  return { placed: placed.map(({ place, ttl }) => `${place} ${ttl}`), dropped }
}

describe('the breakpoints of a conversation', () => {
  it('add up extents from the start of the request', () => {
    expect(
      conversationCandidates(conversation).map(({ place, tokens, position }) => [place, tokens, position]),
    ).toEqual([
      ['tools', 2000, 8],
      ['instructions', 5000, 9],
      ['baseline', 5900, 10],
      ['anchor', 14900, 70],
      ['tail', 15300, 73],
    ])
  })

  it('have the tools among them while nothing was answered, and give them up first', () => {
    expect(plan({ answered: undefined }).placed).toEqual(['tools 0', 'instructions 0', 'baseline 0', 'tail 0'])
    expect(plan({}).placed).toEqual(['instructions 0', 'baseline 0', 'anchor 0', 'tail 0'])
  })

  it('keep the anchor before all but the tail where a step is longer than the look-back', () => {
    const tools = { place: 'tools', ...of(500), marked: 0 } as const
    const marked = [tools, tools, ...head.slice(1)]
    expect(plan({ head: marked, open: of(400, 19) }).placed).toEqual(['instructions 0', 'tail 0'])
    expect(plan({ head: marked, open: of(400, 20) }).placed).toEqual(['anchor 0', 'tail 0'])
  })

  it('write no tail when nobody comes back, and still read', () => {
    expect(plan({ expectedTurns: 1 }).placed).toEqual(['tools 0', 'instructions 0', 'baseline 0', 'anchor 0'])
    expect(plan({ expectedTurns: 1, answered: undefined }).placed).toEqual(['tools 0', 'instructions 0'])
    expect(plan({ expectedTurns: 2, answered: undefined }).placed).toHaveLength(4)
  })

  it('have a long head and a short tail when asked', () => {
    expect(plan({ ttl: { head: 1, tail: 0 } }).placed).toEqual(['instructions 1', 'baseline 1', 'anchor 0', 'tail 0'])
  })

  it("count the caller's marks on tools and at the end", () => {
    const [tools, ...rest] = head
    expect(plan({ head: [{ ...tools, marked: 0 }, ...rest], automatic: 0 })).toEqual({
      placed: ['instructions 0', 'anchor 0'],
      dropped: ['baseline'],
    })
    const many = [tools, tools, tools].map((part) => ({ ...part, marked: 0 }))
    expect(plan({ head: [...many, ...rest] })).toEqual({
      placed: ['tail 0'],
      dropped: ['instructions', 'anchor', 'baseline'],
    })
  })
})
