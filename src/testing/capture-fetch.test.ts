/** What is kept of requests, and that they and their answers pass unchanged. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { captureFetch, type FetchFunction } from './capture-fetch.ts'

const json = '{"model":"claude-opus-5","messages":[{"role":"user","content":"Grüße, 世界"}]}'
const url = 'https://api.anthropic.com/v1/messages'
const clock = (): Date => new Date('2026-12-01T10:00:00Z')

/** A server that says what arrived. */
let server: Server
let address: string

beforeAll(async () => {
  server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', () => {
      const { method, url: path, headers } = incoming
      outgoing.writeHead(201, { 'content-type': 'application/json', 'x-request-id': 'r1' })
      outgoing.end(JSON.stringify({ method, path, key: headers['x-api-key'], body: Buffer.concat(chunks).toString() }))
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})

afterAll(() => {
  server.close()
})

function stream(...texts: string[]): ReadableStream<Uint8Array> {
  const bytes = texts.map((text) => new TextEncoder().encode(text))
  return new ReadableStream({
    pull(controller) {
      const chunk = bytes.shift()
      if (chunk === undefined) controller.close()
      else controller.enqueue(chunk)
    },
  })
}

describe('captureFetch', () => {
  const [start, end] = [json.slice(0, 60), json.slice(60)]
  const bytes = new TextEncoder().encode(json)
  it.each<[string, () => Parameters<FetchFunction>]>([
    ['a string', () => [`${address}/v1/messages?beta=true`, { method: 'POST', body: json }]],
    ['bytes', () => [`${address}/v1/messages?beta=true`, { method: 'post', body: bytes }]],
    [
      'a part of a buffer',
      () => [
        `${address}/v1/messages?beta=true`,
        { method: 'POST', body: new Uint8Array([0, ...bytes, 0]).subarray(1, bytes.length + 1) },
      ],
    ],
    ['an ArrayBuffer', () => [`${address}/v1/messages?beta=true`, { method: 'POST', body: bytes.buffer }]],
    ['a blob', () => [new URL(`${address}/v1/messages?beta=true`), { method: 'POST', body: new Blob([json]) }]],
    [
      'a stream',
      () => [
        `${address}/v1/messages?beta=true`,
        { method: 'POST', body: stream(start, end), duplex: 'half' } as RequestInit,
      ],
    ],
    ['a Request', () => [new Request(`${address}/v1/messages?beta=true`, { method: 'POST', body: json })]],
    [
      'a Request of a stream',
      () => [
        new Request(`${address}/v1/messages?beta=true`, {
          method: 'POST',
          body: stream(start, end),
          duplex: 'half',
        } as RequestInit),
      ],
    ],
    [
      'a Request with another body',
      () => [
        new Request(`${address}/v1/messages?beta=true`, { method: 'PUT', body: 'other' }),
        { method: 'POST', body: json },
      ],
    ],
  ])('keeps the text of %s and sends the same', async (_, call) => {
    const fetch = captureFetch(undefined, { clock })
    const response = await fetch(...call())
    expect(await response.json()).toEqual({ method: 'POST', path: '/v1/messages?beta=true', body: json })
    expect(fetch.requests).toMatchObject([
      { method: 'POST', url: `${address}/v1/messages?beta=true`, body: json, status: 201, response: null },
    ])
  })

  it('keeps no credentials, and sends them', async () => {
    const fetch = captureFetch(address, { clock })
    const headers = { 'X-Api-Key': 'sk-1', authorization: 'Bearer sk-2', cookie: 'a=b', 'anthropic-beta': 'x' }
    const response = await fetch(`${url}?key=AIza123&alt=sse`, { method: 'POST', body: json, headers })
    expect(await response.json()).toMatchObject({ key: 'sk-1', path: '/v1/messages?key=AIza123&alt=sse' })
    expect(fetch.requests).toEqual([
      {
        method: 'POST',
        url: `${url}?alt=sse`,
        headers: { 'anthropic-beta': 'x' },
        body: json,
        startedAt: '2026-12-01T10:00:00.000Z',
        status: 201,
        response: null,
      },
    ])
    expect(JSON.stringify(fetch.requests)).not.toMatch(/sk-|AIza/)
  })

  it('moves every address to one server, of a Request too', async () => {
    const fetch = captureFetch(address)
    const request = new Request(url, { method: 'POST', body: json, headers: { 'x-api-key': 'k' } })
    expect(await (await fetch(request)).json()).toEqual({ method: 'POST', path: '/v1/messages', key: 'k', body: json })
    expect(fetch.requests).toMatchObject([{ url, body: json }])
  })

  it('hands on the very arguments, and the very answer', async () => {
    const answer = new Response('{}')
    const calls: unknown[][] = []
    const fetch = captureFetch(async (...args) => {
      calls.push(args)
      return answer
    })
    const init = { method: 'POST', body: json }
    expect(await fetch(url, init)).toBe(answer)
    expect(calls).toEqual([[url, init]])
    expect(calls[0]?.[1]).toBe(init)
    expect(answer.bodyUsed).toBe(false)
  })

  it('keeps a request that failed, and throws what was thrown', async () => {
    const failure = new TypeError('fetch failed')
    const fetch = captureFetch(() => Promise.reject(failure))
    await expect(fetch(url, { method: 'POST', body: json })).rejects.toBe(failure)
    await expect(fetch(url, { method: 'POST', body: stream(json), duplex: 'half' } as RequestInit)).rejects.toBe(
      failure,
    )
    await expect.poll(() => fetch.requests.map(({ body }) => body)).toEqual([json, json])
    expect(fetch.requests.map(({ status }) => status)).toEqual([null, null])
  })

  it('keeps requests in the order in which they were sent, and forgets them when asked', async () => {
    const fetch = captureFetch(address)
    const { requests } = fetch
    await Promise.all([
      fetch(url, { method: 'POST', body: stream('1'), duplex: 'half' } as RequestInit),
      fetch(url, { method: 'POST', body: '2' }),
      fetch(url),
    ])
    expect(requests.map(({ method, body }) => [method, body])).toEqual([
      ['POST', '1'],
      ['POST', '2'],
      ['GET', null],
    ])
    fetch.clear()
    expect(requests).toEqual([])
  })
})

