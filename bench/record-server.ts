/**
 * A server of its own process for `record.ts`: the `upstream`, which streams an answer of so many events, so many
 * milliseconds apart; a `bare` pass-through to a port; or the `recorder` to a port, with its log in a file. Tells its port
 * on standard output.
 */
import { Agent, createServer, request, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createRecordLog } from '../src/cli/record/log.ts'
import { startProxy } from '../src/cli/record/proxy.ts'
import { Recorder } from '../src/cli/record/recorder.ts'

const [kind, argument = '', more = ''] = process.argv.slice(2)

/** Reads the whole body, and answers with events; without a gap, each in a turn of the loop of its own. */
function answering(events: number, gap: number): RequestListener {
  const event = `event: content_block_delta\ndata: ${JSON.stringify({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'word '.repeat(10) } })}\n\n`
  return (incoming, outgoing) => {
    incoming.resume().once('end', () => {
      outgoing.writeHead(200, { 'content-type': 'text/event-stream' })
      let left = events
      const next = (): void => {
        if (left-- === 0) {
          outgoing.end()
          return
        }
        outgoing.write(event)
        if (gap === 0) setImmediate(next)
        else setTimeout(next, gap)
      }
      next()
    })
  }
}

/** What a pass-through on this library comes to when it does nothing else. */
function passing(port: number): RequestListener {
  const agent = new Agent({ keepAlive: true })
  return (incoming, outgoing) => {
    const { method, url, rawHeaders } = incoming
    const upstream = request({ port, method, path: url, headers: rawHeaders, agent }, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.rawHeaders)
      response.pipe(outgoing)
    })
    incoming.pipe(upstream)
  }
}

async function serve(listener: RequestListener): Promise<number> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  return (server.address() as AddressInfo).port
}

async function record(upstream: string): Promise<number> {
  const base = new URL(`http://127.0.0.1:${upstream}`)
  const log = await createRecordLog(more, console.error)
  const recorder = new Recorder({ log, now: Date.now })
  const routes = [{ prefix: '', base, named: base }]
  return (await startProxy({ port: 0, routes, recorder, warn: console.error })).port
}

const starts: Record<string, () => Promise<number>> = {
  upstream: () => serve(answering(Number(argument), Number(more))),
  bare: () => serve(passing(Number(argument))),
  recorder: () => record(argument),
}
const start = starts[kind ?? '']
if (start === undefined) throw new Error(`There is no server ${kind}.`)
console.log(await start())
// Ends with whoever started it.
process.once('disconnect', () => process.exit(0))
