import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AdmittedUpdate, Entry, Tool } from '../session/types.ts'
import { lowerTagged, type TaggedDialect } from './tagged-spans.ts'

/** Messages are their texts: what users said begins with `u`, answers with `a`. */
const dialect: TaggedDialect<string> = {
  isAnswer: (message) => message.startsWith('a'),
  toolId: (tool) => String(tool['name']),
  answer: (message, epoch) => (epoch === 1 ? message : `${message} of ${epoch}`),
  user: (inputs, tagged) => [...inputs, ...tagged].join(' + '),
}

const said = (message: string, epoch = 1): Entry<string> => ({ revision: 1, epoch, type: 'message', message })
const updated = (text: string, over: Partial<AdmittedUpdate> = {}): Entry<string> => ({
  revision: 1,
  epoch: 1,
  type: 'update',
  text,
  parts: text === '' ? [] : [{ authority: 'system', text, keys: ['a/b'] }],
  changes: [],
  ...over,
})
const turn = (entries: readonly Entry<string>[], callable: readonly string[] = []) => ({
  entries,
  nonce: 'n',
  tools: { definitions: [], callable, held: [] },
})
const tagged = (text: string): string => `<system-reminder id="n">\n${text}\n</system-reminder>`

describe('lowerTagged', () => {
  it('makes one user message of all that came between two answers', () => {
    const entries = [said('u1'), updated('x'), said('u2'), said('a1'), said('a2', 2), updated('y'), said('u3')]
    const { messages, warnings } = lowerTagged(turn(entries), dialect, 'unsupported')
    expect(messages).toEqual([`u1 + u2 + ${tagged('x')}`, 'a1', 'a2 of 2', `u3 + ${tagged('y')}`])
    expect(warnings).toEqual([{ type: 'updates-tagged', reason: 'unsupported', count: 2 }])
  })

  it('makes none of an update that only brings tools, and holds those that may still be called', () => {
    const added: Tool[] = [{ name: 'read' }, { name: 'gone' }]
    const entries = [said('u1'), said('a1'), updated('', { tools: { added, removed: [], restored: [] } })]
    const { messages, warnings } = lowerTagged(turn(entries, ['read', 'write']), dialect, 'unsupported')
    expect(messages).toEqual(['u1', 'a1'])
    expect(warnings).toEqual([
      { type: 'tools-held', reason: 'unsupported', ids: ['read'] },
      { type: 'nothing-to-answer' },
    ])
  })

  it('never gives two user messages in a row, and keeps what was answered', () => {
    const entry = fc.constantFrom(said('u'), said('a'), updated('x'), updated(' '))
    fc.assert(
      fc.property(fc.array(entry), fc.array(entry), (entries, later) => {
        const { messages } = lowerTagged(turn(entries), dialect, 'unsupported')
        for (const [index, message] of messages.entries()) {
          expect(dialect.isAnswer(message) || index === 0 || dialect.isAnswer(messages[index - 1]!)).toBe(true)
        }
        const answered = messages.slice(0, messages.findLastIndex(dialect.isAnswer) + 1)
        expect(
          lowerTagged(turn([...entries, ...later]), dialect, 'unsupported').messages.slice(0, answered.length),
        ).toEqual(answered)
      }),
      { numRuns: 200 },
    )
  })
})
