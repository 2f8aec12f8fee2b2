/**
 * The recorder among clients and upstreams that die at random: nothing leaks, nothing is altered, and the log has every
 * exchange that ended, whole.
 */
import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { Agent, request, type ClientRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TOTAL_LIMIT } from '../src/cli/record/capture.ts'
import { createRecordLog } from '../src/cli/record/log.ts'
import { startProxy } from '../src/cli/record/proxy.ts'
import { Recorder } from '../src/cli/record/recorder.ts'
import { parseLine, startTestServer, type Line, type TestServer } from '../src/cli/record/test-proxy.ts'
import { Random } from './support/random.ts'

const REQUESTS = 200

type Fate = 'whole' | 'client leaves' | 'client leaves early' | 'upstream dies' | 'upstream dies early'

/** What is to happen to one request; all of it is decided by the seed. */
interface Scenario {
  readonly id: number
  readonly fate: Fate
  readonly request: readonly string[]
  readonly response: readonly string[]
  /** Chunks after which it happens. */
  readonly after: number
  readonly pause: number
}

/** What became of it, on both sides. */
interface Seen {
  received?: string
  isRequestWhole?: boolean
  sent?: string
  got?: string
  isResponseWhole?: boolean
}

function scenarios(seed: number): readonly Scenario[] {
  const random = new Random(seed)
  const text = (): readonly string[] =>
    Array.from({ length: 1 + random.below(12) }, () => 'añ€😀 "\\\n'.repeat(1 + random.below(800)) + random.next())
  const fates: readonly Fate[] = [
    'whole',
    'whole',
    'client leaves',
    'client leaves early',
    'upstream dies',
    'upstream dies early',
  ]
  return Array.from({ length: REQUESTS }, (_, id) => {
    const [sent, back] = [text(), text()]
    return {
      id,
      fate: random.pick(fates),
      request: sent,
      response: back,
      after: random.below(12),
      pause: random.below(4),
    }
  })
}

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'indelible-record-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Answers as a scenario says, and notes what it received and sent. */
function upstreamFor(all: readonly Scenario[], seen: readonly Seen[]) {
  return async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const { id, fate, response, after, pause } = all[Number(incoming.headers['x-scenario'])]!
    const note = seen[id]!
    const pieces: Buffer[] = []
    incoming.on('error', () => {})
    outgoing.on('error', () => {})
    incoming.on('data', (piece: Buffer) => {
      pieces.push(piece)
      note.received = Buffer.concat(pieces).toString('latin1')
      if (fate === 'upstream dies early' && pieces.length > after) incoming.socket.destroy()
    })
    await closing(incoming)
    note.isRequestWhole = incoming.complete
    if (!incoming.complete) return
    if (fate === 'upstream dies early') {
      incoming.socket.destroy()
      return
    }
    outgoing.writeHead(200, { 'content-type': 'text/event-stream' })
    note.sent = ''
    for (const [index, piece] of response.entries()) {
      if (fate === 'upstream dies' && index >= after % response.length) {
        incoming.socket.destroy()
        return
      }
      note.sent += Buffer.from(piece).toString('latin1')
      outgoing.write(piece)
      await setTimeout(pause)
    }
    outgoing.end()
  }
}

/** Sends a scenario's request, and leaves when it says so. Resolves when nothing is left of it. */
async function play(scenario: Scenario, port: number, agent: Agent, note: Seen): Promise<void> {
  const { id, fate, after, pause } = scenario
  const headers = { 'content-type': 'application/json', 'x-scenario': String(id), authorization: `Bearer key-${id}` }
  const outgoing = request({ port, agent, method: 'POST', path: '/v1/messages', headers })
  const closed = closing(outgoing)
  const pieces: Buffer[] = []
  outgoing.on('error', () => {})
  outgoing.on('response', (incoming) => {
    incoming.on('error', () => {})
    incoming.on('data', (piece: Buffer) => {
      pieces.push(piece)
      note.got = Buffer.concat(pieces).toString('latin1')
      if (fate === 'client leaves' && pieces.length > after / 2) outgoing.destroy()
    })
    incoming.once('end', () => {
      note.isResponseWhole = incoming.complete
    })
  })
  for (const [index, piece] of scenario.request.entries()) {
    if (fate === 'client leaves early' && index >= after % scenario.request.length) {
      outgoing.destroy()
      break
    }
    outgoing.write(piece)
    await setTimeout(pause)
  }
  outgoing.end()
  await closed
}

/** Resolves when `one` has closed, whatever closed it. */
function closing(one: IncomingMessage | ClientRequest): Promise<void> {
  return new Promise((resolve) => {
    one.once('close', resolve)
  })
}

function sha(text: string): string {
  return createHash('sha256').update(text, 'latin1').digest('hex')
}

