import type { ContentBlock, Message } from '@aws-sdk/client-bedrock-runtime'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { IndelibleError } from '../../base/error.ts'
import { canonicalJson, type Json } from '../../base/json.ts'
import { createSessions, defineSource, memoryStore } from '../../index.ts'
import { bedrockFormat } from './index.ts'

const { kind, openCalls, identity, results, toolId, encode, decode } = bedrockFormat

const user = (...content: ContentBlock[]): Message => ({ role: 'user', content })
const answer = (...content: ContentBlock[]): Message => ({ role: 'assistant', content })
const call = (toolUseId: string): ContentBlock => ({ toolUse: { toolUseId, name: 'read', input: {} } })
const result = (toolUseId: string): ContentBlock => ({ toolResult: { toolUseId, content: [{ text: 'ok' }] } })
const mark: ContentBlock = { cachePoint: { type: 'default' } }
const picture = (...bytes: number[]): ContentBlock => ({
  image: { format: 'png', source: { bytes: Uint8Array.from(bytes) } },
})

describe('bedrockFormat', () => {
  it.each<[string, Message, string]>([
    ['text of the user', user({ text: 'Hello' }), 'user'],
    ['no content', user(), 'user'],
    ['tool results', user(result('a'), result('b')), 'tool-result'],
    ['tool results with text after them', user(result('a'), { text: 'Go on' }), 'tool-result'],
    ['an answer', answer({ text: 'Hi.' }), 'assistant'],
    ['an answer with the result of a system tool', answer(call('a'), result('a')), 'assistant'],
  ])('tells who speaks: %s', (_, message, expected) => {
    expect(kind(message)).toBe(expected)
  })

  it.each([
    ['a system message', { role: 'system', content: [] }, 'A message of role "system" cannot be kept'],
    ['another role', { role: 'tool', content: [] }, 'has no role "user" or "assistant"'],
    ['content that is a string', { role: 'user', content: 'x' }, 'has content that is no array of blocks'],
    ['no content', { role: 'user' }, 'has content that is no array of blocks'],
    ['a block that is a string', { role: 'user', content: ['x'] }, 'has content that is no array of blocks'],
    ['a string', 'x', 'is string'],
    ['null', null, 'is null'],
  ])('refuses what is no message that it can keep: %s', (_, message, problem) => {
    for (const refuse of [() => kind(message as Message), () => identity(message as Message)]) {
      expect(refuse).toThrow(problem)
      expect(refuse).toThrow(expect.toSatisfy((error) => IndelibleError.isInstance(error, 'message_invalid')))
    }
  })

  it('lists the tool calls that wait for a result, in order', () => {
    const messages = [user({ text: 'Read' }), answer({ text: 'Reading' }, call('a'), call('b')), user(result('b'))]
    expect(openCalls(messages)).toEqual(['a'])
    expect(openCalls([...messages, user(result('a'))])).toEqual([])
    expect(results?.(user(result('b'), { text: 'x' }, result('a')))).toEqual(['b', 'a'])
  })

  it('waits for no result of a tool that the service runs', () => {
    const search: ContentBlock = { toolUse: { toolUseId: 's', name: 'search', input: {}, type: 'server_tool_use' } }
    expect(openCalls([answer(search, result('s'))])).toEqual([])
    expect(openCalls([answer(search)])).toEqual([])
    expect(results?.(answer(search, result('s')))).toEqual([])
  })

  describe('identity', () => {
    const text = (message: Message): string => canonicalJson(identity(message))

    it('is that of the message without breakpoints', () => {
      expect(text(user({ text: 'a' }, mark))).toBe(text(user({ text: 'a' })))
      expect(text(user({ text: 'a' }, mark, { text: 'b' }, mark))).toBe(text(user({ text: 'a' }, { text: 'b' })))
    })

    it('tells apart what the model tells apart', () => {
      const messages = [
        user({ text: 'a' }),
        answer({ text: 'a' }),
        user({ text: 'a' }, { text: 'a' }),
        user(),
        user(picture(1)),
        user(picture(2)),
        answer(call('a')),
        answer(call('b')),
      ]
      expect(new Set(messages.map(text)).size).toBe(messages.length)
    })

    it('is the same for any order of keys, and after a trip through the store', () => {
      const block: fc.Arbitrary<ContentBlock> = fc.oneof(
        fc.record({ text: fc.string() }),
        fc.uint8Array().map((bytes) => picture(...bytes)),
        fc.dictionary(fc.string(), fc.jsonValue()).map((input): ContentBlock => ({
          toolUse: { toolUseId: 'a', name: 'read', input: JSON.parse(JSON.stringify(input)) as never },
        })),
      )
      fc.assert(
        fc.property(fc.constantFrom('user' as const, 'assistant' as const), fc.array(block), (role, content) => {
          const message: Message = { role, content }
          const stored = JSON.parse(JSON.stringify(encode?.(message))) as Json
          expect(decode?.(stored)).toEqual(message)
          expect(text(decode?.(stored) ?? message)).toBe(text(message))
          expect(text({ content, role })).toBe(text(message))
        }),
      )
    })
  })

  it('keeps bytes in a session', async () => {
    const context = defineSource<string>({
      key: 'a/b',
      codec: { encode: (value) => value, decode: String },
      load: () => 'x',
      baseline: (current) => current,
      update: (_, current) => current,
    })
    const store = memoryStore()
    const message = user({ text: 'Look' }, picture(1, 2, 3))
    const session = createSessions({ store, format: bedrockFormat, context }).open('one')
    const receipt = await session.submit(message, { id: 'i' })
    expect(await session.submit(message, { id: 'i' })).toEqual(receipt)
    await expect(session.submit(user({ text: 'Look' }, picture(9)), { id: 'i' })).rejects.toThrow('other content')
    const restarted = createSessions({ store, format: bedrockFormat, context }).open('one')
    expect((await restarted.turn()).entries).toMatchObject([{ message }])
    expect(await restarted.verify()).toEqual({ ok: true, problems: [] })
  })

  it('names a tool by its specification', () => {
    expect(toolId?.({ toolSpec: { name: 'read', inputSchema: { json: {} } } })).toBe('read')
    expect(toolId?.({ systemTool: { name: 'nova_grounding' } })).toBe('nova_grounding')
    for (const tool of [
      { cachePoint: { type: 'default' } },
      { name: 'read' },
      { toolSpec: {} },
      { toolSpec: 'read' },
    ]) {
      expect(() => toolId?.(tool)).toThrow('Pass { toolSpec: { name, ... } } or { systemTool: { name } }')
      expect(() => toolId?.(tool)).toThrow(
        expect.toSatisfy((error) => IndelibleError.isInstance(error, 'tool_invalid')),
      )
    }
  })
})
