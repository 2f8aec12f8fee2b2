import { describe, expect, it } from 'vitest'
import { keepHeaders } from '../../audit/read/headers.ts'
import { createHiding, hideInBody, hideInUrl, withoutSecrets } from './secrets.ts'

const hide = createHiding(new Uint8Array(32))

describe('headers without secrets', () => {
  it('have hashes of keys, and nothing of any other credential', () => {
    const raw = [
      ['Authorization', 'Bearer sk-secret-1'],
      ['x-api-key', 'sk-secret-2'],
      ['Cookie', 'sk-secret-3'],
      ['cf-aig-authorization', 'sk-secret-4'],
      ['X-Session-Token', 'sk-secret-5'],
      ['anthropic-version', '2023-06-01'],
    ].flat()
    const kept = withoutSecrets(raw, hide)
    expect(JSON.stringify(kept)).not.toContain('sk-secret')
    expect(kept).toEqual([
      ['Authorization', hide('sk-secret-1')],
      ['x-api-key', hide('sk-secret-2')],
      ['anthropic-version', '2023-06-01'],
    ])
  })

  it('keep the counts of tokens that a provider tells', () => {
    const raw = ['anthropic-ratelimit-tokens-remaining', '5']
    expect(withoutSecrets(raw, hide)).toEqual([raw])
  })

  it('tell the reader of an audit accounts apart, and the same one as the same', () => {
    const account = (raw: string[]): string | undefined =>
      keepHeaders(withoutSecrets(raw, hide), (text) => text).account
    expect(account(['x-api-key', 'a'])).toBe(account(['X-Api-Key', 'a']))
    expect(account(['x-api-key', 'a'])).not.toBe(account(['x-api-key', 'b']))
    expect(account(['authorization', 'Bearer a'])).toBe(account(['x-api-key', 'a']))
    const signed = (signature: string): string[] => [
      'authorization',
      `AWS4-HMAC-SHA256 Credential=AKID/20261201/us-east-1/bedrock/aws4_request, Signature=${signature}`,
    ]
    expect(account(signed('1'))).toBe(account(signed('2')))
    expect(account(['x-api-key', 'a'])).toBeDefined()
  })

  it('differ from run to run', () => {
    expect(createHiding()('key')).not.toBe(createHiding()('key'))
  })
})

describe('an address', () => {
  it('has a hash in place of a key, and is otherwise as it was', () => {
    expect(hideInUrl('https://x.example/a?alt=sse&key=AIza-secret&x=%20', hide)).toBe(
      `https://x.example/a?alt=sse&key=${hide('AIza-secret')}&x=%20`,
    )
    expect(hideInUrl('https://x.example/a?b=1', hide)).toBe('https://x.example/a?b=1')
  })
})

describe('a body', () => {
  it('has a hash in place of a token for a server of tools, and no other byte is touched', () => {
    const text =
      '{"mcp_servers":[{"url":"u", "authorization_token" : "s\\"ecret"}],"headers":{"Authorization":"Bearer t"}}'
    expect(hideInBody(text, hide)).toBe(
      `{"mcp_servers":[{"url":"u", "authorization_token" : "${hide('s\\"ecret')}"}],"headers":{"Authorization":"${hide('Bearer t')}"}}`,
    )
  })

  it('keeps what only talks of one', () => {
    const text = JSON.stringify({ content: 'Send "authorization": "Bearer x", and "authorization" too.' })
    expect(hideInBody(text, hide)).toBe(text)
  })
})
