import { describe, expect, it } from 'vitest'
import { RULES_AS_OF } from '../session/rules-as-of.ts'
import {
  anthropicBreakpoints,
  capabilities,
  capability,
  newestRule,
  type Feature,
  type AnthropicPlatform,
} from './index.ts'

const asOf = '2099-01-01'
const ask = (model: string, feature: Feature, platform: AnthropicPlatform = 'anthropic') =>
  capability({ model, platform, feature, asOf })?.supported

describe('capability', () => {
  it.each<[string, boolean | undefined, boolean | undefined]>([
    ['claude-opus-4-8', true, undefined],
    ['claude-opus-5', true, undefined],
    ['claude-opus-5-5', true, true],
    ['claude-fable-5', true, undefined],
    ['claude-fable-5-1', true, true],
    ['claude-fable-5-2', true, true],
    ['claude-mythos-5', true, undefined],
    ['claude-mythos-5-1', true, true],
    ['claude-mythos-5-2', undefined, true],
    ['claude-sonnet-5-5', true, true],
    ['claude-haiku-5-5', true, true],
    ['claude-sonnet-5', false, undefined],
    ['claude-sonnet-4-6', false, undefined],
    ['claude-haiku-4-5', false, undefined],
    ['claude-opus-4-7', false, undefined],
    ['claude-3-opus-20240229', false, undefined],
    ['claude-opus-4-9', undefined, undefined],
    ['claude-opus-6', undefined, undefined],
    ['an-unknown-model', undefined, undefined],
  ])('of %s: native updates %s, thinking binding %s', (model, native, binding) => {
    expect(ask(model, 'native-updates')).toBe(native)
    expect(ask(model, 'thinking-binding')).toBe(binding)
  })

  it.each<[AnthropicPlatform, boolean | undefined]>([
    ['anthropic', true],
    ['bedrock', true],
    ['vertex', true],
    ['aws', undefined],
    ['foundry', undefined],
  ])('depends on the platform: native updates on %s %s', (platform, expected) => {
    expect(ask('claude-opus-5-5', 'native-updates', platform)).toBe(expected)
    expect(ask('claude-opus-4-7', 'native-updates', platform)).toBe(false)
    expect(ask('claude-opus-5-5', 'thinking-binding', platform)).toBe(true)
  })

  it('considers no rule that is newer than the day it is asked about', () => {
    const query = { model: 'claude-fable-5-2', platform: 'anthropic', feature: 'native-updates' } as const
    expect(capability({ ...query, asOf: '2026-11-08' })).toBeUndefined()
    expect(capability({ ...query, asOf: '2026-11-09' })).toMatchObject({ supported: true, confidence: 'assumed' })
  })
})

describe('a release that knows more', () => {
  const [first] = capabilities
  const news = { ...first, supported: false, since: '2027-01-15' } as (typeof capabilities)[number]
  const rules = [...capabilities, news]
  const query = { model: 'claude-opus-4-8', platform: 'anthropic', feature: 'native-updates' } as const

  it('answers as before for a conversation that began before it', () => {
    expect(capability({ ...query, asOf: newestRule }, rules)?.supported).toBe(true)
    expect(capability({ ...query, asOf: '2027-01-15' }, rules)?.supported).toBe(false)
  })
})

describe('the rules', () => {
  const rules = [...capabilities, anthropicBreakpoints]

  it('are dated, sourced and in the order of their dates, so that the last that matches is the newest', () => {
    for (const { since, source } of rules) {
      expect(since).toMatch(/^\d{4}-\d\d-\d\d$/)
      expect(source).toMatch(/^https:\/\//)
    }
    const dates = capabilities.map(({ since }) => since)
    expect(dates).toEqual(dates.toSorted())
  })

  it('are as new as sessions believe, which date their epochs without knowing a provider', () => {
    expect(newestRule).toBe(RULES_AS_OF)
  })
})
