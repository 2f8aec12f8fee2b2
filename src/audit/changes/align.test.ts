import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { segmentsOf } from '../record/segments.ts'
import { turnsOf } from '../test-turns.ts'
import { align } from './align.ts'
import { verifyAlignment } from './test-changes.ts'
import { compare } from './compare.ts'
import { Spans } from './spans.ts'
import { recordedText } from './text-of.ts'

/** Steps of two lists of messages, short: `same 0 0`. */
function stepsOf(
  first: readonly unknown[],
  second: readonly unknown[],
  over: readonly [object, object] = [{}, {}],
): string[] {
  const body = { model: 'claude-sonnet-5', max_tokens: 10 }
  const turns = turnsOf([
    { ...body, ...over[0], messages: first },
    { ...body, ...over[1], messages: second },
  ])
  const [before, after] = turns.map((turn) => segmentsOf(turn))
  return align(before ?? [], after ?? [], recordedText).map((step) =>
    [step.type, 'from' in step ? step.from : '-', 'to' in step ? step.to : '-'].join(' '),
  )
}

const user = (...texts: string[]): object => ({ role: 'user', content: texts.map((text) => ({ type: 'text', text })) })
const model = (text: string): object => ({ role: 'assistant', content: [{ type: 'text', text }] })
const tool = (name: string, description = name): object => ({ name, description, input_schema: { type: 'object' } })

describe('align', () => {
  it('takes what is new at the end for the conversation', () => {
    expect(stepsOf([user('hi')], [user('hi'), model('yes'), user('go on')])).toEqual([
      'same 0 0',
      'appended - 1',
      'appended - 2',
    ])
  })

  it('pairs a text with what it became at the same place', () => {
    expect(stepsOf([user('the time is 1', 'hi')], [user('the time is 2', 'hi'), model('yes')])).toEqual([
      'edited 0 0',
      'same 1 1',
      'appended - 2',
    ])
  })

  it('knows an edited text from one that was put in front of it', () => {
    const before = [user('Today is Sunday, and the sun shines.', 'hi')]
    const after = [user('Remember the milk and the bread, too.', 'Today is Monday, and the sun shines.', 'hi')]
    expect(stepsOf(before, after)).toEqual(['inserted - 0', 'edited 0 1', 'same 1 2'])
  })

  it('sees a block that moved to the newest message', () => {
    const reminder = 'Remember to be kind to all people.'
    expect(stepsOf([user(reminder, 'hi')], [user('hi'), model('yes'), user(reminder, 'go on')])).toEqual([
      'same 1 0',
      'appended - 1',
      'moved 0 2',
      'appended - 3',
    ])
  })

  it('takes a block behind the newest answer for a moved one, although nothing else changed', () => {
    const reminder = 'Remember to be kind to all people.'
    expect(stepsOf([user('hi', reminder)], [user('hi'), model('yes'), user('go on', reminder)])).toEqual([
      'same 0 0',
      'appended - 1',
      'appended - 2',
      'moved 1 3',
    ])
  })

  it('does not pair a remark at the end with one behind the next answer', () => {
    expect(
      stepsOf(
        [user('hi', 'This is call 1 of many.')],
        [user('hi'), model('yes'), user('go on', 'This is call 2 of many.')],
      ),
    ).toEqual(['same 0 0', 'removed 1 -', 'appended - 1', 'appended - 2', 'appended - 3'])
  })

  it('does not take a short remark that is said again for one that moved', () => {
    expect(stepsOf([user('yes'), model('a'), user('b')], [model('a'), user('b'), model('c'), user('yes')])[0]).toBe(
      'removed 0 -',
    )
  })

  it('knows tools by their names', () => {
    const lists = (first: object[], second: object[]): string[] =>
      stepsOf([user('hi')], [user('hi')], [{ tools: first }, { tools: second }])
    expect(lists([tool('a'), tool('b'), tool('c')], [tool('c'), tool('a'), tool('b')])).toEqual([
      'moved 2 0',
      'same 0 1',
      'same 1 2',
      'same 3 3',
    ])
    expect(lists([tool('a'), tool('b')], [tool('x'), tool('a', 'another'), tool('b')])).toEqual([
      'inserted - 0',
      'edited 0 1',
      'same 1 2',
      'same 2 3',
    ])
  })

  it('pairs calls that only have other ids, however many', () => {
    const calls = (count: number, at: number): object[] =>
      Array.from({ length: count }, (_, index) => [
        {
          role: 'assistant',
          content: [{ type: 'tool_use', id: `t${index}_${at}`, name: 'read', input: { path: `f${index}` } }],
        },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: `t${index}_${at}`, content: `text ${index}` }] },
      ]).flat()
    const steps = stepsOf([user('hi'), ...calls(60, 1)], [user('hi'), ...calls(61, 2)])
    expect(steps.filter((step) => step.startsWith('edited'))).toHaveLength(120)
    expect(steps.slice(-2)).toEqual(['appended - 121', 'appended - 122'])
  })

  it('has each segment of both in one step, for any two bodies', () => {
    const text = fc.constantFrom(
      'a',
      'b',
      'A longer text that may move.',
      'time 1',
      'time 2',
      'x y z',
      'Remember 1 thing.',
    )
    const message = fc
      .tuple(fc.boolean(), fc.array(text, { minLength: 1, maxLength: 3 }))
      .map(([asks, texts]) =>
        asks ? user(...texts) : { role: 'assistant', content: texts.map((one) => ({ type: 'text', text: one })) },
      )
    const names = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 4 })
    const body = fc.record({
      model: fc.constant('claude-sonnet-5'),
      max_tokens: fc.constant(10),
      system: fc.array(text, { maxLength: 3 }).map((texts) => texts.map((one) => ({ type: 'text', text: one }))),
      tools: fc.tuple(names, text).map(([list, description]) => list.map((name) => tool(name, description))),
      messages: fc.array(message, { minLength: 1, maxLength: 8 }),
    })
    fc.assert(
      fc.property(body, body, (first, second) => {
        const [parent, turn] = turnsOf([first, second])
        if (parent === undefined || turn === undefined) return
        verifyAlignment(compare(parent, turn, new Spans(), recordedText).alignment)
      }),
      { numRuns: 100 },
    )
  })
})
