import type { Content, Part } from '@google/genai'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { IndelibleError } from '../../base/error.ts'
import { canonicalJson } from '../../base/json.ts'
import { createSessions, defineSource, memoryStore } from '../../index.ts'
import { googleFormat } from './index.ts'

const { kind, openCalls, identity, results, toolId } = googleFormat

const said = (text: string): Content => ({ role: 'user', parts: [{ text }] })
const call = (name: string, id?: string): Part => ({
  functionCall: { ...(id !== undefined && { id }), name, args: {} },
})
const response = (name: string, id?: string): Part => ({
  functionResponse: { ...(id !== undefined && { id }), name, response: { output: 'ok' } },
})
const calling = (...parts: Part[]): Content => ({ role: 'model', parts })
const answering = (...parts: Part[]): Content => ({ role: 'user', parts })

describe('googleFormat', () => {
  it.each<[string, Content, string]>([
    ['text of the user', said('Hello'), 'user'],
    ['no role', { parts: [{ text: 'Hello' }] }, 'user'],
    ['no parts', { role: 'user' }, 'user'],
    ['function responses', answering(response('read')), 'tool-result'],
    ['function responses under their old role', { role: 'function', parts: [response('read')] }, 'tool-result'],
    ['function responses with text', answering(response('read'), { text: 'Go on' }), 'tool-result'],
    ['an answer', calling({ text: 'Hi.' }), 'assistant'],
  ])('tells who speaks: %s', (_, content, expected) => {
    expect(kind(content)).toBe(expected)
  })

  it.each([
    ['a system content', { role: 'system', parts: [{ text: 'x' }] }, 'A message of role "system" cannot be kept'],
    ['another role', { role: 'assistant', parts: [] }, 'has no role "user" or "model"'],
    ['parts that are a string', { role: 'user', parts: 'x' }, 'has parts that are no array of objects'],
    ['a part that is a string', { role: 'user', parts: ['x'] }, 'has parts that are no array of objects'],
    ['a string', 'x', 'is string'],
    ['null', null, 'is null'],
  ])('refuses what is no content that it can keep: %s', (_, content, problem) => {
    for (const refuse of [() => kind(content as Content), () => identity(content as Content)]) {
      expect(refuse).toThrow(problem)
      expect(refuse).toThrow(expect.toSatisfy((error) => IndelibleError.isInstance(error, 'message_invalid')))
    }
  })

  describe('open calls', () => {
    it('go by their ids, in order', () => {
      const contents = [calling(call('read', 'a'), call('read', 'b')), answering(response('read', 'b'))]
      expect(openCalls(contents)).toEqual(['a'])
    })

    it('without ids go by name and place, and are answered in order', () => {
      const asked = calling(call('read'), call('find'), call('read'))
      expect(openCalls([asked])).toEqual(['read', 'find', 'read#2'])
      expect(openCalls([asked, answering(response('read'))])).toEqual(['find', 'read'])
      expect(openCalls([asked, answering(response('find'), response('read'), response('read'))])).toEqual([])
    })

    it('are answered by a response without an id, whether they have one or not', () => {
      expect(openCalls([calling(call('read', 'a')), answering(response('read'))])).toEqual([])
    })

    it('are not answered by a response to another call', () => {
      expect(openCalls([calling(call('read', 'a')), answering(response('read', 'b'))])).toEqual(['a'])
      expect(openCalls([calling(call('read')), answering(response('find'))])).toEqual(['read'])
    })

    it('of answers that came in several contents add up', () => {
      expect(openCalls([calling(call('read')), calling(call('read'))])).toEqual(['read', 'read#2'])
    })
  })

  it('lists the ids of results, unless one has none', () => {
    expect(results?.(answering(response('read', 'a'), response('find', 'b')))).toEqual(['a', 'b'])
    expect(results?.(answering(response('read', 'a'), response('find')))).toBeUndefined()
    expect(results?.(said('Hello'))).toEqual([])
  })

  it('lets a session append results with and without ids, and refuses what answers no call', async () => {
    const context = defineSource<string>({
      key: 'a/b',
      codec: { encode: (value) => value, decode: String },
      load: () => 'x',
      baseline: (current) => current,
      update: (_, current) => current,
    })
    const session = createSessions({ store: memoryStore(), format: googleFormat, context }).open('one')
    await session.submit(said('Read'))
    await (await session.turn()).answer([calling(call('read'), call('read'), call('find', 'c'))])
    await expect(session.append([answering(response('write'))])).rejects.toThrow('answers no')
    await expect(session.append([answering(response('find', 'd'))])).rejects.toThrow('answers no')
    await session.append([answering(response('read'))])
    await expect(session.turn()).rejects.toThrow('"read", "c"')
    await session.append([answering(response('read')), answering(response('find', 'c'))])
    expect((await session.turn()).entries).toHaveLength(5)
  })

  describe('identity', () => {
    const text = (content: Content): string => canonicalJson(identity(content))

    it('takes a role that is not given, and the old one of functions, for the user', () => {
      expect(text({ parts: [{ text: 'a' }] })).toBe(text(said('a')))
      expect(text({ role: 'function', parts: [response('read')] })).toBe(text(answering(response('read'))))
    })

    it('tells apart what the model tells apart', () => {
      const contents: Content[] = [
        said('a'),
        said('b'),
        calling({ text: 'a' }),
        calling({ text: 'a', thoughtSignature: 's' }),
        calling({ text: 'a', thought: true }),
        { role: 'user', parts: [{ text: 'a' }, { text: 'a' }] },
        { role: 'user', parts: [] },
      ]
      expect(new Set(contents.map(text)).size).toBe(contents.length)
    })

    it('is the same for any order of keys, and after a trip through JSON', () => {
      const part: fc.Arbitrary<Part> = fc.oneof(
        fc.record({ text: fc.string() }),
        fc.record({ text: fc.string(), thoughtSignature: fc.base64String() }),
        fc.record({ functionCall: fc.record({ name: fc.string(), args: fc.dictionary(fc.string(), fc.jsonValue()) }) }),
      )
      fc.assert(
        fc.property(fc.constantFrom('user', 'model'), fc.array(part), (role, parts) => {
          const content = { role, parts }
          const reversed = { parts: parts.map((one) => Object.fromEntries(Object.entries(one).reverse())), role }
          expect(text(reversed)).toBe(text(content))
          expect(text(JSON.parse(JSON.stringify(content)) as Content)).toBe(text(content))
        }),
      )
    })
  })

  describe('the id of a tool', () => {
    it('is the name of a declaration, or the key of a provider tool', () => {
      expect(toolId?.({ name: 'read', parametersJsonSchema: {} })).toBe('read')
      expect(toolId?.({ googleSearch: {} })).toBe('googleSearch')
    })

    it.each([
      ['a list of declarations', { functionDeclarations: [{ name: 'read' }] }, 'Pass each declaration by itself'],
      ['several provider tools in one', { googleSearch: {}, urlContext: {} }, '["googleSearch","urlContext"]'],
      ['nothing', {}, 'has no name'],
    ])('is not there for %s', (_, tool, problem) => {
      expect(() => toolId?.(tool)).toThrow(problem)
      expect(() => toolId?.(tool)).toThrow(
        expect.toSatisfy((error) => IndelibleError.isInstance(error, 'tool_invalid')),
      )
    })
  })
})
