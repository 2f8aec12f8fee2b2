/** Connections that break at moments which a real server seldom finds. */
import { once } from 'node:events'
import { createServer, type AddressInfo, type Server } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { StoreUnusableError } from '../../session/errors.ts'
import { postgresStore } from './index.ts'

let server: Server
afterEach(() => server.close())

it('a server that dies right after it took a connection ends a call, and not the process', async () => {
  server = createServer((socket) => {
    socket.on('error', () => {})
    // Answers whatever the client begins with, in one packet.
    socket.once('data', () =>
      socket.end(
        Buffer.concat([
          message('R', Buffer.from([0, 0, 0, 0])),
          message('Z', Buffer.from('I')),
          message('E', Buffer.from('SFATAL\0C57P01\0Mterminating connection due to unexpected postmaster exit\0\0')),
        ]),
      ),
    )
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const store = postgresStore({ connectionString: `postgres://user@127.0.0.1:${port}/database`, patienceMs: 0 })
  const reading = store.read('session', 0)
  await expect(reading).rejects.toThrow(StoreUnusableError)
  await store.close()
})

/** A message of PostgreSQL's protocol: its type, its length, its content. */
function message(type: string, content: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeInt32BE(content.length + 4)
  return Buffer.concat([Buffer.from(type), length, content])
}
