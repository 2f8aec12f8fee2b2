/** For tests: a recorder in this process, in front of a server of the test's own. */
import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { requestPart, responsePart } from './line.ts'
import type { LineSink } from './log.ts'
import { startProxy, type Proxy } from './proxy.ts'
import { Recorder, type RecorderOptions } from './recorder.ts'
import type { Route } from './routes.ts'

/** A recorder and what it wrote. */
export interface TestProxy extends AsyncDisposable {
  readonly proxy: Proxy
  readonly recorder: Recorder
  /** The lines so far, as they were written. */
  readonly lines: string[]
  readonly warnings: string[]
}

/** What a line has, as far as tests look at it. */
export interface Line {
  readonly schema: string
  readonly started_at: string
  readonly ended_at: string
  readonly url: string
  readonly error?: string
  readonly request: Half & { readonly method: string }
  readonly response?: Half & { readonly status: number }
}

interface Half {
  readonly headers: readonly (readonly [string, string])[]
  readonly body?: string
  readonly body_base64?: string
  readonly truncated?: { readonly kept: number; readonly sent: number }
}

const hide = (secret: string): string => `hidden ${secret.length}`

/** Starts a recorder, everything of which goes to `upstream` unless there are routes. */
export async function startTestProxy(
  upstream: string,
  options: Partial<RecorderOptions> & { readonly routes?: readonly Route[] } = {},
): Promise<TestProxy> {
  const lines: string[] = []
  const warnings: string[] = []
  const begun = new Map<number, string>()
  const log: LineSink = {
    begin: ({ id, opening, body }) => void begun.set(id, requestPart(opening, body, hide)),
    async end({ id, reply, body, ending }) {
      lines.push(`${begun.get(id)}${responsePart(reply, body, ending, hide)}`)
    },
  }
  const recorder = new Recorder({ log, now: Date.now, ...options })
  const base = new URL(upstream)
  const routes = options.routes ?? [{ prefix: '', base, named: base }]
  const proxy = await startProxy({ port: 0, routes, recorder, warn: (message) => warnings.push(message) })
  return { proxy, recorder, lines, warnings, [Symbol.asyncDispose]: () => proxy.close(0) }
}

/** A line as it reads. */
export function parseLine(line: string | undefined): Line {
  return JSON.parse(line ?? 'null') as Line
}

/** A server of the test, and where it is. */
export interface TestServer extends AsyncDisposable {
  readonly server: Server
  readonly url: string
}

/** Starts a server on a free port. */
export async function startTestServer(listener: RequestListener): Promise<TestServer> {
  const server = createServer({ keepAliveTimeout: 0, requestTimeout: 0 }, listener)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const close = async (): Promise<void> => {
    const closed = once(server, 'close')
    server.close()
    server.closeAllConnections()
    await closed
  }
  return { server, url, [Symbol.asyncDispose]: close }
}
