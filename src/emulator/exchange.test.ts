import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { startEmulator, type Emulator, type EmulatorOptions, type ReceivedRequest } from './index.ts'

const body = {
  model: 'claude-opus-5-5',
  max_tokens: 64,
  system: 'Some words that are long enough to be cached. '.repeat(200),
  messages: [{ role: 'user', content: 'Hello there' }],
  cache_control: { type: 'ephemeral' },
}

interface Message {
  readonly usage: { readonly cache_read_input_tokens: number; readonly cache_creation_input_tokens: number }
}

function send(emulator: Emulator, more: object = {}, signal?: AbortSignal): Promise<Response> {
  return fetch(`${emulator.url}/v1/messages`, {
    method: 'POST',
    body: JSON.stringify({ ...body, ...more }),
    ...(signal === undefined ? {} : { signal }),
  })
}

async function read(emulator: Emulator): Promise<number> {
  const message = (await (await send(emulator)).json()) as Message
  return message.usage.cache_read_input_tokens
}

/** An emulator whose answers wait until they are let go. */
async function held(options: EmulatorOptions = {}): Promise<{
  emulator: Emulator
  waiting: (ReceivedRequest & { go: () => void })[]
}> {
  const waiting: (ReceivedRequest & { go: () => void })[] = []
  const emulator = await startEmulator({
    ...options,
    respond: (request) =>
      new Promise((resolve) => {
        waiting.push({ ...request, go: () => resolve({ text: 'Done.' }) })
      }),
  })
  return { emulator, waiting }
}

describe('what a request writes', () => {
  it('is read by those that come after its response has begun, and not by those before', async () => {
    const { emulator, waiting } = await held()
    await using _ = emulator
    const first = send(emulator)
    await expect.poll(() => waiting.length).toBe(1)
    const sibling = send(emulator)
    await expect.poll(() => waiting.length).toBe(2)
    waiting[0]?.go()
    await first
    const late = send(emulator)
    await expect.poll(() => waiting.length).toBe(3)
    for (const { go } of waiting) go()
    await Promise.all([sibling, late])
    const [one, two, three] = emulator.requests().map(({ prediction }) => prediction)
    expect(one?.usage.read).toBe(0)
    expect(two?.usage.read).toBe(0)
    expect(two?.misses).toMatchObject([{ reason: 'not-readable' }])
    expect(three?.usage.read).toBe(one?.usage.write5m)
  })

  it('is readable while its answer still streams', async () => {
    await using emulator = await startEmulator({ latency: { event: 1_000 } })
    const streamed = await send(emulator, { stream: true })
    expect(streamed.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    expect(await read(emulator)).toBeGreaterThan(1_000)
    await streamed.body?.cancel()
  })

  it('is nowhere when the client hangs up before', async () => {
    const { emulator, waiting } = await held()
    await using _ = emulator
    const controller = new AbortController()
    const hasty = send(emulator, {}, controller.signal)
    hasty.catch(() => {})
    await expect.poll(() => waiting.length).toBe(1)
    controller.abort()
    await expect.poll(() => waiting[0]?.signal.aborted).toBe(true)
    await expect.poll(() => emulator.requests()[0]?.status).toBe(499)
    expect(emulator.caches()).toMatchObject([{ entries: [] }])
    const next = send(emulator)
    await expect.poll(() => waiting.length).toBe(2)
    waiting[1]?.go()
    expect(((await (await next).json()) as Message).usage.cache_read_input_tokens).toBe(0)
  })
})

describe('a client that hangs up', () => {
  it('ends the wait for its answer', async () => {
    await using emulator = await startEmulator({ latency: 600_000 })
    await expect(send(emulator, {}, AbortSignal.timeout(30))).rejects.toThrow('aborted due to timeout')
    await expect.poll(() => emulator.requests()[0]?.status).toBe(499)
  })

  it('ends its stream, and leaves the cache that it paid for', async () => {
    await using emulator = await startEmulator({ latency: { event: 600_000 } })
    const controller = new AbortController()
    const response = await send(emulator, { stream: true }, controller.signal)
    const reader = response.body?.getReader()
    const { value } = (await reader?.read()) ?? {}
    expect(new TextDecoder().decode(value)).toMatch(/^event: message_start\ndata: \{"type":"message_start"/)
    controller.abort()
    await expect.poll(() => emulator.requests()[0]?.status).toBe(499)
    expect(emulator.caches()).toMatchObject([{ entries: [{ readable: true }] }])
    const started = performance.now()
    await emulator.close({ within: 60_000 })
    expect(performance.now() - started).toBeLessThan(5_000)
  })
})

describe('a stream', () => {
  it('waits for a client that does not read, and then goes on', async () => {
    const text = 'All work and no play. '.repeat(200_000)
    await using emulator = await startEmulator({ respond: { text } })
    const response = await send(emulator, { stream: true })
    await pause(200)
    // Sockets buffer a few megabytes at most; the events of this answer are far more.
    expect(emulator.requests()[0]?.status).toBeNull()
    const events = await response.text()
    expect(events.endsWith('event: message_stop\ndata: {"type":"message_stop"}\n\n')).toBe(true)
    await expect.poll(() => emulator.requests()[0]?.status).toBe(200)
  })
})
