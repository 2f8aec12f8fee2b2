import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AdmittedUpdate, Entry } from '../session/types.ts'
import { lowerUpdates, spansOf } from './spans.ts'

const message = (text: string, epoch = 1): Entry<string> => ({ revision: 1, epoch, type: 'message', message: text })
const update = (text: string, authority: 'system' | 'user' = 'system'): AdmittedUpdate => ({
  text,
  parts: [{ authority, text, keys: ['a/b'] }],
  changes: [{ key: 'a/b', kind: 'changed' }],
})
const entryOf = (one: AdmittedUpdate): Entry<string> => ({ revision: 1, epoch: 1, type: 'update', ...one })
const isAnswer = (text: string): boolean => text.startsWith('answer')
const options = { nonce: 'n' }

describe('spansOf', () => {
  it('parts a conversation at its answers, and ends with an open span', () => {
    const entries = [message('a'), entryOf(update('u')), message('answer 1', 2), message('answer 2'), message('b')]
    const spans = [...spansOf(entries, isAnswer)]
    expect(
      spans.map(({ inputs, updates, answer }) => [inputs, updates.length, answer?.message, answer?.epoch]),
    ).toEqual([
      [['a'], 1, 'answer 1', 2],
      [[], 0, 'answer 2', 1],
      [['b'], 0, undefined, undefined],
    ])
  })

  it('gives the spans of a conversation again, to the last answer, for every longer one', () => {
    const entry = fc.oneof(
      fc.constantFrom(message('a'), message('answer'), message('b')),
      fc.constant(entryOf(update('u'))),
    )
    fc.assert(
      fc.property(fc.array(entry), fc.array(entry), (entries, later) => {
        const answered = [...spansOf(entries, isAnswer)].slice(0, -1)
        expect([...spansOf([...entries, ...later], isAnswer)].slice(0, answered.length)).toEqual(answered)
      }),
    )
  })
})

describe('lowerUpdates', () => {
  it('says natively what has the authority of the system, and the rest in the tag', () => {
    const lowered = lowerUpdates([update('ours'), update('theirs', 'user')], { ...options, native: true })
    expect(lowered).toMatchObject({ native: ['ours'], degraded: 0, blank: 0 })
    expect(lowered.tagged).toEqual(['<system-reminder id="n">\ntheirs\n</system-reminder>'])
  })

  it('counts what it had to say in the tag, and what it left out because it is blank', () => {
    const lowered = lowerUpdates([update('ours'), update(' \n')], { ...options, native: false })
    expect(lowered).toMatchObject({ native: [], degraded: 1, blank: 1 })
  })

  it('lists the tools that came', () => {
    const tools = { added: [{ name: 'new' }, { name: 'read' }], removed: ['read', 'gone'], restored: [] }
    const lowered = lowerUpdates([{ text: '', parts: [], changes: [], tools }], { ...options, native: true })
    expect(lowered).toMatchObject({ native: [], tagged: [], added: tools.added })
  })
})
