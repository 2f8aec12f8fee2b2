/** What the emulator costs over HTTP, against a bare server of the same library. */
import { Agent, request } from 'node:http'
import { startServer } from './child-server.ts'
import { prose, seeded } from './fixtures.ts'
import type { Comparison } from './harness.ts'

const REQUESTS = 40
const IN_FLIGHT = 4
const TURNS = 55

/** Bodies of some 100 kB: turns of one conversation, which grows by a kilobyte each. */
function bodies(): readonly Buffer[] {
  const random = seeded(31)
  const mark = { cache_control: { type: 'ephemeral' } }
  const system = [{ type: 'text', text: prose(random, 20_000), ...mark }]
  const messages: object[] = []
  for (let index = 0; index < TURNS; index++) messages.push(...turn(random, index))
  return Array.from({ length: REQUESTS }, (_, index) => {
    messages.push(...turn(random, TURNS + index))
    const last = { role: 'user', content: [{ type: 'text', text: prose(random, 200), ...mark }] }
    return Buffer.from(
      JSON.stringify({ model: 'claude-opus-5', max_tokens: 1_024, system, messages: [...messages, last] }),
    )
  })
}

function turn(random: () => number, index: number): readonly object[] {
  const id = `toolu_${index}`
  return [
    { role: 'user', content: [{ type: 'text', text: prose(random, 80) }] },
    { role: 'assistant', content: [{ type: 'tool_use', id, name: 'read_file', input: { path: prose(random, 40) } }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: prose(random, 500) }] },
    { role: 'assistant', content: [{ type: 'text', text: prose(random, 120) }] },
  ]
}

/** Sends one body; gives the answer. */
function post(port: number, agent: Agent, body: Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': body.length, 'x-api-key': 'bench' }
    const outgoing = request({ port, agent, method: 'POST', path: '/v1/messages', headers }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
      response.once('end', () => {
        if (response.statusCode === 200) resolve(text)
        else reject(new Error(`${response.statusCode}`))
      })
    })
    outgoing.once('error', reject)
    outgoing.end(body)
  })
}

/** Sends all bodies, so many at a time. */
async function sendAll(port: number, agent: Agent, all: readonly Buffer[]): Promise<void> {
  const queue = all.values()
  await Promise.all(
    Array.from({ length: IN_FLIGHT }, async () => {
      for (const body of queue) await post(port, agent, body)
    }),
  )
}

function emulator(kind: 'lenient' | 'strict'): Comparison {
  return {
    name: `emulator, ${kind}: ${REQUESTS} requests of 100 kB`,
    against: 'a bare Hono server that parses them and answers as much',
    // At least half of its throughput; strict looks at every block of every request besides.
    aim: kind === 'strict' ? 3 : 2,
    calls: 12,
    async prepare() {
      const all = bodies()
      const agent = new Agent({ keepAlive: true, maxSockets: IN_FLIGHT })
      const emulator = await startServer(new URL('emulator-server.ts', import.meta.url), kind)
      const servers = [
        await startServer(
          new URL('emulator-server.ts', import.meta.url),
          'bare',
          await post(emulator.port, agent, all[0]!),
        ),
        emulator,
      ]
      const [bare, emulated] = servers.map(({ port }) => port) as [number, number]
      // Both compile what they run before they are measured.
      for (let round = 0; round < 20; round++) for (const port of [bare, emulated]) await sendAll(port, agent, all)
      return {
        reference: () => sendAll(bare, agent, all),
        subject: () => sendAll(emulated, agent, all),
        release() {
          agent.destroy()
          for (const { child } of servers) child.kill()
        },
      }
    },
  }
}

/** The emulator's figures. */
export const emulators: readonly Comparison[] = [emulator('lenient'), emulator('strict')]
