/**
 * One exchange on its way through: the request goes on as it comes and the response comes back as it comes, byte for byte,
 * each no faster than its receiver takes it. Whatever ends one side ends the other: a client that leaves takes the request
 * with it, and an upstream that breaks off leaves the client with what it had sent so far and a closed connection.
 */
import { request as plainRequest, type ClientRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import { request as secureRequest } from 'node:https'
import type { Readable, Writable } from 'node:stream'
import { urlToHttpOptions } from 'node:url'
import type { Connection } from './connection.ts'
import { pairsOf, requestHeaders, responseHeaders } from './headers.ts'
import type { Recording } from './recorder.ts'
import type { Target } from './routes.ts'

/** Bytes of headers that are taken: more than any provider takes. */
export const HEADERS_LIMIT: number = 256 * 1024

/** Both ends of an exchange, and who is told about it. */
export interface Exchange {
  readonly incoming: IncomingMessage
  readonly outgoing: ServerResponse
  readonly target: Target
  readonly connection: Connection
  readonly recording: Recording
  /** Told of an upstream that cannot be reached. */
  readonly warn: (message: string) => void
}

/** Passes an exchange on. Resolves when it is over on both sides and in the log; never rejects. */
export function forward(exchange: Exchange): Promise<void> {
  const { incoming, outgoing, connection, recording } = exchange
  return new Promise((resolve) => {
    let upstream: ClientRequest | undefined
    const settle = (why?: string): void => {
      void recording.end(why).then(resolve)
    }
    const leave = (): void => {
      upstream?.destroy()
      settle('The client closed the connection.')
    }
    connection.begin(leave)
    outgoing.once('close', () => {
      connection.end(leave)
      if (outgoing.writableFinished) settle()
      else leave()
    })
    // What is written to a client that has left is told by its leaving.
    outgoing.on('error', () => {})
    try {
      upstream = send(exchange)
    } catch (error) {
      // As for a path with characters that Node does not send.
      settle((error as Error).message)
      tear(incoming)
      return
    }
    passRequest(exchange, upstream)
    passResponse(exchange, upstream, settle)
  })
}

/** Begins the request to the upstream. Throws for what cannot be sent. */
function send({ incoming, target, connection }: Exchange): ClientRequest {
  const { base } = target.route
  const { method = 'GET', rawHeaders, httpVersion } = incoming
  const options = {
    ...urlToHttpOptions(base),
    method,
    path: target.path,
    headers: requestHeaders({ method, rawHeaders, httpVersion }, base.host),
    agent: connection.agentFor(base.protocol),
    maxHeaderSize: HEADERS_LIMIT,
  }
  const upstream = base.protocol === 'https:' ? secureRequest(options) : plainRequest(options)
  upstream.maxHeadersCount = 0
  upstream.once('socket', (socket) => connection.watch(socket))
  return upstream
}

function passRequest({ incoming, outgoing, recording }: Exchange, upstream: ClientRequest): void {
  let hasBody = false
  pump(incoming, upstream, (chunk) => {
    hasBody = true
    recording.sent(chunk)
  })
  // The upstream hears of a request whose body takes its time, as it would without us.
  setImmediate(() => {
    if (!hasBody && !upstream.destroyed && !upstream.writableEnded) upstream.flushHeaders()
  })
  upstream.once('continue', () => outgoing.writeContinue())
  incoming.once('end', () => {
    if (incoming.rawTrailers.length > 0) upstream.addTrailers(pairsOf(incoming.rawTrailers))
    upstream.end()
    // Not before the bytes are on their way.
    setImmediate(() => recording.sentAll())
  })
}

function passResponse(exchange: Exchange, upstream: ClientRequest, settle: (why?: string) => void): void {
  const { incoming, outgoing, target, warn } = exchange
  let response: IncomingMessage | undefined
  const fail = (why: string): void => {
    settle(why)
    tear(incoming)
  }
  upstream.once('response', (found) => {
    response = found
    // An upstream that breaks off says so by closing; what the error is called adds nothing.
    found.on('error', () => {})
    found.once('close', () => {
      if (!found.complete) fail('The upstream closed the connection.')
    })
    try {
      answer(exchange, found)
    } catch (error) {
      upstream.destroy()
      fail((error as Error).message)
    }
  })
  upstream.on('error', (error: NodeJS.ErrnoException) => {
    if (response !== undefined || outgoing.destroyed) return
    warn(`${target.route.base.origin} did not answer: ${reasonOf(error)}`)
    fail(`The upstream did not answer: ${reasonOf(error)}`)
  })
  upstream.once('close', () => {
    if (incoming.complete || response?.complete !== true) return
    // It has answered without waiting for the rest, and takes no more of it.
    if (outgoing.writableFinished) tear(incoming)
    else outgoing.once('finish', () => tear(incoming))
  })
}

/** Passes the response on. Throws for one that cannot be written. */
function answer({ incoming, outgoing, recording }: Exchange, response: IncomingMessage): void {
  const { statusCode = 502, statusMessage = '', rawHeaders } = response
  recording.replied({ status: statusCode, rawHeaders })
  outgoing.sendDate = false
  outgoing.writeHead(statusCode, statusMessage, responseHeaders(response, incoming.httpVersion))
  // A body of known length is whole with its last byte, which therefore waits for the line, as the end of others does.
  const length = response.headers['content-length']
  let left = length === undefined ? Infinity : Number(length)
  let last: Buffer | undefined
  let hasBody = false
  response.on('data', (chunk: Buffer) => {
    hasBody = true
    recording.received(chunk)
    left -= chunk.length
    if (left <= 0) last = chunk
    else if (!outgoing.write(chunk)) hold(response, outgoing)
  })
  // As soon as nothing comes along with them.
  setImmediate(() => {
    if (!hasBody && !outgoing.writableEnded && !outgoing.destroyed) outgoing.flushHeaders()
  })
  response.once('end', () => {
    if (!response.complete) return
    void recording.end().then(() => {
      if (response.rawTrailers.length > 0) outgoing.addTrailers(pairsOf(response.rawTrailers))
      if (last === undefined) outgoing.end()
      else outgoing.end(last)
    })
  })
}

/** Moves bytes as they come, and no faster than they are taken. */
function pump(source: Readable, sink: Writable, see: (chunk: Buffer) => void): void {
  source.on('data', (chunk: Buffer) => {
    see(chunk)
    if (!sink.write(chunk)) hold(source, sink)
  })
}

/** Nothing of `source` until `sink` has taken what it was given. */
function hold(source: Readable, sink: Writable): void {
  source.pause()
  sink.once('drain', () => source.resume())
}

/** Closes the connection of the client behind what was sent so far. */
function tear({ socket }: IncomingMessage): void {
  socket.destroySoon()
}

function reasonOf(error: NodeJS.ErrnoException): string {
  return error.message === '' ? (error.code ?? error.name) : error.message
}
