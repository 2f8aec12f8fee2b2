import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { createHostCheck } from './host.ts'
import { startEmulator, type Emulator, type EmulatorOptions } from './index.ts'

let running: Emulator[] = []

afterEach(async () => {
  await Promise.all(running.map((emulator) => emulator.close()))
  running = []
})

async function start(options?: EmulatorOptions): Promise<Emulator> {
  const emulator = await startEmulator(options)
  running.push(emulator)
  return emulator
}

const body = { model: 'claude-opus-5-5', max_tokens: 64, messages: [{ role: 'user', content: 'Hello there' }] }

interface Sent {
  readonly method?: string
  readonly path?: string
  readonly headers?: { readonly [name: string]: string }
  readonly body?: string | Uint8Array
}

interface Reply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

/** Sends over a connection of its own, with any header that there is. */
function send(
  emulator: Emulator,
  { method = 'POST', path = '/v1/messages', headers = {}, body = '' }: Sent = {},
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(emulator.url)
    const outgoing = httpRequest({ hostname, port, method, path, headers, agent: false }, (incoming) => {
      let text = ''
      incoming.setEncoding('utf8')
      incoming.on('data', (chunk: string) => (text += chunk))
      incoming.on('end', () => resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text }))
      incoming.on('error', reject)
    })
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

const post = (emulator: Emulator, value: unknown, headers?: { readonly [name: string]: string }): Promise<Reply> =>
  send(emulator, { body: JSON.stringify(value), ...(headers === undefined ? {} : { headers }) })

