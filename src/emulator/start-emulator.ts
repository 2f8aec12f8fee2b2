/**
 * Starting and stopping the server.
 *
 * Closing is orderly: no new connection is taken, answers that are running are finished, and whatever still runs after
 * the time that is given is cut off.
 */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { guessTokens, type CountTokens } from '../cache/tokens/count-tokens.ts'
import { createAccountNames } from './account.ts'
import { createApp } from './app.ts'
import type { Behaviour, Emulation } from './emulation.ts'
import { createHostCheck } from './host.ts'
import { forget } from './inspect.ts'
import { createJournal, type RecordedRequest } from './journal.ts'
import { createResponder, echo } from './respond.ts'
import { createRoutes } from './routes.ts'
import { createScopes, type CacheScope } from './scopes.ts'

/** How to start an emulator; everything may be left out. */
export interface EmulatorOptions extends Partial<Omit<Behaviour, 'countTokens'>> {
  /** A free one unless given. */
  readonly port?: number
  /** The address to listen on: 127.0.0.1 unless given. Anyone who can reach it can read what was sent. */
  readonly host?: string
  /** Further names in `Host` headers that are answered, as that of a container. */
  readonly hosts?: readonly string[]
  /** Bytes of bodies that the journal keeps: 64 MB unless given. */
  readonly maxJournalBytes?: number
  /** Guesses by length unless given; `loadTokenCounter()` of `indelible/cache` counts better, and slower. */
  readonly countTokens?: CountTokens
}

/** A running emulator. */
export interface Emulator extends AsyncDisposable {
  /** As `http://127.0.0.1:4010`, without a slash at the end. */
  readonly url: string
  readonly port: number
  /** What arrived, oldest first, as far as it is kept. */
  requests(): readonly RecordedRequest[]
  /** What is cached, by provider and account. */
  caches(): readonly CacheScope[]
  /** Forgets requests and caches. */
  clear(): void
  /** Stops: finishes what runs for so many milliseconds (5,000 unless given), then cuts it off. */
  close(options?: { readonly within?: number }): Promise<void>
}

const megabyte = 1_024 * 1_024

/**
 * Starts an emulator. Rejects with the error of `listen`, as when the port is taken, and with an `IndelibleError`
 * (`answer_invalid`) for a `respond` that is none.
 */
export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const { port = 0, host = '127.0.0.1', hosts = [] } = options
  const emulation = createEmulation(options, createHostCheck(host, hosts))
  const app = createApp(emulation)
  // The globals Request and Response belong to the program that we run in.
  const listener = getRequestListener(app.fetch, {
    overrideGlobalObjects: false,
  })
  const server = createServer((incoming, outgoing) => {
    outgoing.once('close', () => {
      if (!server.listening) server.closeIdleConnections()
    })
    void listener(incoming, outgoing)
  })
  await listen(server, port, host)
  const address = server.address() as AddressInfo
  let closed: Promise<void> | undefined
  const close = ({ within = 5_000 }: { readonly within?: number } = {}): Promise<void> =>
    (closed ??= stop(server, within))
  return {
    url: `http://${urlHost(address)}:${address.port}`,
    port: address.port,
    requests: () => emulation.journal.list(),
    caches: () => emulation.scopes.list(),
    clear() {
      emulation.journal.clear()
      forget(emulation)
    },
    close,
    [Symbol.asyncDispose]: () => close(),
  }
}

function createEmulation(options: EmulatorOptions, isAllowedHost: Emulation['isAllowedHost']): Emulation {
  const countTokens = options.countTokens ?? guessTokens
  const routes = createRoutes(countTokens)
  const clock = options.clock ?? (() => new Date())
  let number = 0
  return {
    strict: options.strict ?? false,
    clock,
    respond: createResponder(options.respond ?? echo),
    latency: options.latency ?? 0,
    log: options.log && safely(options.log),
    maxBodyBytes: options.maxBodyBytes ?? 32 * megabyte,
    countTokens,
    routes,
    scopes: createScopes([...new Set(routes.map(({ endpoint }) => endpoint))], countTokens, clock),
    journal: createJournal(options.maxJournalBytes ?? 64 * megabyte),
    nameAccount: createAccountNames(),
    isAllowedHost,
    nextNumber: () => ++number,
  }
}

/** A log that fails costs lines, not answers. */
function safely(log: NonNullable<Emulation['log']>): NonNullable<Emulation['log']> {
  let warned = false
  return (request) => {
    try {
      log(request)
    } catch (error) {
      if (!warned) process.emitWarning(`The log of the emulator failed: ${String(error)}. Requests are answered.`)
      warned = true
    }
  }
}

/** The address as it stands in a URL; a server on every address is reached on loopback. */
function urlHost({ address, family }: AddressInfo): string {
  if (address === '0.0.0.0') return '127.0.0.1'
  if (address === '::') return '[::1]'
  return family === 'IPv6' ? `[${address}]` : address
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

function stop(server: Server, within: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => server.closeAllConnections(), within)
    server.close(() => {
      clearTimeout(timer)
      resolve()
    })
  })
}
