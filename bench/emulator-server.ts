/** A server of its own process for `emulator.ts`: `bare` or `emulator`. Tells its port on standard output. */
import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { startEmulator } from '../src/emulator/index.ts'

const [kind] = process.argv.slice(2)

/** Parses the body and answers with bytes like the emulator's. */
async function startBare(): Promise<number> {
  const answer = {
    id: 'msg_0000000000000000000000000000',
    type: 'message',
    role: 'assistant',
    model: 'claude-opus-5',
    content: [{ type: 'text', text: 'Done.' }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: {
      input_tokens: 4,
      cache_creation_input_tokens: 300,
      cache_read_input_tokens: 25_000,
      cache_creation: { ephemeral_5m_input_tokens: 300, ephemeral_1h_input_tokens: 0 },
      output_tokens: 2,
    },
  }
  const app = new Hono()
  app.post('/v1/messages', async (context) => {
    const body: unknown = await context.req.json()
    return typeof body === 'object' ? context.json(answer) : context.text('', 400)
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
