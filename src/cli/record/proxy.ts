/**
 * The server on loopback through which requests pass. It answers nothing itself but what leads nowhere: foreign `Host`
 * headers, and paths without an upstream. It sets no limits of time, for those of the two sides hold.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { createHostCheck } from '../../emulator/host.ts'
import { Connection } from './connection.ts'
import { forward, HEADERS_LIMIT } from './forward.ts'
import type { Recorder } from './recorder.ts'
import { targetOf, type Route, type Target } from './routes.ts'
import { hasHttp, isWebSocket, passUpgrade, refuseUpgrade } from './upgrade.ts'

const HOST = '127.0.0.1'

export interface ProxyOptions {
  /** 0 takes a free one. */
  readonly port: number
  readonly routes: readonly Route[]
  readonly recorder: Recorder
  /** Shows a message; the same one is given more than once. */
  readonly warn: (message: string) => void
}

/** A running recorder. */
export interface Proxy {
  /** As `http://127.0.0.1:4010`. */
  readonly url: string
  readonly port: number
  /** Takes no more requests, waits so many milliseconds for those that run, then cuts them off. */
  close(within: number): Promise<void>
}

/** Starts the server. Rejects with the error of `listen`, as when the port is taken. */
export async function startProxy(options: ProxyOptions): Promise<Proxy> {
  const isAllowedHost = createHostCheck(HOST, [])
  const running = new Set<Promise<void>>()
  const upgraded = new Set<Duplex>()
  const connections = new WeakMap<Duplex, Connection>()
  const track = (work: Promise<void>): void => {
    running.add(work)
    void work.finally(() => running.delete(work))
  }
  const find = ({ headers, url = '/' }: IncomingMessage): Target | Refusal =>
    isAllowedHost(headers.host) ? (targetOf(url, options.routes) ?? lostAt(url, options.routes)) : foreign

  const take = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    const target = find(incoming)
    if ('status' in target) {
      refuse(outgoing, target)
      return
    }
    const connection = connections.get(incoming.socket) ?? new Connection(incoming.socket)
    connections.set(incoming.socket, connection)
    const { method = 'GET', rawHeaders } = incoming
    const recording = options.recorder.begin({ url: target.url, method, rawHeaders })
    track(forward({ incoming, outgoing, target, connection, recording, warn: options.warn }))
  }

  const server = createServer(
    {
      keepAliveTimeout: 0,
      requestTimeout: 0,
      headersTimeout: 0,
      maxHeaderSize: HEADERS_LIMIT,
      // Others ask for HTTP/2 along the way, and are content without.
      shouldUpgradeCallback: isWebSocket,
    },
    take,
  )
  server.maxHeadersCount = 0
  server.on('checkContinue', take)
  server.on('checkExpectation', take)
  server.on('request', (_incoming, outgoing) => {
    outgoing.once('close', () => {
      if (!server.listening) server.closeIdleConnections()
    })
  })
  server.on('upgrade', (incoming, socket, head) => {
    const target = find(incoming)
    if ('status' in target) {
      refuseUpgrade(socket, target.status === 403 ? '403 Forbidden' : '404 Not Found', target.message)
    } else if (!isWebSocket(incoming) || hasHttp(target.path)) {
      refuseUpgrade(socket, '426 Upgrade Required', 'No upgrade is recorded: ask over HTTP/1.1.')
    } else {
      options.warn(`A WebSocket to ${target.route.base.origin} passes through, and the log has nothing of it.`)
      upgraded.add(socket)
      track(passUpgrade(incoming, socket, head, target).finally(() => upgraded.delete(socket)))
    }
  })
  await listen(server, options.port)
  const { port } = server.address() as AddressInfo
  return {
    url: `http://${HOST}:${port}`,
    port,
    async close(within) {
      const closed = new Promise<void>((resolve) => {
        server.close(() => resolve())
      })
      server.closeIdleConnections()
      const timer = setTimeout(() => {
        server.closeAllConnections()
        for (const socket of upgraded) socket.destroy()
      }, within)
      await closed
      await Promise.all(running)
      clearTimeout(timer)
    },
  }
}

interface Refusal {
  readonly status: number
  readonly message: string
}

const foreign: Refusal = { status: 403, message: 'Only requests to a loopback name are passed on.' }

function lostAt(path: string, routes: readonly Route[]): Refusal {
  const prefixes = routes.map(({ prefix }) => prefix)
  const message = `Nothing is recorded at ${path.replace(/[?#].*/, '')}. Base URLs here begin with ${prefixes.join(', ')}.`
  return { status: 404, message }
}

function refuse(outgoing: ServerResponse, { status, message }: Refusal): void {
  const body = JSON.stringify({ error: { type: 'invalid_request_error', message } })
  outgoing.writeHead(status, { 'content-type': 'application/json', connection: 'close' })
  outgoing.end(`${body}\n`)
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, HOST, () => {
      server.off('error', reject)
      resolve()
    })
  })
}
