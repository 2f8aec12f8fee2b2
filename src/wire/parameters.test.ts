import { describe, expect, it } from 'vitest'
import { orderedSettings, refuseEmpty, refuseOtherTools, refuseSupplied, refuseUnknown } from './parameters.ts'

describe('parameters', () => {
  it('may not hold what the turn supplies', () => {
    expect(() => refuseSupplied({ model: 'm', messages: [] }, ['messages', 'system'])).toThrow(
      'The parameters hold "messages", which the turn supplies.',
    )
    expect(() => refuseSupplied({ model: 'm', messages: undefined }, ['messages', 'system'])).not.toThrow()
  })

  it('may hold tools only where the session has none', () => {
    const tools = { definitions: [], callable: [], held: [] }
    expect(() => refuseOtherTools({ session: 's', tools }, [])).toThrow('session "s" has frozen its own')
    expect(() => refuseOtherTools({ session: 's', tools }, undefined)).not.toThrow()
    expect(() => refuseOtherTools({ session: 's', tools: null }, [])).not.toThrow()
  })

  it('are sent by name, whatever order they were written in, without those that are undefined', () => {
    expect(JSON.stringify(orderedSettings({ b: 1, a: 2, c: undefined }))).toBe('{"a":2,"b":1}')
  })

  it('come with options of known values only, which a caller without types may not know', () => {
    const allowed = { updates: ['native', 'tagged'], cacheKey: ['prompt', false] }
    expect(() => refuseUnknown({ updates: 'nativ' }, allowed)).toThrow(
      'The option updates is "nativ". Give one of "native", "tagged", or leave it out.',
    )
    expect(() => refuseUnknown({ updates: 'tagged', cacheKey: false, other: 1 }, allowed)).not.toThrow()
    expect(() => refuseUnknown({ updates: undefined }, allowed)).not.toThrow()
  })

  it('cannot make up for an empty conversation', () => {
    expect(() => refuseEmpty('s')).toThrow('Session "s" has nothing to send.')
  })
})
