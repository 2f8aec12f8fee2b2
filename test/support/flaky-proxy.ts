/** A TCP proxy that loses connections at the worst moment: for tests of what a client makes of that. */
import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

export interface FlakyProxy {
  readonly port: number
  /**
   * Loses the connection that next sends a text, `times` times in a row: before the server sees it (`request`), or when the server has
   * answered, before the client sees that (`answer`).
   */
  lose(what: 'request' | 'answer', text: string, times?: number): void
  /** Breaks every connection that is open. */
  breakAll(): void
  /** How many connections there were. */
  readonly connections: number
  close(): Promise<void>
}

/** In front of a server on this machine. */
export async function startFlakyProxy(target: number): Promise<FlakyProxy> {
  const open = new Set<Socket>()
  let losing: { what: 'request' | 'answer'; text: string; times: number } | undefined
  let connections = 0
  const server = createServer((client) => {
    connections++
    const upstream = connect(target, '127.0.0.1')
    for (const socket of [client, upstream]) {
      open.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        open.delete(socket)
        client.destroy()
        upstream.destroy()
      })
    }
    let isLost = false
    client.on('data', (chunk) => {
      if (losing !== undefined && chunk.includes(losing.text)) {
        isLost = true
        const { what } = losing
        if (--losing.times === 0) losing = undefined
        if (what === 'request') return void client.destroy()
      }
      upstream.write(chunk)
    })
    upstream.on('data', (chunk) => (isLost ? client.destroy() : client.write(chunk)))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    lose(what, text, times = 1) {
      losing = { what, text, times }
    },
    breakAll() {
      for (const socket of open) socket.destroy()
    },
    get connections() {
      return connections
    },
    async close() {
      for (const socket of open) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
