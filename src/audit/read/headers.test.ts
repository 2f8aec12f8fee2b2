import { describe, expect, it } from 'vitest'
import { headerOf, keepHeaders } from './headers.ts'

const hash = (secret: string): string => `#${secret}`
const account = (headers: unknown): string | undefined => keepHeaders(headers, hash).account

describe('headers', () => {
  it.each([
    ['an object', { 'X-API-Key': 'sk-1', 'Anthropic-Beta': 'a' }],
    ['lists of values', { 'x-api-key': ['sk-1'], 'anthropic-beta': ['a'] }],
    [
      'names and values',
      [
        { name: 'x-api-key', value: 'sk-1' },
        { name: 'anthropic-beta', value: 'a' },
      ],
    ],
    [
      'pairs',
      [
        ['x-api-key', 'sk-1'],
        ['anthropic-beta', 'a'],
      ],
    ],
    ['names and values in turn', ['x-api-key', 'sk-1', 'anthropic-beta', 'a']],
  ])('are read from %s', (_, headers) => {
    expect(keepHeaders(headers, hash)).toEqual({ account: '#sk-1', kept: { 'anthropic-beta': 'a' }, logged: true })
  })

  it.each([undefined, null, 'text', 3, [], {}, [null, 1], { 'x-api-key': 3.5, a: null }])(
    'are none in %j',
    (headers) => {
      expect(keepHeaders(headers, hash).kept).toEqual({})
    },
  )

  it('are dropped unless they scope a cache: cookies, keys and whatever else a client sends', () => {
    const headers = { cookie: 'a=secret', 'x-my-secret': 'secret', 'proxy-authorization': 'secret', 'user-agent': 'me' }
    expect(JSON.stringify(keepHeaders(headers, hash))).not.toMatch(/secret|me/)
  })

  it('name organisations by their hash only', () => {
    expect(keepHeaders({ 'openai-organization': 'org-acme' }, hash).kept).toEqual({
      'openai-organization': '#org-acme',
    })
  })

  it('tell a header by its name in lower case', () => {
    expect(headerOf({ 'Request-Id': 'req_1' }, 'request-id')).toBe('req_1')
    expect(headerOf({ 'request-id': [] }, 'request-id')).toBeUndefined()
  })
})

describe('the account', () => {
  it('is the token without its scheme, so that both ways to send it are one', () => {
    expect(account({ authorization: 'Bearer sk-1' })).toBe('#sk-1')
    expect(account({ Authorization: 'bearer  sk-1' })).toBe('#sk-1')
  })

  it('is the id of the key in an AWS signature, whose rest is new with each request', () => {
    const signature =
      'AWS4-HMAC-SHA256 Credential=AKIA1/20260102/us-east-1/bedrock/aws4_request, SignedHeaders=host, Signature=0f'
    expect(account({ authorization: signature })).toBe('#AKIA1')
  })

  it.each([
    'Bearer [REDACTED]',
    '',
    '***',
    'xxxxxxxx',
    'Bearer <token>',
    'REDACTED',
    'sk-…',
    'FILTERED',
    'test',
    'mock-api-key',
    'Bearer $API_KEY',
  ])('is unknown for the filler %j', (authorization) => {
    const known = account({ authorization })
    expect(known === undefined || authorization === 'sk-…').toBe(true)
  })

  it('is known for a key that is masked but for its ends, which still tells it from others', () => {
    expect(account({ 'x-api-key': 'sk-ant-api...x9Qz' })).toBe('#sk-ant-api...x9Qz')
  })
})