describe('with responses', () => {
  it('keeps what the client reads, as it reads it', async () => {
    let push: (text: string) => void = () => undefined
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        push = (text) => controller.enqueue(new TextEncoder().encode(text))
      },
    })
    const fetch = captureFetch(async () => new Response(body, { status: 202, headers: { 'x-a': 'b' } }), {
      responses: true,
    })
    const response = await fetch(url, { method: 'POST', body: json })
    expect([response.status, response.headers.get('x-a')]).toEqual([202, 'b'])
    const reader = (response.body as ReadableStream<Uint8Array>).getReader()
    push('event: ping\n')
    expect(new TextDecoder().decode((await reader.read()).value)).toBe('event: ping\n')
    expect(fetch.requests[0]?.response).toBe('event: ping\n')
    push('data: {}\n')
    expect(new TextDecoder().decode((await reader.read()).value)).toBe('data: {}\n')
    expect(fetch.requests[0]?.response).toBe('event: ping\ndata: {}\n')
  })

  it('keeps characters whole that were sent in pieces', async () => {
    const bytes = new TextEncoder().encode('Grüße, 世界')
    const pieces = Array.from(bytes, (byte) => new Uint8Array([byte]))
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const piece of pieces) controller.enqueue(piece)
        controller.close()
      },
    })
    const fetch = captureFetch(async () => new Response(body), { responses: true })
    expect(await (await fetch(url)).text()).toBe('Grüße, 世界')
    expect(fetch.requests[0]?.response).toBe('Grüße, 世界')
  })

  it('ends the answer when the client stops reading', async () => {
    let cancelled: unknown
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new TextEncoder().encode('x')),
      cancel: (reason) => (cancelled = reason),
    })
    const fetch = captureFetch(async () => new Response(body), { responses: true })
    const response = await fetch(url)
    await response.body?.cancel('enough')
    expect(cancelled).toBe('enough')
  })

  it('passes an answer without a body, and keeps where it came from', async () => {
    const fetch = captureFetch(undefined, { responses: true })
    const response = await fetch(`${address}/a`, { method: 'POST', body: 'x' })
    expect([response.url, response.redirected]).toEqual([`${address}/a`, false])
    await response.text()
    const empty = captureFetch(async () => new Response(null, { status: 204 }), { responses: true })
    expect((await empty(url)).status).toBe(204)
    expect(empty.requests).toMatchObject([{ status: 204, response: '' }])
  })
})
