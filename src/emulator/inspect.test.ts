import { describe, expect, it, vi } from 'vitest'
import { startEmulator, type Emulator, type LoggedRequest } from './index.ts'

const body = {
  model: 'claude-opus-5-5',
  max_tokens: 64,
  system: 'Some words that are long enough to be cached. '.repeat(200),
  messages: [{ role: 'user', content: 'Hello there' }],
  cache_control: { type: 'ephemeral' },
}

async function post(
  emulator: Emulator,
  headers: { readonly [name: string]: string } = {},
  path = '/v1/messages',
): Promise<unknown> {
  const response = await fetch(emulator.url + path, { method: 'POST', body: JSON.stringify(body), headers })
  return response.json()
}

async function get(emulator: Emulator, path: string): Promise<unknown> {
  return (await fetch(`${emulator.url}/__indelible/${path}`)).json()
}

describe('/__indelible/requests', () => {
  it('shows what arrived, and what the cache did', async () => {
    await using emulator = await startEmulator({ clock: () => new Date('2026-11-30T10:00:00Z') })
    await post(emulator, { 'x-request-source': 'test' })
    const shown = (await get(emulator, 'requests')) as { requests: unknown[]; dropped: number }
    expect(shown).toMatchObject({
      requests: [
        {
          number: 1,
          endpoint: 'anthropic',
          method: 'POST',
          path: '/v1/messages',
          account: 'anonymous',
          model: 'claude-opus-5-5',
          stream: false,
          startedAt: '2026-11-30T10:00:00.000Z',
          headers: { 'x-request-source': 'test' },
          body,
          status: 200,
          prediction: { usage: { read: 0 }, written: [{ path: 'messages[0].content[0]' }] },
          error: null,
        },
      ],
      dropped: 0,
    })
    expect(emulator.requests()).toEqual(shown.requests)
  })

  it('holds no token of a server of tools, and neither does the log nor the answer', async () => {
    const logged: LoggedRequest[] = []
    await using emulator = await startEmulator({ log: (request) => void logged.push(request) })
    const secret = 'sk-very-secret'
    const server = { type: 'url', url: 'https://example.com/mcp', name: 'x', authorization_token: secret }
    const tool = { type: 'mcp', server_label: 'x', authorization: secret, headers: { Authorization: secret } }
    for (const [path, extra] of [
      ['/v1/messages', { ...body, mcp_servers: [server] }],
      ['/v1/responses', { model: 'gpt-5.6-sol', input: 'Hello', tools: [tool] }],
    ] as const) {
      const response = await fetch(emulator.url + path, { method: 'POST', body: JSON.stringify(extra) })
      expect([response.status, await response.text()]).toEqual([200, expect.not.stringContaining(secret)])
    }
    const shown = JSON.stringify([await get(emulator, 'requests'), emulator.requests(), logged])
    expect(shown).not.toContain(secret)
    expect(shown).toContain('[redacted]')
  })

  it('warns once when the log fails, and answers', async () => {
    const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
    await using emulator = await startEmulator({
      log: () => {
        throw new Error('disk full')
      },
    })
    for (let count = 0; count < 2; count++) expect(await post(emulator)).toMatchObject({ type: 'message' })
    expect(warned.mock.calls).toEqual([['The log of the emulator failed: Error: disk full. Requests are answered.']])
    warned.mockRestore()
  })

  it('holds no key, whichever header or parameter it came in', async () => {
    await using emulator = await startEmulator()
    const secret = 'sk-very-secret'
    const named = ['authorization', 'x-api-key', 'x-goog-api-key', 'api-key', 'cookie', 'proxy-authorization']
    for (const name of [...named, 'x-amz-security-token', 'cf-access-client-secret'])
      await post(emulator, { [name]: secret })
    for (const name of ['referer', 'x-jwt', 'x-pat', 'dpop']) await post(emulator, { [name]: secret })
    for (const name of ['key', 'KEY', 'api-key', 'client_secret', 'sig', 'subscription-key']) {
      await post(emulator, {}, `/v1/messages?${name}=${secret}&beta=true`)
    }
    const shown = JSON.stringify([await get(emulator, 'requests'), await get(emulator, 'caches')])
    expect(shown).not.toContain(secret)
    expect(emulator.requests().at(-1)?.path).toBe('/v1/messages?beta=true')
  })

  it('keeps the newest by their bytes, and counts those that it dropped', async () => {
    await using emulator = await startEmulator({ maxJournalBytes: 30_000 })
    for (let count = 0; count < 5; count++) await post(emulator)
    const { requests, dropped } = (await get(emulator, 'requests')) as {
      requests: { number: number }[]
      dropped: number
    }
    expect(requests.map(({ number }) => number)).toEqual([4, 5])
    expect(dropped).toBe(3)
  })

  it('is emptied by DELETE, and the caches stay', async () => {
    await using emulator = await startEmulator()
    await post(emulator)
    const response = await fetch(`${emulator.url}/__indelible/requests`, { method: 'DELETE' })
    expect(response.status).toBe(204)
    expect(await get(emulator, 'requests')).toEqual({ requests: [], dropped: 0 })
    expect(await post(emulator)).toMatchObject({ usage: { cache_creation_input_tokens: 0 } })
    expect(emulator.requests()).toMatchObject([{ number: 2 }])
  })
})

describe('/__indelible/caches', () => {
  it('shows what is cached, for each account', async () => {
    await using emulator = await startEmulator()
    const bearer = { authorization: 'Bearer one' }
    for (const headers of [{ 'x-api-key': 'one' }, bearer, { 'x-api-key': 'two' }, {}]) await post(emulator, headers)
    const { caches } = (await get(emulator, 'caches')) as { caches: { account: string; entries: unknown[] }[] }
    expect(caches).toHaveLength(3)
    expect(new Set(caches.map(({ account }) => account)).size).toBe(3)
    expect(caches.at(-1)).toMatchObject({
      provider: 'anthropic',
      account: 'anonymous',
      entries: [{ ttl: '5m', writtenBy: 1 }],
    })
    expect(emulator.requests().map(({ prediction }) => (prediction?.usage.read ?? 0) > 0)).toEqual([
      false,
      true,
      false,
      false,
    ])
  })

  it('is emptied by DELETE, and the requests stay', async () => {
    await using emulator = await startEmulator()
    await post(emulator)
    expect((await fetch(`${emulator.url}/__indelible/caches`, { method: 'DELETE' })).status).toBe(204)
    expect(await get(emulator, 'caches')).toEqual({ caches: [] })
    expect(await post(emulator)).toMatchObject({ usage: { cache_read_input_tokens: 0 } })
    expect(emulator.requests()).toHaveLength(2)
    emulator.clear()
    expect([emulator.requests(), emulator.caches()]).toEqual([[], []])
  })
})

describe('the log', () => {
  it('gets each request once it is answered, with the whole answer, streamed or not', async () => {
    const logged: LoggedRequest[] = []
    await using emulator = await startEmulator({ log: (request) => logged.push(request) })
    await post(emulator)
    const streamed = await fetch(`${emulator.url}/v1/messages`, {
      method: 'POST',
      body: JSON.stringify({ ...body, stream: true }),
    })
    await streamed.text()
    await fetch(`${emulator.url}/v1/messages`, { method: 'POST', body: '{"messages":7}' })
    expect(logged).toMatchObject([
      { number: 1, stream: false, status: 200, answer: { type: 'message', usage: { output_tokens: 4 } } },
      { number: 2, stream: true, status: 200, answer: { type: 'message', usage: { output_tokens: 4 } } },
      { number: 3, status: 400, answer: null, error: { type: 'error' } },
    ])
  })
})
