import type { ModelMessage } from 'ai'
import { describe, expect, it } from 'vitest'
import { sendable } from './sendable.ts'

type Part = Exclude<Extract<ModelMessage, { role: 'assistant' }>['content'], string>[number]

const text = (value: string): Part => ({ type: 'text', text: value })
const reasoning: Part = { type: 'reasoning', text: 'Hm.' }
const call: Part = { type: 'tool-call', toolCallId: 'a', toolName: 'read', input: {} }
const nothing = text('(no content)')

describe('sendable', () => {
  it.each([
    [[text('\n\n'), call], [call], 1],
    [[reasoning], [reasoning, nothing], 0],
    [[reasoning, text(' ')], [reasoning, nothing], 1],
    [[], [nothing], 1],
  ])('makes of an answer %j what Claude takes', (content, expected, blank) => {
    const leftOut = { blank: 0 }
    expect(sendable({ role: 'assistant', content }, leftOut).content).toEqual(expected)
    expect(leftOut.blank).toBe(blank)
  })

  it('stands in for a blank string', () => {
    const leftOut = { blank: 0 }
    expect(sendable({ role: 'user', content: ' \n' }, leftOut)).toEqual({ role: 'user', content: '(no content)' })
    expect(leftOut.blank).toBe(1)
  })

  it('leaves blank texts out of a result', () => {
    const result = (value: { type: 'text'; text: string }[]): ModelMessage => ({
      role: 'tool',
      content: [{ type: 'tool-result', toolCallId: 'a', toolName: 'read', output: { type: 'content', value } }],
    })
    const kept = { type: 'text' as const, text: 'x' }
    expect(sendable(result([{ type: 'text', text: '' }, kept]), { blank: 0 })).toEqual(result([kept]))
  })

  it('gives back what can be sent', () => {
    const leftOut = { blank: 0 }
    for (const message of [
      { role: 'user', content: 'x' },
      { role: 'assistant', content: [reasoning, text('x'), call] },
      { role: 'tool', content: [{ type: 'tool-approval-response', approvalId: 'b', approved: true }] },
      { role: 'tool', content: [] },
    ] satisfies ModelMessage[]) {
      expect(sendable(message, leftOut)).toBe(message)
    }
    expect(leftOut.blank).toBe(0)
  })
})