describe('an emulator', () => {
  it('listens on loopback, at a port of its own, until it is closed', async () => {
    await using emulator = await startEmulator()
    expect(emulator.url).toBe(`http://127.0.0.1:${emulator.port}`)
    expect((await post(emulator, body)).status).toBe(200)
    await emulator.close()
    await expect(post(emulator, body)).rejects.toThrow('ECONNREFUSED')
  })

  it('rejects when its port is taken', async () => {
    const { port } = await start()
    await expect(startEmulator({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' })
  })

  it('leaves the globals of the program alone', async () => {
    const { Request, Response } = globalThis
    await start()
    expect(globalThis.Request).toBe(Request)
    expect(globalThis.Response).toBe(Response)
  })

  it.each(['localhost', 'LOCALHOST:80', '127.0.0.1', '127.8.9.1:4000', '[::1]:4000', 'agent.localhost'])(
    'answers the host %s',
    async (host) => {
      const reply = await post(await start(), body, { host })
      expect(reply.status).toBe(200)
    },
  )

  it.each(['example.com', 'localhost.example.com', '10.0.0.7', '127.0.0.1.example.com', '[::2]'])(
    'refuses the host %j, as of a page that rebound its name',
    async (host) => {
      const emulator = await start()
      for (const path of ['/v1/messages', '/__indelible/requests']) {
        const { status, text } = await send(emulator, { path, headers: { host }, body: JSON.stringify(body) })
        expect(status).toBe(403)
        expect(JSON.parse(text)).toMatchObject({ error: { type: 'permission_error' } })
      }
      expect(emulator.requests()).toEqual([])
    },
  )

  it.each([undefined, '', 'localhost:x', 'localhost:80:80', 'http://localhost'])('takes %j for no host', (header) => {
    expect(createHostCheck('127.0.0.1', [])(header)).toBe(false)
  })

  it('answers further names that it was started with, and any address when bound to all', async () => {
    const emulator = await start({ host: '0.0.0.0', hosts: ['Emulator'] })
    expect(emulator.url).toBe(`http://127.0.0.1:${emulator.port}`)
    const hosts = ['emulator:4010', '10.0.0.7:4010', 'example.com']
    const replies = await Promise.all(hosts.map((host) => post(emulator, body, { host })))
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 403])
  })

  it('sends no header that would let other origins read', async () => {
    const emulator = await start()
    const origin = 'https://example.com'
    const replies = [
      await post(emulator, body, { origin }),
      await send(emulator, { method: 'OPTIONS', headers: { origin, 'access-control-request-method': 'POST' } }),
      await send(emulator, { method: 'GET', path: '/__indelible/requests', headers: { origin } }),
    ]
    expect(replies.map(({ status }) => status)).toEqual([200, 405, 200])
    const names = replies.flatMap(({ headers }) => Object.keys(headers))
    expect(names.filter((name) => name.startsWith('access-control'))).toEqual([])
  })

  it('says where nothing is, and which methods there are', async () => {
    const emulator = await start()
    const nowhere = await send(emulator, { path: '/v1/nothing', body: '{}' })
    expect([nowhere.status, JSON.parse(nowhere.text)]).toEqual([
      404,
      {
        type: 'error',
        error: {
          type: 'not_found_error',
          message: 'There is nothing at POST /v1/nothing. /__indelible lists what there is.',
        },
      },
    ])
    const versionless = await send(emulator, { path: '/chat/completions', body: '{}' })
    expect(versionless.text).toContain('The API is at /v1/chat/completions: end the base URL of this client in /v1.')
    const index = await send(emulator, { method: 'GET', path: '/__indelible' })
    expect((JSON.parse(index.text) as { paths: string[] }).paths).toEqual(
      expect.arrayContaining(['DELETE /__indelible/caches', 'POST /v1/messages', 'POST /v1/messages/count_tokens']),
    )
    const wrong = await send(emulator, { method: 'GET' })
    expect(wrong.status).toBe(405)
    expect(wrong.headers.allow).toBe('POST')
    expect(JSON.parse(wrong.text)).toMatchObject({ type: 'error', error: { type: 'invalid_request_error' } })
    const inspection = await send(emulator, { path: '/__indelible/caches' })
    expect([inspection.status, inspection.headers.allow]).toEqual([405, 'GET, DELETE'])
  })

  it.each([
    ['no JSON', '{"model":'],
    ['nothing', ''],
    ['a list', '[]'],
    ['null', 'null'],
  ])('refuses a body that is %s', async (_, text) => {
    const emulator = await start()
    const reply = await send(emulator, { body: text })
    expect(reply.status).toBe(400)
    expect(JSON.parse(reply.text)).toMatchObject({
      type: 'error',
      error: { type: 'invalid_request_error', message: expect.stringContaining('The request body is not') as string },
      request_id: reply.headers['request-id'],
    })
  })

  it('refuses what it cannot read, and says where', async () => {
    const emulator = await start()
    const reply = await post(emulator, { ...body, messages: [{ role: 'user', content: 7 }] })
    expect(reply.status).toBe(400)
    expect(reply.text).toContain('messages[0].content is the number 7')
    expect(emulator.requests()).toMatchObject([{ status: 400, prediction: null }])
    expect(emulator.caches()).toMatchObject([{ entries: [] }])
  })

  it('refuses a body that is nested deeper than it can be followed', async () => {
    const emulator = await start()
    const depth = 200_000
    const content = `${'[{"type":"tool_result","tool_use_id":"a","content":'.repeat(depth)}""${'}]'.repeat(depth)}`
    const reply = await send(emulator, {
      body: `{"model":"claude-opus-5-5","max_tokens":1,"messages":[{"role":"user","content":${content}}]}`,
    })
    expect([reply.status, reply.text]).toEqual([400, expect.stringContaining('invalid_request_error') as string])
    expect((await send(emulator, { method: 'GET', path: '/__indelible/requests' })).status).toBe(200)
  })

  it.each([
    ['with its length', {}],
    ['in chunks', { 'transfer-encoding': 'chunked' }],
  ])('refuses a body over the limit, sent %s, and lives on', async (_, headers) => {
    const emulator = await start({ maxBodyBytes: 1_000 })
    const large = JSON.stringify({ ...body, system: 'x'.repeat(100_000) })
    const reply = await send(emulator, { body: large, headers })
    expect(reply.status).toBe(413)
    expect(JSON.parse(reply.text)).toMatchObject({ error: { type: 'request_too_large' } })
    expect(emulator.requests()).toEqual([])
    expect((await post(emulator, body)).status).toBe(200)
  })

  it('counts the limit after decompression too', async () => {
    const emulator = await start({ maxBodyBytes: 1_000 })
    const bomb = gzipSync(JSON.stringify({ ...body, system: 'x'.repeat(100_000) }))
    expect(bomb.length).toBeLessThan(1_000)
    expect((await send(emulator, { body: bomb, headers: { 'content-encoding': 'gzip' } })).status).toBe(413)
  })

  it('reads compressed bodies, and refuses what is none or compressed in an unknown way', async () => {
    const emulator = await start()
    const text = JSON.stringify(body)
    const replies = [
      await send(emulator, { body: gzipSync(text), headers: { 'content-encoding': 'gzip' } }),
      await send(emulator, { body: brotliCompressSync(text), headers: { 'content-encoding': 'br' } }),
      await send(emulator, { body: text, headers: { 'content-encoding': 'gzip' } }),
      await send(emulator, { body: text, headers: { 'content-encoding': 'compress' } }),
    ]
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 400, 415])
    expect(emulator.requests().map(({ body }) => body)).toEqual([body, body])
  })
})

