import { describe, expect, it } from 'vitest'
import { testRequest } from '../test-request.ts'
import type { Refusal } from '../types.ts'
import { cacheStore, type CacheStore } from './caches.ts'
import { checkGenerate } from './check.ts'

const user = { role: 'user', parts: [{ text: 'Hello' }] }
const call = { role: 'model', parts: [{ functionCall: { name: 'look', args: {} } }] }
const result = { role: 'user', parts: [{ functionResponse: { name: 'look', response: {} } }] }
const at = new Date('2026-11-30T12:00:00Z')

function caches(): CacheStore {
  const store = cacheStore()
  const times = { createdAt: at, updatedAt: at, expiresAt: new Date(at.getTime() + 1000) }
  const shared = { account: 'account', model: 'models/gemini-3.8-flash', body: {}, tokens: 5000 }
  store.save({ name: 'cachedContents/a', ...shared, ...times })
  store.save({ name: 'cachedContents/call', ...shared, ...times, body: { contents: [user, call] } })
  return store
}

function check(body: object, over: { model?: string; account?: string; at?: Date } = {}): Refusal | null {
  return checkGenerate(testRequest({ contents: [user], ...body }, { model: 'gemini-3.8-flash', at, ...over }), caches())
}

function invalid(message: unknown): object {
  return { status: 400, body: { error: { code: 400, message, status: 'INVALID_ARGUMENT' } } }
}

describe('generateContent lets through', () => {
  it.each([
    ['a plain request', {}],
    ['a content without a role', { contents: [{ parts: [{ text: 'a' }] }] }],
    ['a call and its result', { contents: [user, call, result] }],
    ['a result in the old role', { contents: [user, call, { ...result, role: 'function' }] }],
    ['a call as the last turn', { contents: [user, call] }],
    ['a result whose call is in the cache', { contents: [result], cachedContent: 'cachedContents/call' }],
    [
      'calls that were streamed apart',
      { contents: [user, call, call, { role: 'user', parts: [...result.parts, ...result.parts] }] },
    ],
    ['results in a content each', { contents: [user, call, call, result, result] }],
    ['a single content in place of a list', { contents: user }],
    ['what is null or empty as what is left out', { cachedContent: '', systemInstruction: null }],
    ['a cache of the same model', { cachedContent: 'cachedContents/a' }],
  ])('%s', (_, body) => {
    expect(check(body)).toBeNull()
  })
})

describe('generateContent refuses', () => {
  it('no contents', () => {
    const message = '* GenerateContentRequest.contents: contents is not specified\n'
    expect(check({ contents: [] })).toEqual(invalid(message))
    expect(check({ contents: undefined })).toEqual(invalid(message))
  })

  it.each(['system', 'assistant', 'function', 3])('the role %s', (role) => {
    expect(check({ contents: [{ ...user, role }] })).toEqual(invalid('Please use a valid role: user, model.'))
  })

  it('a content without parts', () => {
    expect(check({ contents: [user, { role: 'model', parts: [] }] })).toEqual(
      invalid(expect.stringContaining('contents[1].parts')),
    )
  })

  it('a function response that answers no call', () => {
    expect(check({ contents: [user, result] })).toEqual(
      invalid('Please ensure that function response turn comes immediately after a function call turn.'),
    )
  })

  it('fewer responses than calls, and other words in their place', () => {
    const two = { role: 'model', parts: [...call.parts, ...call.parts] }
    const message = expect.stringContaining('the number of function response parts is equal')
    expect(check({ contents: [user, two, result] })).toEqual(invalid(message))
    expect(check({ contents: [user, call, user] })).toEqual(invalid(message))
    expect(check({ contents: [user, call, call, result] })).toEqual(invalid(message))
    expect(check({ contents: [user, call, call, result, call] })).toEqual(invalid(message))
  })

  it.each(['systemInstruction', 'system_instruction', 'tools', 'toolConfig'])('a cache beside %s', (field) => {
    expect(check({ cachedContent: 'cachedContents/a', [field]: {} })).toEqual(
      invalid(expect.stringMatching(/^CachedContent can not be used with GenerateContent request/)),
    )
  })

  it('a cache of another model', () => {
    expect(check({ cachedContent: 'cachedContents/a' }, { model: 'gemini-2.5-pro' })).toEqual(
      invalid(
        'Model used by GenerateContent request (models/gemini-2.5-pro) and CachedContent (models/gemini-3.8-flash) has to be the same.',
      ),
    )
  })

  it.each([
    ['unknown', { cachedContent: 'cachedContents/b' }, {}],
    ["another account's", { cachedContent: 'cachedContents/a' }, { account: 'other' }],
    ['run out', { cachedContent: 'cachedContents/a' }, { at: new Date(at.getTime() + 1000) }],
  ])('a cache that is %s', (_, body, over) => {
    expect(check(body, over)).toEqual({
      status: 403,
      body: {
        error: { code: 403, message: 'CachedContent not found (or permission denied)', status: 'PERMISSION_DENIED' },
      },
    })
  })
})
