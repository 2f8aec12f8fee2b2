/** What goes through, byte by byte, and what each side hears of the other. */
import { once } from 'node:events'
import { Agent, request, type IncomingMessage, type OutgoingMessage } from 'node:http'
import { connect, createServer, type Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pairsOf } from './headers.ts'
import { parseLine, startTestProxy, startTestServer } from './test-proxy.ts'

/** A header as neither side has any business with. */
const header = fc.tuple(
  fc.stringMatching(/^[A-Za-z][A-Za-z0-9!#$%&'*+.^_`|~-]{0,12}$/).map((name) => `X-${name}`),
  fc.stringMatching(/^(?:[\x21-\x7e\x80-\xff](?:[\x20-\x7e\x80-\xff]{0,20}[\x21-\x7e\x80-\xff])?)?$/),
)
const headers = fc.array(header, { maxLength: 8 })
const body = fc
  .array(fc.uint8Array({ minLength: 1, maxLength: 3000 }), { maxLength: 6 })
  .map((chunks) => chunks.map((chunk) => Buffer.from(chunk)))
const message = fc.record({ headers, body, isChunked: fc.boolean(), trailers: fc.array(header, { maxLength: 2 }) })
type Message = typeof message extends fc.Arbitrary<infer Value> ? Value : never

/** Its headers as they are written: with the framing in odd case, and somewhere in the middle. */
function rawHeaders({ headers: given, body: chunks, isChunked, trailers }: Message): string[] {
  const length = chunks.reduce((sum, chunk) => sum + chunk.length, 0)
  const framing = isChunked ? ['TRANSFER-Encoding', 'chunked'] : ['content-LENGTH', String(length)]
  const announced = isChunked && trailers.length > 0 ? ['Trailer', trailers.map(([name]) => name).join(', ')] : []
  const [first = [], ...rest] = given
  return [...first, ...framing, ...announced, ...rest.flat()]
}

async function writeTo(message: OutgoingMessage, { body: chunks, isChunked, trailers }: Message): Promise<void> {
  for (const chunk of chunks) {
    message.write(chunk)
    await setTimeout(0)
  }
  if (isChunked) message.addTrailers(trailers)
  message.end()
}

/** What of a message must be the same on the other side. */
interface Arrived {
  readonly headers: readonly (readonly [string, string])[]
  readonly trailers: readonly (readonly [string, string])[]
  readonly body: string
}

async function arrival(incoming: IncomingMessage): Promise<Arrived> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  const own = (raw: string[]): [string, string][] => pairsOf(raw).filter(([name]) => name.startsWith('X-'))
  return {
    headers: own(incoming.rawHeaders),
    trailers: own(incoming.rawTrailers),
    body: Buffer.concat(chunks).toString('base64'),
  }
}

function asSent({ headers: given, body: chunks, isChunked, trailers }: Message): Arrived {
  return { headers: given, trailers: isChunked ? trailers : [], body: Buffer.concat(chunks).toString('base64') }
}

describe('requests and responses', () => {
  it('arrive with the headers, bytes and trailers that were sent, however they are cut', async () => {
    let back: Message
    let arrived: Promise<Arrived> | undefined
    await using upstream = await startTestServer((incoming, outgoing) => {
      arrived = arrival(incoming)
      outgoing.sendDate = false
      void arrived.then(() => writeTo(outgoing.writeHead(299, 'Fine by me', rawHeaders(back)), back))
    })
    await using test = await startTestProxy(upstream.url)
    const { port } = test.proxy
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    await fc.assert(
      fc.asyncProperty(message, message, async (sent, answer) => {
        back = answer
        const own = ['hOsT', 'localhost', ...rawHeaders(sent)]
        const outgoing = request({ port, agent, method: 'POST', path: '/v1/messages?a=%20b', headers: own })
        const responded = once(outgoing, 'response') as Promise<[IncomingMessage]>
        await writeTo(outgoing, sent)
        const [response] = await responded
        expect(await arrival(response)).toEqual(asSent(answer))
        expect(await arrived).toEqual(asSent(sent))
        expect([response.statusCode, response.statusMessage]).toEqual([299, 'Fine by me'])
        const line = parseLine(test.lines.at(-1))
        for (const [half, original] of [
          [line.request, sent],
          [line.response, answer],
        ] as const) {
          const logged = half?.body_base64 ?? Buffer.from(half?.body ?? '').toString('base64')
          expect(logged).toBe(asSent(original).body)
        }
      }),
      { numRuns: Number(process.env['LAWS_RUNS'] ?? 100) },
    )
    agent.destroy()
  })
})

describe('an exchange', () => {
  it('is read and logged as it streams, and each piece passes before the next is there', async () => {
    await using upstream = await startTestServer((_incoming, outgoing) => {
      outgoing.writeHead(200, { 'content-type': 'text/event-stream' })
      outgoing.write('data: 1\n\n')
      upstream.server.once('go on', () => outgoing.end('data: 2\n\n'))
    })
    await using test = await startTestProxy(upstream.url)
    const outgoing = request(`${test.proxy.url}/v1/messages`, { method: 'POST' }).end('{}')
    const [response] = (await once(outgoing, 'response')) as [IncomingMessage]
    const [first] = (await once(response, 'data')) as [Buffer]
    expect([String(first), test.lines]).toEqual(['data: 1\n\n', []])
    const rest = [once(response, 'data'), once(response, 'end')] as const
    upstream.server.emit('go on')
    const [[second]] = (await Promise.all(rest)) as [[Buffer], unknown]
    expect(String(second)).toBe('data: 2\n\n')
    expect(parseLine(test.lines[0])).toMatchObject({
      schema: 'indelible.record/1',
      url: `${upstream.url}/v1/messages`,
      request: { method: 'POST', body: '{}' },
      response: { status: 200, body: 'data: 1\n\ndata: 2\n\n' },
    })
  })

  it('shows its headers before there is any body', async () => {
    await using upstream = await startTestServer((_incoming, outgoing) => outgoing.writeHead(200).flushHeaders())
    await using test = await startTestProxy(upstream.url)
    const outgoing = request(test.proxy.url).end()
    const [response] = (await once(outgoing, 'response')) as [IncomingMessage]
    expect(response.statusCode).toBe(200)
    outgoing.on('error', () => {})
    response.on('error', () => {})
    outgoing.destroy()
  })

  it('is in the log when its last byte is there, with a length and without', async () => {
    for (const answer of [{ 'content-length': 4 }, {}]) {
      await using upstream = await startTestServer(
        (_incoming, outgoing) => void outgoing.writeHead(200, answer).end('done'),
      )
      await using test = await startTestProxy(upstream.url)
      const outgoing = request(test.proxy.url, { method: 'POST' }).end('{}')
      const [response] = (await once(outgoing, 'response')) as [IncomingMessage]
      let text = ''
      response.on('data', (chunk) => (text += chunk))
      await once(response, 'end')
      expect([text, test.lines.length]).toEqual(['done', 1])
    }
  })

  it('waits for 100 Continue as long as the upstream does', async () => {
    await using upstream = await startTestServer(() => {})
    upstream.server.on('checkContinue', (incoming, outgoing) => {
      outgoing.writeContinue()
      incoming.resume().once('end', () => outgoing.end('done'))
    })
    await using test = await startTestProxy(upstream.url)
    const outgoing = request(test.proxy.url, {
      method: 'POST',
      headers: { expect: '100-continue', 'content-length': 2 },
    })
    outgoing.flushHeaders()
    await once(outgoing, 'continue')
    outgoing.end('{}')
    const [response] = (await once(outgoing, 'response')) as [IncomingMessage]
    response.resume()
    await once(response, 'end')
    expect(parseLine(test.lines[0])).toMatchObject({ request: { body: '{}' }, response: { body: 'done' } })
  })

  it.each(['HEAD', 'GET', 'DELETE'])(
    'of %s has the length that it announces, and no body of its own making',
    async (method) => {
      await using upstream = await startTestServer((incoming, outgoing) => {
        expect(incoming.headers['transfer-encoding']).toBeUndefined()
        outgoing.writeHead(method === 'DELETE' ? 204 : 200, method === 'HEAD' ? { 'content-length': 5 } : {})
        outgoing.end(method === 'GET' ? 'hello' : undefined)
      })
      await using test = await startTestProxy(upstream.url)
      const outgoing = request(test.proxy.url, { method }).end()
      const [response] = (await once(outgoing, 'response')) as [IncomingMessage]
      let text = ''
      response.on('data', (chunk) => (text += chunk))
      await once(response, 'end')
      expect([response.headers['content-length'], text]).toEqual([
        method === 'HEAD' ? '5' : undefined,
        method === 'GET' ? 'hello' : '',
      ])
      expect(parseLine(test.lines[0]).request.body).toBeUndefined()
    },
  )

  it('with an upstream that says no more than that it ends is whole', async () => {
    const server = createServer((socket) => {
      socket.once('data', () => socket.end('HTTP/1.0 200 OK\r\nX-a: b\r\n\r\nup to the end'))
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as { port: number }
    await using test = await startTestProxy(`http://127.0.0.1:${port}`)
    const response = await fetch(test.proxy.url, { method: 'POST', body: '{}' })
    expect([response.headers.get('x-a'), await response.text()]).toEqual(['b', 'up to the end'])
    expect(parseLine(test.lines[0])).not.toHaveProperty('error')
    server.close()
  })

  it('answered before the request was there ends the connection behind the answer', async () => {
    await using upstream = await startTestServer((incoming, outgoing) => {
      outgoing.writeHead(413, { connection: 'close' }).end('too large')
      outgoing.once('finish', () => incoming.socket.destroySoon())
    })
    await using test = await startTestProxy(upstream.url)
    const outgoing = request(test.proxy.url, { method: 'POST' })
    outgoing.on('error', () => {})
    outgoing.write('{')
    const [response] = (await once(outgoing, 'response')) as [IncomingMessage]
    let text = ''
    response.on('data', (chunk) => (text += chunk))
    response.on('error', () => {})
    await once(response, 'close')
    outgoing.destroy()
    expect([response.statusCode, text]).toEqual([413, 'too large'])
  })

  it('with an upstream that is not there is a closed connection, a warning and a line', async () => {
    await using test = await startTestProxy('http://127.0.0.1:1')
    await expect(fetch(test.proxy.url, { method: 'POST', body: '{}' })).rejects.toThrow('fetch failed')
    expect(test.warnings[0]).toMatch(/^http:\/\/127\.0\.0\.1:1 did not answer: .*ECONNREFUSED/)
    expect(parseLine(test.lines[0]).error).toMatch(/^The upstream did not answer: /)
  })
})

describe('a slow client', () => {
  it('slows the upstream, and what waits for it is bounded', async () => {
    const size = 64 * 1024 * 1024
    let written = 0
    await using upstream = await startTestServer((_incoming, outgoing) => {
      outgoing.on('error', () => {})
      const chunk = Buffer.alloc(64 * 1024, 'x')
      const more = (): void => {
        while (written < size && !outgoing.destroyed) {
          written += chunk.length
          if (!outgoing.write(chunk)) {
            outgoing.once('drain', more)
            return
          }
        }
      }
      more()
    })
    await using test = await startTestProxy(upstream.url, { bodyLimit: 1024 })
    const socket = connect(test.proxy.port, '127.0.0.1')
    socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
    await once(socket, 'readable')
    let before = -1
    while (before !== written) {
      before = written
      await setTimeout(100)
    }
    // Buffers of the kernel and two of Node's, and no more, whatever is still to come.
    expect(written).toBeLessThan(size / 2)
    socket.destroy()
  })
})

describe('a body', () => {
  it('beyond what is kept passes whole, and the log says how much of it is missing', async () => {
    await using upstream = await startTestServer((incoming, outgoing) => void incoming.pipe(outgoing.writeHead(200)))
    await using test = await startTestProxy(upstream.url, { bodyLimit: 100_000, totalLimit: 150_000 })
    const text = `{"model":"m","messages":[${'"x",'.repeat(100_000)}0]}`
    const response = await fetch(test.proxy.url, { method: 'POST', body: text })
    expect(await response.text()).toBe(text)
    const { request: sent } = parseLine(test.lines[0])
    expect(sent.truncated).toEqual({ kept: expect.any(Number) as number, sent: text.length })
    expect(sent.truncated?.kept).toBeLessThanOrEqual(100_000)
    expect(sent.body?.endsWith(` [truncated: ${text.length} bytes were sent]`)).toBe(true)
    expect([test.recorder.cut, test.recorder.free]).toEqual([2, 150_000])
  })
})

describe('connections', () => {
  it('are kept open as long as both sides keep them, and one for each of the client', async () => {
    let connections = 0
    await using upstream = await startTestServer((_incoming, outgoing) => void outgoing.end('done'))
    upstream.server.on('connection', () => connections++)
    await using test = await startTestProxy(upstream.url)
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    for (let count = 0; count < 3; count++) {
      const outgoing = request(test.proxy.url, { agent }).end()
      const [response] = (await once(outgoing, 'response')) as [IncomingMessage]
      await arrival(response)
    }
    agent.destroy()
    expect(connections).toBe(1)
  })

  it('that an upstream gives up while idle are given up to the client too', async () => {
    const sockets: Socket[] = []
    await using upstream = await startTestServer((_incoming, outgoing) => void outgoing.end('done'))
    upstream.server.on('connection', (socket: Socket) => sockets.push(socket))
    await using test = await startTestProxy(upstream.url)
    const socket = connect(test.proxy.port, '127.0.0.1')
    socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
    await once(socket, 'data')
    await setTimeout(20)
    sockets[0]?.destroy()
    socket.resume()
    await once(socket, 'end')
    expect(sockets).toHaveLength(1)
    socket.destroy()
  })
})