/** The sockets of this process. */
function sockets(): number {
  return process.getActiveResourcesInfo().filter((kind) => kind.startsWith('TCP')).length
}

describe.each([1, 2, 3])('200 concurrent streamed requests with deaths on both sides, seed %i', (seed) => {
  const all = scenarios(seed)
  const seen: Seen[] = all.map(() => ({}))
  const connections = new Set<Socket>()
  let upstream: TestServer
  let lines: readonly Line[]
  let recorder: Recorder
  let before: number
  let after: number
  const warnings: string[] = []

  beforeAll(async () => {
    before = sockets()
    upstream = await startTestServer((incoming, outgoing) => void upstreamFor(all, seen)(incoming, outgoing))
    upstream.server.on('connection', (socket: Socket) => {
      connections.add(socket)
      socket.once('close', () => connections.delete(socket))
    })
    const file = join(folder, `faults-${seed}.jsonl`)
    const log = await createRecordLog(file, (message) => warnings.push(message))
    recorder = new Recorder({ log, now: Date.now })
    const base = new URL(upstream.url)
    const routes = [{ prefix: '', base, named: base }]
    const proxy = await startProxy({ port: 0, routes, recorder, warn: () => {} })
    const agent = new Agent({ keepAlive: true })
    await Promise.all(all.map((scenario) => play(scenario, proxy.port, agent, seen[scenario.id]!)))
    agent.destroy()
    await proxy.close(10_000)
    await log.close()
    for (let tries = 0; tries < 200 && connections.size > 0; tries++) await setTimeout(10)
    const left = connections.size
    await upstream[Symbol.asyncDispose]()
    for (let tries = 0; tries < 200 && sockets() > before; tries++) await setTimeout(10)
    after = sockets() + left
    lines = (await readFile(file, 'utf8')).split('\n').slice(0, -1).map(parseLine)
  })

  const idOf = ({ request }: Line): number => Number(request.headers.find(([name]) => name === 'x-scenario')?.[1])
  const bytes = (text: string | undefined): string => Buffer.from(text ?? '').toString('latin1')

  it('leaves no socket open on any side, and holds no byte', () => {
    expect([after, recorder.free, warnings]).toEqual([before, TOTAL_LIMIT, []])
  })

  it('brings each whole request and response as it was sent', () => {
    for (const { id, fate, request, response } of all) {
      if (fate !== 'whole') continue
      const { received, got, isRequestWhole, isResponseWhole } = seen[id]!
      expect([isRequestWhole, isResponseWhole]).toEqual([true, true])
      expect(sha(received!)).toBe(sha(bytes(request.join(''))))
      expect(sha(got!)).toBe(sha(bytes(response.join(''))))
    }
  })

  it('brings the start of what was cut short, and never an end that was not sent', () => {
    for (const { id, fate, request } of all) {
      if (fate === 'whole') continue
      const { received = '', sent = '', got = '', isResponseWhole = false } = seen[id]!
      expect(bytes(request.join('')).startsWith(received)).toBe(true)
      expect(sent.startsWith(got)).toBe(true)
      if (fate !== 'client leaves') expect(isResponseWhole).toBe(false)
    }
  })

  it('logs each exchange that came to it once, with all of it where it ended well', () => {
    const ids = lines.map(idOf)
    expect(new Set(ids).size).toBe(ids.length)
    const whole = all.filter(({ fate }) => fate === 'whole').map(({ id }) => id)
    expect(whole.filter((id) => !ids.includes(id))).toEqual([])
    for (const line of lines) {
      const { id, fate, request, response } = all[idOf(line)]!
      if (fate !== 'whole') continue
      expect(line).toMatchObject({ request: { body: request.join('') }, response: { body: response.join('') } })
      expect(line.error).toBeUndefined()
      expect(JSON.stringify(line)).not.toContain(`key-${id}"`)
    }
  })

  it('logs as cut short what was, with what came of it', () => {
    const cut = lines.filter((line) => seen[idOf(line)]!.isResponseWhole !== true)
    expect(cut.length).toBeGreaterThan(50)
    for (const line of cut) {
      const { fate, request, response } = all[idOf(line)]!
      if (fate === 'client leaves' && line.error === undefined) {
        // It left when all of it had come, which is none of the recorder's business.
        expect(line.response?.body).toBe(response.join(''))
        continue
      }
      expect(line.error).toMatch(/^The (?:client|upstream) /)
      expect(bytes(request.join('')).startsWith(bytes(line.request.body).replace(/(?:\u00ef\u00bf\u00bd)+$/, ''))).toBe(
        true,
      )
    }
    expect(new Set(cut.map(({ error }) => error?.split(' ')[1]))).toContain('client')
    expect(new Set(cut.map(({ error }) => error?.split(' ')[1]))).toContain('upstream')
  })
})
