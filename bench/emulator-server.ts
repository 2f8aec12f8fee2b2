/**
 * A server of its own process for `emulator.ts`: `bare` with what it is to answer, or the emulator, `lenient` or
 * `strict`. Tells its port on standard output.
 */
import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { startEmulator } from '../src/emulator/index.ts'

const [kind, answer = ''] = process.argv.slice(2)

/** Parses the body and answers with the bytes that it was given. */
async function startBare(): Promise<number> {
  const app = new Hono()
  app.post('/v1/messages', async (context) => {
    const body: unknown = await context.req.json()
    return typeof body === 'object'
      ? context.body(answer, 200, { 'content-type': 'application/json' })
      : context.text('', 400)
  })
  const listener = getRequestListener(app.fetch, { overrideGlobalObjects: false })
  const server = createServer((incoming, outgoing) => void listener(incoming, outgoing))
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  return (server.address() as AddressInfo).port
}

const port =
  kind === 'bare'
    ? await startBare()
    : (await startEmulator({ respond: { text: 'Done.' }, strict: kind === 'strict' })).port
console.log(port)
// Ends with whoever started it.
process.once('disconnect', () => process.exit(0))
