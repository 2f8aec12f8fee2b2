/**
 * WebSockets. The Responses API over one of them is refused with 426: its clients then ask over HTTP, where each request is
 * whole and can be read. All others pass through as they are, with a warning that the log has nothing of them.
 */
import { request as plainRequest, type IncomingMessage } from 'node:http'
import { request as secureRequest } from 'node:https'
import type { Duplex } from 'node:stream'
import { urlToHttpOptions } from 'node:url'
import { HEADERS_LIMIT } from './forward.ts'
import { pairsOf } from './headers.ts'
import type { Target } from './routes.ts'

/** True for what {@link passUpgrade} is for. */
export function isWebSocket({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return headers.upgrade?.toLowerCase() === 'websocket'
}

/** True where the same can be had over HTTP. */
export function hasHttp(path: string): boolean {
  return /\/responses\/?(?:\?|$)/.test(path)
}

/** Answers on a bare connection, and closes it. */
export function refuseUpgrade(socket: Duplex, status: string, message: string): void {
  const body = `${JSON.stringify({ error: { type: 'invalid_request_error', message } })}\n`
  const head = `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}`
  socket.on('error', () => {})
  socket.end(`${head}\r\nConnection: close\r\n\r\n${body}`)
}

/** Connects the two sides. Resolves when both are closed. */
export function passUpgrade(incoming: IncomingMessage, client: Duplex, head: Buffer, target: Target): Promise<void> {
  const { base } = target.route
  const options = {
    ...urlToHttpOptions(base),
    method: incoming.method ?? 'GET',
    path: target.path,
    headers: pairsOf(incoming.rawHeaders).flatMap(([name, value]) => [
      name,
      name.toLowerCase() === 'host' ? base.host : value,
    ]),
    agent: false as const,
    maxHeaderSize: HEADERS_LIMIT,
  }
  return new Promise((resolve) => {
    const upstream = base.protocol === 'https:' ? secureRequest(options) : plainRequest(options)
    client.on('error', () => {})
    client.once('close', () => {
      upstream.destroy()
      resolve()
    })
    upstream.on('error', () => client.destroy())
    upstream.once('upgrade', (response, socket, first) => {
      client.write(headOf(response), 'latin1')
      client.write(first)
      socket.write(head)
      socket.on('error', () => {})
      socket.once('close', () => client.destroy())
      client.once('close', () => socket.destroy())
      socket.pipe(client)
      client.pipe(socket)
    })
    upstream.once('response', (response) => {
      // A refusal, which ends with the connection, whatever its framing was.
      client.write(headOf(response, true), 'latin1')
      response.on('error', () => client.destroy())
      response.pipe(client)
    })
    upstream.end()
  })
}

function headOf({ statusCode, statusMessage, rawHeaders }: IncomingMessage, isLast = false): string {
  const headers = pairsOf(rawHeaders)
    .filter(([name]) => !isLast || !/^(?:connection|keep-alive|transfer-encoding)$/i.test(name))
    .map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${statusCode} ${statusMessage}\r\n${headers.join('')}${isLast ? 'Connection: close\r\n' : ''}\r\n`
}
