import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { clientPath, joinPath, targetOf, type Route } from './routes.ts'

function route(prefix: string, base: string, named = base): Route {
  return { prefix, base: new URL(base), named: new URL(named) }
}

const routes = [
  route('/anthropic', 'https://api.anthropic.com'),
  route('/openai', 'https://api.openai.com/v1'),
  route('/openai-2', 'https://gateway.example/team/llm'),
  route('/google', 'http://127.0.0.1:4010', 'https://generativelanguage.googleapis.com'),
]

describe('a path', () => {
  it.each([
    ['/anthropic/v1/messages', 'https://api.anthropic.com/v1/messages'],
    ['/anthropic/v1/messages?beta=true', 'https://api.anthropic.com/v1/messages?beta=true'],
    ['/openai/v1/chat/completions', 'https://api.openai.com/v1/chat/completions'],
    ['/openai/v1', 'https://api.openai.com/v1'],
    ['/openai-2/chat/completions', 'https://gateway.example/team/llm/chat/completions'],
    [
      '/google/v1beta/models/g:generateContent?key=x',
      'https://generativelanguage.googleapis.com/v1beta/models/g:generateContent?key=x',
    ],
    ['/anthropic?x', 'https://api.anthropic.com/?x'],
  ])('%s leads to %s', (path, url) => {
    expect(targetOf(path, routes)?.url).toBe(url)
  })

  it('goes where answers come from, whatever the log names', () => {
    const target = targetOf('/google/v1beta/models', routes)
    expect([target?.route.base.origin, target?.path]).toEqual(['http://127.0.0.1:4010', '/v1beta/models'])
  })

  it.each(['/anthropics/v1', '/', '', '/v1/messages', '*'])('%j of no provider leads nowhere', (path) => {
    expect(targetOf(path, routes)).toBeUndefined()
  })

  it.each(['*', 'http://other.example/v1/messages'])('%j is none, wherever all of them lead', (path) => {
    expect(targetOf(path, [route('', 'https://gateway.example')])).toBeUndefined()
  })

  it('is found below a base with the version or without it', () => {
    const all = [
      'http://localhost:8000',
      'http://localhost:8000/',
      'http://localhost:8000/v1',
      'http://localhost:8000/v1/',
    ]
    for (const base of all) {
      expect(targetOf('/v1/messages', [route('', base)])?.url).toBe('http://localhost:8000/v1/messages')
    }
    expect(targetOf('/chat/completions', [route('', 'http://localhost:8000/v1')])?.path).toBe('/v1/chat/completions')
  })

  it('to the messages of Anthropic is found without the version, as the AI SDK writes it', () => {
    expect(targetOf('/anthropic/messages', routes)?.path).toBe('/v1/messages')
    expect(targetOf('/anthropic/messages-archive', routes)?.path).toBe('/messages-archive')
  })

  it('keeps each of its bytes behind the base', () => {
    const rest = fc.string({ unit: fc.integer({ min: 0x21, max: 0xff }).map((code) => String.fromCharCode(code)) })
    fc.assert(
      fc.property(rest, (text) => {
        expect(joinPath('/', `/x${text}`)).toBe(`/x${text}`)
        expect(joinPath('/team', `/x${text}`)).toBe(`/team/x${text}`)
        expect(joinPath('/v1', `/v1/x${text}`)).toBe(`/v1/x${text}`)
      }),
    )
  })
})

describe('what a client is given', () => {
  it('ends in the version where the base does', () => {
    expect(routes.map(clientPath)).toEqual(['/anthropic', '/openai/v1', '/openai-2', '/google'])
  })
})
