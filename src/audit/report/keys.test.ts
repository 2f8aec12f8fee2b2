import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { keySpans, maskKeys } from './keys.ts'

const random = 'Zk3Qp9Lw2Vx7Rt5Yb1Nc8Md4Hs6Jf0Gq'

describe('maskKeys', () => {
  it.each([
    ['an Anthropic key', `key sk-ant-api03-${random}-AA end`, 'key [key] end'],
    ['an OpenAI project key', `sk-proj-${random}`, '[key]'],
    ['an AWS access key id', 'id AKIAIOSFODNN7EXAMPLE.', 'id [key].'],
    [
      'an AWS secret',
      'aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
      'aws_secret_access_key = [key]',
    ],
    ['a GitHub token', 'https://ghp_16C7e42F292c6912E7710c838347Ae178B4a@github.com', 'https://[key]@github.com'],
    ['a token of a Slack app', 'xoxb-123456-abcdef', '[key]'],
    ['a Google key', 'AIzaSyA-1234567890abcdefghijklmnopqrstu', '[key]'],
    [
      'a web token',
      'jwt eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U!',
      'jwt [key]!',
    ],
    ['a bearer', 'Authorization: Bearer abc.def-123_4', 'Authorization: [key] [key]'],
    ['a password in an address', 'postgres://app:hunter2@db:5432/x', 'postgres://app:[key]@db:5432/x'],
    ['a secret by its name', '{"client_secret": "tr0ub4dor"}', '{"client_secret": "[key]"}'],
    ['a password by its name', 'PASSWORD=correct-horse', 'PASSWORD=[key]'],
    ['a long random run', `x ${random} y`, 'x [key] y'],
    ['a private key', 'a\n-----BEGIN RSA PRIVATE KEY-----\nMIIEow\n-----END RSA PRIVATE KEY-----\nb', 'a\n[key]\nb'],
    ['a private key that is cut off', '-----BEGIN PRIVATE KEY-----\nMIIEow', '[key]'],
  ])('masks %s', (_name, text, masked) => {
    expect(maskKeys(text)).toBe(masked)
  })

  it.each([
    ['a UUID', 'session 3f2504e0-4f89-41d3-9a0c-0305e82c3301'],
    ['a commit', 'da39a3ee5e6b4b0d3255bfef95601890afd80709'],
    ['a ULID', '01ARZ3NDEKTSV4RRFFQ69G5FAV'],
    ['the id of a call', 'toolu_01A09q90qw90lq917835lq9'],
    ['the id of an answer', 'msg_01XFDUDYJgAACzvnptvVoYEL'],
    ['a path', '/home/ada/Projects/MyApp2/src/components/ButtonGroup.test.tsx'],
    ['a model', 'anthropic.claude-haiku-4-5-20251001-v1:0'],
    ['an identifier', 'shouldReturnTheNewestRowOfTheTable2'],
    ['a platform', 'x86_64-unknown-linux-gnu-thing'],
    ['a branch', 'feature/JIRA-1234-make-the-button-blue-again'],
    ['a time', '2026-11-01T14:03:59.123456789Z'],
    ['a count', 'remaining token budget: 123,456; secret: 42'],
    ['prose', 'Ask a-risk-free-question, and basic words.'],
  ])('leaves %s', (_name, text) => {
    expect(maskKeys(text)).toBe(text)
  })

  it('finds what the end of an excerpt cuts off', () => {
    const piece = random.slice(0, 14)
    expect(maskKeys(piece)).toBe(piece)
    expect(maskKeys(`text ${piece}…`, keySpans(`text ${piece}…`, { cut: true }))).toBe('text [key]')
    expect(maskKeys(`…${piece} text`, keySpans(`…${piece} text`, { cut: true }))).toBe('[key] text')
  })

  it('takes a long hostile text in stride', () => {
    for (const piece of ['-----BEGIN PRIVATE KEY', 'eyJ', 'sk-', 'xai-', 'api_key', '://a:', 'aA1', 'Bearer ']) {
      const text = piece.repeat(200_000 / piece.length)
      expect(maskKeys(text).length).toBeLessThanOrEqual(text.length)
    }
  })

  it('gives spans in order, without overlaps, inside of the text', () => {
    const pieces = fc.constantFrom('sk-abcdefgh1', 'Bearer ', random, ' ', 'api_key=', 'x', '://', 'u:p@', '…')
    fc.assert(
      fc.property(fc.array(pieces), fc.boolean(), (parts, cut) => {
        const text = parts.join('')
        let end = 0
        for (const span of keySpans(text, { cut })) {
          expect(span.start).toBeGreaterThanOrEqual(end)
          expect(span.end).toBeGreaterThan(span.start)
          end = span.end
        }
        expect(end).toBeLessThanOrEqual(text.length)
      }),
    )
  })
})
