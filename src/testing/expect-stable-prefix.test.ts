/** What the checks accept and refuse, and what they say. */
import { AssertionError } from 'node:assert/strict'
import { describe, expect, it } from 'vitest'
import { expectExtendsPrefix, expectStablePrefix } from './expect-stable-prefix.ts'
import type { StablePrefixOptions } from './judge-requests.ts'
import { MOST_LINES } from './prefix-message.ts'
import type { SentRequest } from './sent-request.ts'
import { body, conversation, rules, type Body } from './test-bodies.ts'

function failureOf(requests: readonly SentRequest[], options?: StablePrefixOptions): AssertionError {
  try {
    expectStablePrefix(requests, options)
  } catch (error) {
    if (error instanceof AssertionError) return error
    throw error
  }
  throw new Error('The check passed.')
}

describe('expectStablePrefix', () => {
  it('passes a conversation that only grows, and says what it compared', () => {
    expect(expectStablePrefix(conversation(4))).toEqual({ conversations: 1, compared: 3 })
  })

  it('prints the path, both texts, the kind, the cost and what to do', () => {
    const [first, second, third] = conversation(3)
    const changed = { ...second, ...body({ system: 'Today is Tuesday.' }), messages: second?.messages }
    const { message, actual, expected, operator, name } = failureOf([first, changed, third] as SentRequest[])
    expect(message).toBe(
      [
        'Request 2 does not begin with request 1, which it goes on from.',
        '',
        '  kind:   date',
        '  path:   system[0], at character 9',
        `  before: "Today is Monday. ${rules.slice(0, 63)}…"`,
        `  after:  "Today is Tuesday. ${rules.slice(0, 62)}…"`,
        '  value:  "Monday" became "Tuesday"',
        '  cost:   about 301 of the 335 tokens of request 1 are not read from the cache',
        '  fix:    Make it a source, date() of indelible/sources: the prompt keeps the first day, and midnight is an update.',
        '',
        'Also broken:',
        '  - request 3 after 2: date at system[0] (about 325 tokens)',
      ].join('\n'),
    )
    expect({ name, operator }).toEqual({ name: 'AssertionError', operator: 'expectStablePrefix' })
    expect(actual).toContain('Tuesday')
    expect(expected).toContain('Monday')
  })

  it('points its stack at the test', () => {
    expect(failureOf([]).stack).toContain('expect-stable-prefix.test.ts')
    expect(failureOf(conversation(2, (turn) => `Turn ${turn}.`)).stack?.split('\n    at ')[1]).toContain('failureOf')
  })

  it.each([
    ['a clock', (turn: number) => `It is 2026-12-01T10:00:0${turn}Z.`, 'clock'],
    ['a branch', (turn: number) => `Git branch: ${['main', 'feature/login', 'fix/typo'][turn]}`, 'git'],
    ['an id', (turn: number) => `Request id: ${turn}f0c2a71-5d1e-4b7a-9c3e-0a1b2c3d4e5f`, 'id'],
  ])('names %s', (_, system, kind) => {
    expect(failureOf(conversation(3, system)).message).toContain(`  kind:   ${kind}\n`)
  })

  it('sees a tool more, one less, and another order of them', () => {
    const [first, second] = conversation(2)
    const [read, grep] = first?.tools ?? []
    const other = { ...read, name: 'write_file' }
    const kindOf = (tools: unknown): string | undefined =>
      /kind: +(.*)/.exec(failureOf([{ ...first }, { ...second, tools }]).message)?.[1]
    expect(kindOf([read, grep, other])).toBe('tool-added (tools[write_file])')
    expect(kindOf([read])).toBe('tool-removed (tools[grep])')
    expect(kindOf([grep, read])).toContain('tool-reordered')
  })

  it('counts parameters that scope the cache, and no others', () => {
    const [first, second] = conversation(2)
    const { message } = failureOf([{ ...first }, { ...second, model: 'claude-sonnet-5' }])
    expect(message).toMatch(/^Request 2 cannot read the cache of request 1, which it goes on from\.\n/)
    expect(message).toContain('  kind:   parameter\n  path:   parameter model\n')
    expect(message).toContain('  before: "claude-opus-5"\n  after:  "claude-sonnet-5"\n')
    expect(expectStablePrefix([{ ...first }, { ...second, temperature: 0.2, metadata: { user_id: 'a' } }])).toEqual({
      conversations: 1,
      compared: 1,
    })
  })

  it('follows breakpoints that move with the conversation', () => {
    const marked = conversation(3).map((request) => ({
      ...request,
      messages: request.messages.map((message, index, all) =>
        index < all.length - 1
          ? message
          : { ...message, content: [{ type: 'text', text: message.content, cache_control: { type: 'ephemeral' } }] },
      ),
    }))
    expect(expectStablePrefix(marked).compared).toBe(2)
  })

  it('links interleaved conversations, and passes over titles', () => {
    const [one, two] = [conversation(3), conversation(3, () => 'You are a reviewer of pull requests.', 'review')]
    const title = {
      model: 'claude-haiku-4-5',
      max_tokens: 20,
      messages: [{ role: 'user', content: 'Name this chat.' }],
    }
    const requests = one.flatMap((request, index) => [request, title, ...two.slice(index, index + 1)])
    const { compared } = expectStablePrefix(requests)
    expect(compared).toBeGreaterThanOrEqual(4)
    expect(() => expectStablePrefix(requests, { conversations: 'single' })).toThrow(AssertionError)
  })

  it('finds the break of one among several conversations', () => {
    const [one, two] = [conversation(3), conversation(3, (turn) => `Step ${turn} of a review.`, 'review')]
    const requests = one.flatMap((request, index) => [request, ...two.slice(index, index + 1)])
    const { message } = failureOf(requests)
    expect(message).toContain('Request 4 does not begin with request 2')
    expect(message).toContain('request 6 after 4')
  })

  it('allows what is named, by kind or by kind and path', () => {
    const requests = conversation(3, (turn) => `It is 2026-12-01T10:00:0${turn}Z.`)
    expect(expectStablePrefix(requests, { allow: ['clock'] }).compared).toBe(2)
    expect(expectStablePrefix(requests, { allow: [{ kind: 'clock', path: 'system[0]' }] }).compared).toBe(2)
    expect(failureOf(requests, { allow: ['date'] }).message).toContain('clock')
    expect(failureOf(requests, { allow: [{ kind: 'clock', path: 'system[1]' }] }).message).toContain('clock')
  })

  it('knows a compaction, and that it may be meant', () => {
    const requests = conversation(6)
    const last = requests.at(-1)
    const summary = { role: 'user', content: '<summary>They talked about files and found what they sought.</summary>' }
    const compacted = { ...last, messages: [summary, ...(last?.messages.slice(-2) ?? [])] }
    const { message } = failureOf([...requests, compacted])
    expect(message).toContain('  kind:   compaction\n')
    expect(message).toContain("{ allow: ['compaction'] }")
    expect(expectStablePrefix([...requests, compacted], { allow: ['compaction'] }).compared).toBe(6)
  })

  it('lets the end of a request go on from an answer that was begun for the model', () => {
    const [first, second] = conversation(2)
    const begun = { role: 'assistant', content: 'The answer is' }
    const prefilled = { ...first, messages: [...(first?.messages ?? []), begun] }
    const answered = { role: 'assistant', content: 'The answer is 42.' }
    const next = { ...second, messages: [...(first?.messages ?? []), answered, { role: 'user', content: 'Why?' }] }
    expectExtendsPrefix(next, prefilled)
    const other = { ...next, messages: next.messages.with(1, { role: 'assistant', content: 'An answer is 42.' }) }
    expect(() => expectExtendsPrefix(other, prefilled)).toThrow('messages[1]')
  })

  it('lets what was not answered be put in another way, and nothing in front of it', () => {
    const [first, second, third] = conversation(3) as [Body, Body, Body]
    const again = (request: Body, at: number, content: string): Body => ({
      ...request,
      messages: request.messages.with(at, { role: 'user', content }),
    })
    const more = again(second, 2, `${second.messages[2]?.content} And be quick.`)
    const other = again(second, 2, 'Never mind.')
    for (const next of [more, other]) {
      expect(expectStablePrefix([first, second, next], { conversations: 'single' }).compared).toBe(2)
      expect(() => expectExtendsPrefix(next, second)).toThrow('messages[2]')
    }
    expect(failureOf([second, again(third, 2, 'Never mind.')], { conversations: 'single' }).message).toContain(
      'messages[2]',
    )
    expect(failureOf([second, again(second, 0, 'Never mind.')], { conversations: 'single' }).message).toContain(
      'messages[0]',
    )
    expect(failureOf([first, again(first, 0, 'Never mind.')], { conversations: 'single' }).message).toContain(
      'messages[0]',
    )
  })

  it('says that a request which was cut short ends', () => {
    const [first, second] = conversation(2)
    const { message } = failureOf([{ ...second }, { ...first }], { conversations: 'single' })
    expect(message).toContain('  after:  (the request ends here)\n')
  })

  it('passes over calls that failed, that count tokens and that ask no model', () => {
    const [first, second] = conversation(2).map((request) => JSON.stringify(request))
    const url = 'https://api.anthropic.com/v1/messages'
    const other = JSON.stringify({ ...body({ system: 'Another.' }), messages: [] })
    const requests = [
      { method: 'GET', url: 'https://api.anthropic.com/v1/models', body: null },
      { method: 'POST', url, body: first, status: 200 },
      { method: 'POST', url: `${url}/count_tokens`, body: other, status: 200 },
      { method: 'POST', url, body: other, status: 529 },
      { method: 'POST', url: 'https://example.com/telemetry', body: 'no JSON' },
      { method: 'POST', url, body: second, status: 200 },
    ]
    expect(expectStablePrefix(requests)).toEqual({ conversations: 1, compared: 1 })
  })

  it('takes one request as the beginning of a conversation', () => {
    expect(expectStablePrefix(conversation(1))).toEqual({ conversations: 1, compared: 0 })
  })

  it('passes nothing where there is nothing to compare', () => {
    const question = (content: string): object => ({ ...body(), messages: [{ role: 'user', content }] })
    expect(failureOf([]).message).toBe(
      'There is no request to check. Is the client given the fetch that captures them?',
    )
    expect(failureOf([{ method: 'GET', url: 'https://api.anthropic.com/v1/models', body: null }]).message).toContain(
      'None of the 1 requests',
    )
    expect(failureOf([question('What is the capital of France?'), question('Sort these numbers.')]).message).toBe(
      'None of the 2 requests goes on from an earlier one, so nothing was compared.\n' +
        "If they are one conversation, { conversations: 'single' } shows where they part.",
    )
  })

  it('does not take a conversation that was rewritten beyond recognition for a new one', () => {
    const [first, second, third] = conversation(3)
    const rewritten = {
      ...third,
      messages: [
        { role: 'user', content: 'Bonjour' },
        { role: 'assistant', content: 'Salut !' },
        { role: 'user', content: 'Encore.' },
      ],
    }
    const requests = [first, second, rewritten] as SentRequest[]
    expect(failureOf(requests).message).toContain('Request 3 holds answers, and goes on from none of the requests')
    expect(expectStablePrefix(requests, { allow: ['unlinked'] })).toEqual({ conversations: 2, compared: 1 })
  })

  it('says that answers are missing where a request names the one that it goes on from', () => {
    const first = { model: 'gpt-6.1-sol', input: 'What is in a.ts?' }
    const second = { model: 'gpt-6.1-sol', input: 'And in b.ts?', previous_response_id: 'resp_1' }
    expect(failureOf([first, second]).message).toContain('captureFetch(fetch, { responses: true })')
  })

  it('stays short, whatever was broken, and shows no key and no control character', () => {
    const key = 'sk-ant-api03-abcdefghijklmnop'
    const noisy = conversation(40, (turn) => `\u001b[2J\u202e Key ${key} at step ${turn}. ${'x'.repeat(5_000)}`)
    const { message, actual, expected } = failureOf(noisy)
    expect(message.split('\n').length).toBeLessThanOrEqual(MOST_LINES)
    for (const text of [message, actual, expected]) {
      expect(text).not.toContain(key)
      expect(text).not.toMatch(/[^\P{Cc}\n]|\p{Cf}/u)
    }
    expect(Math.max(...message.split('\n').map((line) => line.length))).toBeLessThan(250)
  })

  it('shows no key that is what changed, nor a part of it', () => {
    const keys = ['sk-ant-api03-Zq8fT2mXw9Lk4Rv7', 'sk-ant-api03-Hn3pY6bQs1Dc5Jg0', 'sk-ant-api03-Uw7kE4tMa2Vx9Bz6']
    const { message, actual, expected } = failureOf(conversation(3, (turn) => `Authorization: Bearer ${keys[turn]}`))
    for (const text of [message, actual, expected]) expect(text).not.toMatch(/Zq8f|Hn3p|Uw7k|Rv7|Jg0|Bz6/)
    expect(message).toContain('[key]')
  })

  it.each([
    ['a number', 3, /^requests\[0\] is the number 3; expected a body, its JSON text, or a captured request\.$/],
    ['text that is no JSON', 'Hello', 'Request 1: The body of the request is no JSON object.'],
    ['JSON that is cut off', '{"model": ', 'Request 1: The body of the request was cut off when it was logged.'],
    ['no request', {}, 'Request 1: The body is of no API that is known: it has no messages, input or contents.'],
    [
      'content that is none',
      { ...body(), messages: [{ role: 'user', content: [{ type: 'text', text: 3 }] }] },
      /^Request 1: messages\[0\]\.content\[0\]\.text is the number 3/,
    ],
  ])('refuses %s as unreadable', (_, request, message) => {
    expect(() => expectStablePrefix([request as SentRequest])).toThrow(
      expect.objectContaining({ code: 'request_unreadable', message: expect.stringMatching(message) as unknown }),
    )
  })

  it('refuses what is no list, as the function that captures', () => {
    expect(() => expectStablePrefix((() => []) as unknown as SentRequest[])).toThrow('expected a list of requests')
  })

  it('refuses an unknown way to link', () => {
    expect(() => expectStablePrefix(conversation(2), { conversations: 'all' as 'single' })).toThrow(
      expect.objectContaining({ code: 'option_invalid' }),
    )
  })
})

