import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { parseLine, startTestProxy, startTestServer } from './test-proxy.ts'

/** What comes back to `text` on a bare connection, until that is closed. */
async function exchangeRaw(port: number, text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  socket.write(text)
  let back = ''
  socket.on('data', (chunk) => (back += String(chunk)))
  await once(socket, 'close')
  return back
}

describe('the recorder', () => {
  it('answers requests of loopback names only, so that no web page gets through under a name of its own', async () => {
    await using upstream = await startTestServer((_incoming, outgoing) => void outgoing.end('done'))
    await using test = await startTestProxy(upstream.url)
    const ask = async (host: string): Promise<number | undefined> => {
      const outgoing = request({ port: test.proxy.port, headers: { host } }).end()
      const [response] = (await once(outgoing, 'response')) as [IncomingMessage]
      response.resume()
      await once(response, 'end')
      return response.statusCode
    }
    expect(await ask('localhost:1')).toBe(200)
    expect(await ask('127.0.0.1')).toBe(200)
    expect(await ask('rebound.example')).toBe(403)
    expect(test.lines).toHaveLength(2)
  })

  it('says which base URLs there are where a path leads nowhere', async () => {
    const base = new URL('http://127.0.0.1:1')
    await using test = await startTestProxy(base.href, { routes: [{ prefix: '/openai', base, named: base }] })
    const response = await fetch(`${test.proxy.url}/v1/chat?key=secret`, { method: 'POST', body: '{}' })
    expect([response.status, await response.json()]).toEqual([
      404,
      {
        error: {
          type: 'invalid_request_error',
          message: 'Nothing is recorded at /v1/chat. Base URLs here begin with /openai.',
        },
      },
    ])
  })

  it('lets what runs end, takes no more, and then cuts off what is left', async () => {
    await using upstream = await startTestServer((incoming, outgoing) => {
      outgoing.on('error', () => {})
      outgoing.writeHead(200).write('a')
      if (incoming.url === '/short') void setTimeout(50).then(() => outgoing.end('b'))
    })
    const test = await startTestProxy(upstream.url)
    const start = async (path: string): Promise<{ response: IncomingMessage; ended: Promise<boolean> }> => {
      const outgoing = request(test.proxy.url + path).end()
      outgoing.on('error', () => {})
      const [response] = (await once(outgoing, 'response')) as [IncomingMessage]
      response.on('error', () => {}).resume()
      const ended = new Promise<boolean>((resolve) => {
        response.once('close', () => resolve(response.complete))
      })
      return { response, ended }
    }
    const [short, long] = [await start('/short'), await start('/long')]
    await test.proxy.close(500)
    expect([await short.ended, await long.ended]).toEqual([true, false])
    expect(test.lines.map(parseLine).map(({ url, error }) => [new URL(url).pathname, error])).toEqual([
      ['/short', undefined],
      ['/long', 'The client closed the connection.'],
    ])
    await expect(fetch(test.proxy.url)).rejects.toThrow('fetch failed')
  })
})

describe('a WebSocket', () => {
  const head = 'Host: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n'

  it('for the Responses API is refused, so that its client asks over HTTP', async () => {
    await using test = await startTestProxy('http://127.0.0.1:1')
    const back = await exchangeRaw(test.proxy.port, `GET /v1/responses HTTP/1.1\r\n${head}\r\n`)
    expect(back).toMatch(/^HTTP\/1\.1 426 Upgrade Required\r\n/)
    expect(test.lines).toEqual([])
  })

  it('passes both ways otherwise, with a warning and without a line', async () => {
    await using upstream = await startTestServer(() => {})
    upstream.server.on('upgrade', (incoming, socket, first) => {
      socket.write(
        `HTTP/1.1 101 Go\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nX-host: ${incoming.headers.host}\r\n\r\n`,
      )
      socket.write(first)
      socket.on('data', (chunk: Buffer) => void socket.end(chunk))
    })
    await using test = await startTestProxy(upstream.url)
    const back = await exchangeRaw(test.proxy.port, `GET /v1/realtime HTTP/1.1\r\n${head}\r\nhello`)
    expect(back).toContain('HTTP/1.1 101 Go\r\n')
    expect(back).toContain(`X-host: ${new URL(upstream.url).host}\r\n`)
    expect(back.endsWith('\r\n\r\nhello')).toBe(true)
    expect(test.warnings).toEqual([`A WebSocket to ${upstream.url} passes through, and the log has nothing of it.`])
    expect(test.lines).toEqual([])
  })

  it('that the upstream refuses is refused in its words', async () => {
    await using upstream = await startTestServer((_incoming, outgoing) => void outgoing.writeHead(401).end('no key'))
    await using test = await startTestProxy(upstream.url)
    const back = await exchangeRaw(test.proxy.port, `GET /v1/realtime HTTP/1.1\r\n${head}\r\n`)
    expect(back).toMatch(/^HTTP\/1\.1 401 Unauthorized\r\n/)
    expect(back.endsWith('no key')).toBe(true)
  })

  it('of a foreign host is refused', async () => {
    await using test = await startTestProxy('http://127.0.0.1:1')
    const back = await exchangeRaw(
      test.proxy.port,
      `GET /v1/realtime HTTP/1.1\r\n${head.replace('localhost', 'rebound.example')}\r\n`,
    )
    expect(back).toMatch(/^HTTP\/1\.1 403 Forbidden\r\n/)
  })
})

/** Whether a server of this Node.js may go on without an upgrade that it does not know: from 24.9 on. */
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
const asksFirst = major > 24 || (major === 24 && minor >= 9)

describe('another upgrade', () => {
  it('is left out, and the request is answered without; where Node.js does not ask first, it is refused', async () => {
    await using upstream = await startTestServer(
      (incoming, outgoing) => void outgoing.end(String(incoming.headers.upgrade)),
    )
    await using test = await startTestProxy(upstream.url)
    const back = await exchangeRaw(
      test.proxy.port,
      'GET / HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade, HTTP2-Settings, close\r\nUpgrade: h2c\r\nHTTP2-Settings: AA\r\n\r\n',
    )
    expect(back).toContain(asksFirst ? 'undefined' : '426 Upgrade Required')
  })
})
