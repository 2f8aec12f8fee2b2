import { describe, expect, it } from 'vitest'
import { assistant, startAgent, user } from '../../test/support/session.ts'
import type { Usage } from '../base/usage.ts'
import { admitUsage } from './usage.ts'

const usage: Usage = {
  total: 30,
  read: 20,
  write5m: 4,
  uncached: 6,
  output: 2,
  cost: { amount: 0.01, currency: 'USD', field: 'usage.cost' },
  anomalies: [{ type: 'uncached-differs', message: '7 were reported' }],
  raw: { input_tokens: 6, service_tier: null, cache: { z: 1, a: 2 } },
}

async function newestEvent(session: { events(): AsyncIterable<unknown> }): Promise<unknown> {
  let newest: unknown
  for await (const event of session.events()) newest = event
  return newest
}

describe('the usage of an answer', () => {
  it('comes back from the log as it was given', async () => {
    const { session } = startAgent()
    await session.submit(user('Hello'))
    await (await session.turn()).answer([assistant('Hi')], { usage })
    const event = await newestEvent(session)
    expect(event).toMatchObject({ type: 'answer' })
    expect(JSON.stringify((event as { usage: Usage }).usage)).toBe(JSON.stringify(usage))
  })

  it('comes back where the host keeps the history', async () => {
    const session = startAgent().sessions.attach('hosted')
    const history = [user('Hello')]
    const { revision } = await session.turn({ history })
    history.push(assistant('Hi'), user('Go on'))
    await session.turn({ history, answered: { revision, usage } })
    expect(await newestEvent(session)).toMatchObject({ history: { answered: { revision, usage } } })
  })

  it('does not say 0 where nothing was reported', () => {
    expect(admitUsage({ read: undefined, output: 3 })).toEqual({ output: 3 })
    expect(Object.keys(admitUsage({ read: undefined, output: 3 }))).toEqual(['output'])
  })

  it.each([
    [null, 'is not an object'],
    [[], 'is not an object'],
    [{ read: -1 }, 'has -1 tokens as read'],
    [{ output: NaN }, 'has NaN tokens as output'],
    [{ total: '3' }, 'has 3 tokens as total'],
    [{ cost: 0.01 }, 'has a cost that is no'],
    [{ cost: { amount: '1', currency: 'USD', field: 'cost' } }, 'has a cost that is no'],
    [{ anomalies: ['odd'] }, 'has anomalies that are no list'],
    [{ raw: { at: new Date(0) } }, 'cannot be stored: $.raw.at is'],
  ])('is refused when it is %j', async (given, problem) => {
    const { session } = startAgent()
    await session.submit(user('Hello'))
    const turn = await session.turn()
    const answer = turn.answer([assistant('Hi')], { usage: given as Usage })
    await expect(answer).rejects.toMatchObject({
      code: 'message_invalid',
      message: expect.stringContaining(problem) as string,
    })
  })
})
