import { describe, expect, it } from 'vitest'
import { isSameModel, parseModel } from './index.ts'

describe('parseModel', () => {
  it.each([
    ['claude-opus-4-8', 'opus 4.8'],
    ['claude-sonnet-5', 'sonnet 5.0'],
    ['claude-sonnet-5-5', 'sonnet 5.5'],
    ['claude-fable-5-2', 'fable 5.2'],
    ['claude-mythos-preview', 'mythos 0.0'],
    ['claude-sonnet-4-5-20250929', 'sonnet 4.5 20250929'],
    ['claude-sonnet-4-20250514', 'sonnet 4.0 20250514'],
    ['claude-opus-4-0', 'opus 4.0'],
    ['claude-3-5-sonnet-20240620', 'sonnet 3.5 20240620'],
    ['claude-3-opus-20240229', 'opus 3.0 20240229'],
    ['claude-3-7-sonnet-latest', 'sonnet 3.7'],
    ['claude-opus-4-8@20260101', 'opus 4.8 20260101'],
    ['claude-opus-4-8@default', 'opus 4.8'],
    ['claude-3-5-sonnet-v2@20241022', 'sonnet 3.5 20241022'],
    ['publishers/anthropic/models/claude-opus-4-8@20260101', 'opus 4.8 20260101'],
    ['anthropic.claude-opus-4-8-v1:0', 'opus 4.8'],
    ['anthropic.claude-opus-4-6-v1', 'opus 4.6'],
    ['anthropic.claude-3-5-sonnet-20241022-v2:0', 'sonnet 3.5 20241022'],
    ['us.anthropic.claude-sonnet-4-5-20250929-v1:0', 'sonnet 4.5 20250929'],
    ['us-gov.anthropic.claude-sonnet-4-5-20250929-v1:0', 'sonnet 4.5 20250929'],
    ['global.anthropic.claude-haiku-4-5-20251001-v1:0', 'haiku 4.5 20251001'],
    ['arn:aws:bedrock:us-east-1::foundation-model/anthropic.claude-opus-4-8-v1:0', 'opus 4.8'],
    ['arn:aws:bedrock:eu-west-1:123456789012:inference-profile/eu.anthropic.claude-opus-5-v1:0', 'opus 5.0'],
    ['anthropic/claude-opus-4.8', 'opus 4.8'],
    ['claude-instant-1.2', 'instant 1.2'],
  ])('reads %s as %s', (id, expected) => {
    const model = parseModel(id)
    const [name, version, date] = expected.split(' ')
    expect(`${model?.family} ${model?.major}.${model?.minor}`).toBe(`${name} ${version}`)
    expect(model).toMatchObject({ provider: 'anthropic', alias: date === undefined })
    expect(model?.date).toBe(date)
  })

  it.each([
    '',
    'claude',
    'claude-2.1',
    'anthropic.claude-v2:1',
    'claude-opus-4-8-fast',
    'claude-opus-4-8[1m]',
    'my-claude-opus-4-8',
    'claude-opus-4-8-my-deployment',
    'arn:aws:bedrock:us-east-1:123456789012:application-inference-profile/abc123',
    'gpt-6.2-sol',
    'CLAUDE-OPUS-4-8',
  ])('does not guess at %j', (id) => {
    expect(parseModel(id)).toBeUndefined()
  })
})

describe('isSameModel', () => {
  it.each([
    ['claude-opus-4-5', 'claude-opus-4-5-20251101', true],
    ['claude-opus-4-8', 'us.anthropic.claude-opus-4-8-v1:0', true],
    ['my-deployment', 'my-deployment', true],
    ['claude-sonnet-5', 'claude-sonnet-5-5', false],
    ['claude-sonnet-5', 'claude-opus-5', false],
    ['my-deployment', 'your-deployment', false],
    ['my-deployment', 'claude-opus-5', false],
  ])('%s and %s: %s', (one, other, expected) => {
    expect(isSameModel(one, other)).toBe(expected)
    expect(isSameModel(other, one)).toBe(expected)
  })
})
