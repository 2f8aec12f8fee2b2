import { describe, expect, it } from 'vitest'
import { collect, exchange, replacing, startAgent, storeOf, user } from '../../test/support/session.ts'
import { memoryStore } from '../store/memory.ts'
import { anthropicFormat } from '../wire/anthropic/index.ts'
import { bedrockFormat } from '../wire/bedrock/index.ts'
import { openAIChatFormat } from '../wire/openai/index.ts'
import { checkMessages } from './check-messages.ts'
import { MessageInvalidError } from './errors.ts'
import { plainFormat } from './plain-format.ts'
import type { Format } from './types.ts'

describe('a message that only looks like one', () => {
  it.each<[string, object, object]>([
    ['calls that are no list', plainFormat, { role: 'user', tool_calls: 5 }],
    ['a call that is nothing', plainFormat, { role: 'assistant', tool_calls: [null] }],
    ['a call whose id is no string', plainFormat, { role: 'assistant', tool_calls: [{ id: {} }] }],
    ['a result whose id is no string', plainFormat, { role: 'tool', tool_call_id: 7 }],
    ['text that is no string', anthropicFormat, { role: 'user', content: [{ type: 'text' }] }],
    ['a part that is nothing', openAIChatFormat, { role: 'user', content: [null] }],
    ['text that is a number', bedrockFormat, { role: 'user', content: [{ text: 1 }] }],
    ['a result whose content is no list', bedrockFormat, { role: 'user', content: [{ toolResult: { content: {} } }] }],
  ])('is refused where it has %s', (_, format, message) => {
    expect(() => checkMessages(format as Format<object>, [message])).toThrow(MessageInvalidError)
  })

  it('is not taken in, so that the session goes on', async () => {
    const { session } = startAgent()
    await exchange(session, 'one')
    const odd = { ...user('two'), tool_calls: 5 } as never
    await expect(session.submit(odd)).rejects.toThrow(MessageInvalidError)
    await exchange(session, 'three')
  })

  it('is refused in a history that the host keeps', async () => {
    const attached = startAgent().sessions.attach('hosted')
    const odd = { ...user('one'), tool_calls: 5 } as never
    await expect(attached.turn({ history: [odd] })).rejects.toThrow(MessageInvalidError)
  })
})

it('events end at a row that is missing', async () => {
  const whole = memoryStore()
  let missing = 0
  const store = replacing(whole, {
    read: async (...args) => (await whole.read(...args)).filter(({ revision }) => revision !== missing),
  })
  const { session } = startAgent({ store })
  await exchange(session, 'one')
  await exchange(session, 'two')
  missing = 2
  await expect(collect(session.events())).rejects.toMatchObject({ code: 'event_unreadable', revision: 2 })
})

it('verifying ends where a store gives the same rows again and again', async () => {
  const { session, store } = startAgent()
  await exchange(session, 'one')
  const rows = await store.read('one', 0)
  const circling = { ...storeOf('one', rows), read: () => Promise.resolve(rows.slice(0, 1)) }
  await expect(startAgent({ store: circling }).session.verify()).rejects.toMatchObject({ code: 'store_unusable' })
})
