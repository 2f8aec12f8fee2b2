import { describe, expect, it } from 'vitest'
import { answerTokens } from './answer-tokens.ts'

describe('the tokens of an answer', () => {
  it('are counted by what they are for', () => {
    const answer = { text: 'abc', thinking: 'ab', toolCalls: [{ name: 'look', input: { at: 1 } }] }
    expect(answerTokens(answer, (text) => text.length)).toEqual({ text: 3, thinking: 2, toolCalls: 12, total: 17 })
  })

  it('are none where nothing is said, whatever the counter makes of it', () => {
    expect(answerTokens({ text: '' }, () => 1)).toEqual({ text: 0, thinking: 0, toolCalls: 0, total: 0 })
  })
})
