import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { segmentsOf, SentRequests, type Segment } from './count.ts'
import type { Body } from './message.ts'

const body = (parts: Partial<Body>): Body => ({ model: 'any', max_tokens: 1, messages: [], ...parts })

const segments = (...texts: string[]): Segment[] => texts.map((text) => ({ place: 'message', text }))

describe('segmentsOf', () => {
  it('takes tools, system and messages in the order in which a provider reads them', () => {
    const request = body({
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'hello' }] },
        { role: 'assistant', content: 'hi' },
      ],
      system: [{ type: 'text', text: 'you' }],
      tools: [{ name: 'read', input_schema: { type: 'object' } }],
    })
    expect(segmentsOf(request)).toEqual([
      { place: 'tools', text: '{"name":"read","input_schema":{"type":"object"}}' },
      { place: 'system', text: '{"type":"text","text":"you"}' },
      { place: 'message 0, user', text: '{"type":"text","text":"hello"}' },
      { place: 'message 1, assistant', text: '{"type":"text","text":"hi"}' },
    ])
  })

  it('does not count cache marks', () => {
    const marked = { type: 'text', text: 'you', cache_control: { type: 'ephemeral' } } as const
    expect(segmentsOf(body({ system: [marked] }))).toEqual(segmentsOf(body({ system: 'you' })))
  })
})

describe('SentRequests', () => {
  it('counts a first request as new', () => {
    expect(new SentRequests().count(segments('ab', 'cde'))).toEqual({ total: 5, reused: 0, new: 5 })
  })

  it('counts segments up to the first that differs, and none after it', () => {
    const sent = new SentRequests()
    sent.count(segments('aa', 'bb', 'cc'))
    expect(sent.count(segments('aa', 'XX', 'cc'))).toEqual({ total: 6, reused: 2, new: 4 })
  })

  it('looks at every earlier request, not only at the last', () => {
    const sent = new SentRequests()
    sent.count(segments('aa', 'bb'))
    sent.count(segments('XX'))
    expect(sent.count(segments('aa', 'bb', 'cc')).reused).toBe(4)
  })

  it('does not piece a prefix together from several requests', () => {
    const sent = new SentRequests()
    sent.count(segments('aa', 'bb'))
    sent.count(segments('cc', 'dd'))
    expect(sent.count(segments('aa', 'dd')).reused).toBe(2)
  })

  it('takes the same text in another place for another segment', () => {
    const sent = new SentRequests()
    sent.count([{ place: 'system', text: 'aa' }])
    expect(sent.count([{ place: 'tools', text: 'aa' }]).reused).toBe(0)
  })

  it('finds the longest common prefix with any earlier request', () => {
    const request = fc.array(fc.constantFrom('a', 'bb', 'ccc'), { maxLength: 6 })
    fc.assert(
      fc.property(fc.array(request, { maxLength: 8 }), (requests) => {
        const sent = new SentRequests()
        for (const [index, texts] of requests.entries()) {
          const common = requests.slice(0, index).map((earlier) => {
            const end = texts.findIndex((text, at) => text !== earlier[at])
            return texts.slice(0, end === -1 ? undefined : end).join('').length
          })
          expect(sent.count(segments(...texts)).reused).toBe(Math.max(0, ...common))
        }
      }),
    )
  })
})