describe('the answer', () => {
  const textOf = ({ text }: Reply): unknown =>
    (JSON.parse(text) as { content: readonly { text?: string }[] }).content[0]

  it('echoes unless told otherwise', async () => {
    expect(textOf(await post(await start(), body))).toMatchObject({ text: 'Hello there' })
  })

  it('is a fixed one, or one for each request', async () => {
    expect(textOf(await post(await start({ respond: { text: 'Yes.' } }), body))).toMatchObject({ text: 'Yes.' })
    const emulator = await start({
      respond: async ({ number, model, endpoint, method, path, stream }) =>
        Promise.resolve({ text: [number, model, endpoint, method, path, stream].join(' ') }),
    })
    await post(emulator, body)
    const reply = await send(emulator, { path: '/v1/messages?beta=true&key=sk-1', body: JSON.stringify(body) })
    expect(textOf(reply)).toMatchObject({ text: '2 claude-opus-5-5 anthropic POST /v1/messages?beta=true false' })
  })

  const fail = (): never => {
    throw new Error('out of script')
  }

  it.each<EmulatorOptions>([
    { respond: fail },
    { respond: () => Promise.reject(new Error('out of script')) },
    { latency: fail },
  ])('is an error when a callback fails, and the cache does not hear of it', async (options) => {
    const emulator = await start(options)
    const reply = await post(emulator, { ...body, cache_control: { type: 'ephemeral' }, system: 'word '.repeat(4_000) })
    expect([reply.status, reply.text]).toEqual([500, expect.stringContaining('out of script') as string])
    expect(emulator.caches()).toMatchObject([{ entries: [] }])
  })

  it('is counted, as all that is sent, by the counter that it is given', async () => {
    const [short, long] = await Promise.all(
      [1, 50].map(async (factor) => {
        const emulator = await start({ countTokens: (text) => text.length * factor })
        const reply = await post(emulator, body)
        return (JSON.parse(reply.text) as { usage: { input_tokens: number; output_tokens: number } }).usage
      }),
    )
    // A token of the model's for 0.74 of the counter's.
    expect(short?.output_tokens).toBe(Math.round(1.35 * 'Hello there'.length))
    expect(long?.output_tokens).toBe(Math.round(1.35 * 50 * 'Hello there'.length))
    expect(long?.input_tokens).toBeGreaterThan(10 * (short?.input_tokens ?? 0))
  })

  it('takes as long as it is told', async () => {
    const seen: number[] = []
    const emulator = await start({
      latency: ({ number }, { usage }) => {
        seen.push(usage.total)
        return { begin: number === 1 ? 80 : 0, event: 10 }
      },
    })
    const started = performance.now()
    await post(emulator, body)
    expect(performance.now() - started).toBeGreaterThanOrEqual(75)
    const streamed = performance.now()
    await post(emulator, { ...body, stream: true })
    expect(performance.now() - streamed).toBeGreaterThanOrEqual(40)
    expect(seen).toHaveLength(2)
  })
})

describe('closing', () => {
  it('finishes the answers that are running, and takes no others', async () => {
    const emulator = await start({ latency: { begin: 60, event: 5 } })
    const whole = post(emulator, body)
    const streamed = post(emulator, { ...body, stream: true })
    await expect.poll(() => emulator.requests().length).toBe(2)
    const closed = emulator.close()
    expect(emulator.close()).toBe(closed)
    await expect(post(emulator, body)).rejects.toThrow('ECONNREFUSED')
    expect((await whole).status).toBe(200)
    expect((await streamed).text).toContain('message_stop')
    await closed
  })

  it('does not wait for connections that are kept alive', async () => {
    const emulator = await start({ latency: 30 })
    const reply = fetch(`${emulator.url}/v1/messages`, { method: 'POST', body: JSON.stringify(body) })
    await expect.poll(() => emulator.requests().length).toBe(1)
    const started = performance.now()
    const closed = emulator.close({ within: 60_000 })
    expect((await (await reply).json()) as unknown).toMatchObject({ type: 'message' })
    await closed
    expect(performance.now() - started).toBeLessThan(5_000)
  })

  it('cuts off what runs on for longer than it is given', async () => {
    const emulator = await start({
      respond: ({ signal }) =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => reject(new Error('gone')))
        }),
    })
    const reply = post(emulator, body)
    reply.catch(() => {})
    await expect.poll(() => emulator.requests().length).toBe(1)
    await emulator.close({ within: 20 })
    await expect(reply).rejects.toThrow('socket hang up')
    await expect.poll(() => emulator.requests()[0]?.status).toBe(499)
  })
})
