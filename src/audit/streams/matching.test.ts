import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Block } from '../record/types.ts'
import { matchInOrder } from './matching.ts'
import { promptOf } from './prompt.ts'
import { turnsOf } from '../test-turns.ts'
import { Headers } from './header.ts'
import { messagesOf } from './messages.ts'

/** The blocks of a conversation whose messages are single letters. */
function match(earlier: string, later: string): { prefix: number; anchors: string[] } {
  const [one, other] = turnsOf(
    [earlier, later].map((letters) => ({
      model: 'claude-opus-4-6',
      max_tokens: 1,
      messages: [{ role: 'user', content: letters.split('').map((text) => ({ type: 'text', text })) }],
    })),
  )
  if (one === undefined || other === undefined) throw new Error('two turns')
  const before: Block[] = messagesOf(one)
  const prompt = promptOf(other, new Headers().of(other), messagesOf(other))
  const { prefix, anchors } = matchInOrder(before, prompt)
  for (const { from, to } of anchors) expect(before[from]).toBe(prompt.messages[to])
  return { prefix, anchors: anchors.map(({ from }) => earlier[from] ?? '') }
}

describe('matching in order', () => {
  it('finds what both begin with', () => {
    expect(match('abc', 'abcde')).toEqual({ prefix: 3, anchors: [] })
    expect(match('abcde', 'abc')).toEqual({ prefix: 3, anchors: [] })
  })

  it('goes on behind a block that was changed, dropped or put in front', () => {
    expect(match('abcd', 'aXcde')).toEqual({ prefix: 1, anchors: ['c', 'd'] })
    expect(match('abcd', 'acde')).toEqual({ prefix: 1, anchors: ['c', 'd'] })
    expect(match('abcd', 'Xabcde')).toEqual({ prefix: 0, anchors: ['a', 'b', 'c', 'd'] })
  })

  it('keeps the order, as long as can be', () => {
    expect(match('abcdef', 'Xefbcd').anchors).toEqual(['b', 'c', 'd'])
  })

  it('ascends on both sides, whatever is compared', () => {
    const letters = fc.string({
      unit: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'),
      minLength: 1,
      maxLength: 12,
    })
    fc.assert(
      fc.property(letters, letters, (earlier, later) => {
        const { prefix, anchors } = match(earlier, later)
        expect(earlier.slice(0, prefix)).toBe(later.slice(0, prefix))
        let at = prefix
        for (const letter of anchors) {
          at = earlier.indexOf(letter, at) + 1
          expect(at).toBeGreaterThan(0)
        }
      }),
      { numRuns: 50 },
    )
  })
})