describe('expectExtendsPrefix', () => {
  it('passes a request that goes on from the earlier one', () => {
    const [first, second] = conversation(2)
    expect(() => expectExtendsPrefix(second as SentRequest, first as SentRequest)).not.toThrow()
  })

  it('compares two that nothing but their place links', () => {
    const [first] = conversation(1)
    const other = {
      ...body({ system: 'You write poems.' }),
      messages: [{ role: 'user', content: 'A sonnet, please.' }],
    }
    expect(() => expectExtendsPrefix(other, first as SentRequest)).toThrow(
      /^The request does not begin with the earlier one\.\n\n {2}kind: /,
    )
  })

  it('allows what is named', () => {
    const [first, second] = conversation(2, (turn) => `It is 2026-12-01T10:00:0${turn}Z.`) as SentRequest[]
    expect(() => expectExtendsPrefix(second as SentRequest, first as SentRequest)).toThrow('clock')
    expectExtendsPrefix(second as SentRequest, first as SentRequest, { allow: ['clock'] })
  })

  it('refuses to compare what is no call to a model', () => {
    const [first] = conversation(1) as SentRequest[]
    const failed = { method: 'POST', url: 'https://api.anthropic.com/v1/messages', body: '{}', status: 400 }
    expect(() => expectExtendsPrefix(failed, first as SentRequest)).toThrow('nothing to compare')
  })
})
