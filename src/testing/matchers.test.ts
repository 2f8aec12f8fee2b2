/** The matchers under Vitest, and by the protocol that Jest shares with it. */
import { describe, expect, it } from 'vitest'
import { prefixMatchers, type PrefixMatchers } from './matchers.ts'
import type { SentRequest } from './sent-request.ts'
import { conversation } from './test-bodies.ts'

expect.extend(prefixMatchers)

const stable = conversation(3)
const broken = conversation(3, (turn) => `It is 2026-12-01T10:00:0${turn}Z.`)

function messageOf(check: () => void): string {
  try {
    check()
  } catch (error) {
    return (error as Error).message
  }
  throw new Error('The check passed.')
}

describe('under Vitest', () => {
  it('toHaveStablePrefix passes and fails as the function does', () => {
    expect(stable).toHaveStablePrefix()
    expect(broken).not.toHaveStablePrefix()
    expect(broken).toHaveStablePrefix({ allow: ['clock'] })
    expect(messageOf(() => expect(broken).toHaveStablePrefix())).toMatch(
      /^Request 2 does not begin with request 1, which it goes on from\.\n\n {2}kind: {3}clock\n/,
    )
    expect(messageOf(() => expect(stable).not.toHaveStablePrefix())).toBe(
      'The prefix is stable, and was expected not to be: of 3 requests, 2 go on from an earlier one, and begin with it.',
    )
  })

  it('toExtendPrefixOf passes and fails as the function does', () => {
    expect(stable[1]).toExtendPrefixOf(stable[0] as SentRequest)
    expect(JSON.stringify(stable[2])).toExtendPrefixOf(JSON.stringify(stable[0]))
    expect(broken[1]).not.toExtendPrefixOf(broken[0] as SentRequest)
    expect(broken[1]).toExtendPrefixOf(broken[0] as SentRequest, { allow: ['clock'] })
    expect(messageOf(() => expect(broken[1]).toExtendPrefixOf(broken[0] as SentRequest))).toMatch(
      /^The request does not begin with the earlier one\.\n\n {2}kind: {3}clock\n/,
    )
    expect(messageOf(() => expect(stable[1]).not.toExtendPrefixOf(stable[0] as SentRequest))).toBe(
      'The request begins with all of the earlier one, and was expected not to.',
    )
  })

  it('works inside other matchers', () => {
    const { toHaveStablePrefix } = expect as unknown as PrefixMatchers<unknown>
    expect({ requests: stable }).toEqual({ requests: toHaveStablePrefix() })
    expect({ requests: broken }).not.toEqual({ requests: toHaveStablePrefix() })
  })

  it('a failure carries both texts for the difference that a runner shows', () => {
    let failure: unknown
    try {
      expect(broken).toHaveStablePrefix()
    } catch (error) {
      failure = error
    }
    expect(failure).toMatchObject({
      actual: expect.stringContaining('10:00:01Z') as unknown,
      expected: expect.stringContaining('10:00:00Z') as unknown,
    })
  })
})

describe('by the protocol', () => {
  it('give a result with a message that is made when asked for, and read nothing of their runner', () => {
    const context = { isNot: true, promise: '', equals: () => true, utils: {} }
    const result = prefixMatchers.toHaveStablePrefix.call(context, broken)
    expect(result.pass).toBe(false)
    expect(result.message()).toContain('clock')
    const { toExtendPrefixOf } = prefixMatchers
    expect(toExtendPrefixOf(stable[1], stable[0] as SentRequest)).toMatchObject({ pass: true })
  })

  it.each([true, false])('a check with nothing to compare fails, whether asked for or for its opposite (%s)', (not) => {
    const check = (requests: unknown): void =>
      not ? expect(requests).not.toHaveStablePrefix() : expect(requests).toHaveStablePrefix()
    expect(() => check([])).toThrow('There is no request to check.')
    expect(() => check('text')).toThrow('The received value is the string "text"; expected a list of requests.')
    expect(() => check([{}])).toThrow('Request 1: ')
    expect(() => expect(undefined).toExtendPrefixOf(stable[0] as SentRequest)).toThrow('The received value is missing')
    expect(() => expect(stable[0]).toExtendPrefixOf(undefined as unknown as SentRequest)).toThrow(
      'The earlier request is missing',
    )
  })
})
