import { describe, expect, it } from 'vitest'
import { explain } from './explain.ts'

const rules = 'Be brief, be right, say what you did. '.repeat(100)
const mark = { cache_control: { type: 'ephemeral' } }
const user = (text: string): object => ({ role: 'user', content: [{ type: 'text', text, ...mark }] })

function claude(over: object = {}, system = rules): object {
  return { model: 'claude-opus-5', system: [{ type: 'text', text: system, ...mark }], messages: [user('One')], ...over }
}
const longer = [user('One'), { role: 'assistant', content: 'Yes.' }, user('Two')]

describe('explain', () => {
  it('says that all of the first is read when the second goes on from it', () => {
    const { usage, divergence, misses, same, scope, cost } = explain(claude(), claude({ messages: longer }))
    expect(usage.read).toBeGreaterThan(1_000)
    expect(divergence).toBeNull()
    expect(same).toMatchObject({ segments: 2, of: 4 })
    expect(misses.map(({ reason }) => reason)).toEqual(['appended'])
    expect(scope).toEqual([])
    expect(cost).toBeNull()
  })

  it('names the place of a change, and what stood there', () => {
    const { usage, divergence, misses, same } = explain(claude({}, `Monday. ${rules}`), claude({}, `Tuesday. ${rules}`))
    expect(usage.read).toBe(0)
    expect(same.segments).toBe(0)
    expect(divergence).toMatchObject({ kind: 'changed', path: 'system[0]', section: 'system', offset: 0 })
    expect(divergence?.before).toMatch(/^Monday\. Be brief/)
    expect(divergence?.after).toMatch(/^Tuesday\. Be brief/)
    expect(misses[0]).toMatchObject({ reason: 'rewritten', from: 'system[0]' })
  })

  it('names a parameter that loses what is in the cache', () => {
    const { scope, misses, divergence } = explain(claude(), claude({ messages: longer, tool_choice: { type: 'any' } }))
    expect(divergence).toBeNull()
    expect(scope).toEqual([{ name: 'tool_choice', before: 'auto', after: 'any', invalidates: ['messages'] }])
    expect(misses.map(({ reason }) => reason)).toContain('scope-changed')
  })

  it('tells a pause that was too long from a change', () => {
    expect(explain(claude(), claude(), { gapSeconds: 60 }).usage.read).toBeGreaterThan(1_000)
    const { usage, misses } = explain(claude(), claude(), { gapSeconds: 400 })
    expect(usage.read).toBe(0)
    expect(misses[0]).toMatchObject({ reason: 'expired', seconds: 100 })
  })

  it('takes the provider from the format and the model, and prices where it is given a day', () => {
    const at = new Date('2026-12-01')
    const chat = {
      model: 'gpt-6.2-sol',
      messages: [
        { role: 'developer', content: rules.repeat(3) },
        { role: 'user', content: 'One' },
      ],
    }
    const { provider, model, cost } = explain(chat, chat, { at })
    expect([provider, model]).toEqual(['openai', 'gpt-6.2-sol'])
    expect(cost!.amount).toBeLessThan(cost!.uncached)
    const gemini = { contents: [{ role: 'user', parts: [{ text: rules }] }] }
    expect(explain(gemini, gemini, { model: 'gemini-3.8-flash', at }).provider).toBe('gemini')
    expect(explain(chat, chat, { provider: 'groq' }).provider).toBe('groq')
    expect(explain({ ...chat, model: 'of-our-own' }, { ...chat, model: 'of-our-own' }, { at })).toMatchObject({
      provider: 'generic',
      cost: null,
    })
  })

  it('refuses what is no request', () => {
    expect(() => explain({}, claude())).toThrow(expect.objectContaining({ code: 'request_unreadable' }))
  })

  it('is plain JSON', () => {
    const made = explain(claude(), claude({ messages: longer }))
    expect(JSON.parse(JSON.stringify(made))).toEqual(made)
  })
})
