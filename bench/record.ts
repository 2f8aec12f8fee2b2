/**
 * What recording adds to a request: the same one through the recorder and through a bare pass-through on the same HTTP
 * library, to one upstream, in turns. Each server is a process of its own.
 *
 * The figure is the time from sending a body of 100 kB to the end of the streamed answer, the median and the slowest of a
 * hundred. What is written to the log is in it: an answer ends when its line is in the file.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startServer } from './child-server.ts'
import { prose, seeded } from './fixtures.ts'

const WARM_UP = 400
/** Characters of a body. */
const SIZE = 100_000
/**
 * Answers: one as a fast model streams it, and one that is there at once. The latter has no aim: of what is left when
 * nobody thinks and nothing is far, making a line of 100 kB is a good part.
 */
const ANSWERS = [
  { events: 20, gap: 1, aim: 1.2 },
  { events: 100, gap: 0, aim: undefined },
]
type Answer = (typeof ANSWERS)[number]

export interface RecordBenchOptions {
  /** Requests through each of the two. */
  readonly requests: number
}

/** Sends `body`; gives the milliseconds until the end of the answer. */
function send(port: number, agent: Agent, body: Buffer): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': body.length, 'x-api-key': 'bench' }
    const began = performance.now()
    const outgoing = request({ port, agent, method: 'POST', path: '/v1/messages', headers }, (response) => {
      response.resume()
      response.once('end', () => {
        resolve(performance.now() - began)
      })
      response.once('error', reject)
    })
    outgoing.once('error', reject)
    outgoing.end(body)
  })
}

function bodyOf(): Buffer {
  const random = seeded(47)
  const system = prose(random, SIZE / 8)
  const messages = [{ role: 'user', content: '' }]
  const rest = JSON.stringify({ model: 'claude-opus-5', max_tokens: 1_024, system, messages }).length
  messages[0] = { role: 'user', content: 'x'.repeat(Math.max(0, SIZE - rest)) }
  return Buffer.from(JSON.stringify({ model: 'claude-opus-5', max_tokens: 1_024, system, messages }))
}

/** Prints the figures; true when they are within their aim. */
export async function benchRecord({ requests }: RecordBenchOptions): Promise<boolean> {
  let isWithin = true
  for (const answer of ANSWERS) {
    const { events, gap, aim } = answer
    const { bare, recorder } = await timesOf(answer, requests)
    for (const share of [0.5, 0.99]) {
      const [own, other] = [quantile(recorder, share), quantile(bare, share)]
      const ratio = own / other
      const isOver = aim !== undefined && ratio > aim
      if (isOver) isWithin = false
      const verdict = aim === undefined ? '-     ' : isOver ? 'OVER  ' : 'within'
      const stated = aim === undefined ? 'no aim' : `aim ${aim.toFixed(2)}`
      console.log(
        `${verdict}  ${ratio.toFixed(3).padStart(7)}  ${`(${stated})`.padEnd(10)}  record, ${SIZE / 1000} kB to ${events} events ${gap} ms apart: p${share * 100} of ${requests}`,
      )
      console.log(
        `${' '.repeat(31)}${(own * 1000).toFixed(1)} against ${(other * 1000).toFixed(1)} us: a bare pass-through on node:http`,
      )
    }
  }
  return isWithin
}

/** Milliseconds of each request, through the one and through the other in turns. */
async function timesOf({ events, gap }: Answer, requests: number): Promise<Record<'bare' | 'recorder', number[]>> {
  const folder = mkdtempSync(join(tmpdir(), 'indelible-bench-'))
  const upstream = await startServer(
    new URL('record-server.ts', import.meta.url),
    'upstream',
    String(events),
    String(gap),
  )
  const bare = await startServer(new URL('record-server.ts', import.meta.url), 'bare', String(upstream.port))
  const recorder = await startServer(
    new URL('record-server.ts', import.meta.url),
    'recorder',
    String(upstream.port),
    join(folder, 'log.jsonl'),
  )
  const ports = { bare: bare.port, recorder: recorder.port }
  const times: Record<'bare' | 'recorder', number[]> = { bare: [], recorder: [] }
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const body = bodyOf()
  for (let round = 0; round < WARM_UP + requests; round++) {
    const order = round % 2 === 0 ? (['bare', 'recorder'] as const) : (['recorder', 'bare'] as const)
    for (const who of order) {
      const took = await send(ports[who], agent, body)
      if (round >= WARM_UP) times[who].push(took)
    }
  }
  agent.destroy()
  for (const { child } of [recorder, bare, upstream]) child.kill()
  rmSync(folder, { recursive: true, force: true })
  return times
}

function quantile(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}
