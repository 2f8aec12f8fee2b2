/** What was recorded, by `captureFetch` and by the emulator, is what the checks and an audit are given. */
import { GoogleGenAI } from '@google/genai'
import OpenAI from 'openai'
import { describe, expect, it, onTestFinished } from 'vitest'
import { audit, type LogFile } from '../src/audit/index.ts'
import { startEmulator, type Emulator } from '../src/emulator/index.ts'
import { captureFetch, expectStablePrefix, type CapturingFetch } from '../src/testing/index.ts'

const questions = ['What is in a.ts?', 'And in b.ts?', 'Which of the two is longer?']
const long = 'Be brief, be right, say what you did. '.repeat(400)

async function start(): Promise<Emulator> {
  const emulator = await startEmulator()
  onTestFinished(() => emulator.close())
  return emulator
}

async function chat(fetch: CapturingFetch, baseURL: string, system: (turn: number) => string): Promise<void> {
  const openai = new OpenAI({ baseURL, apiKey: 'any', fetch })
  const messages: OpenAI.ChatCompletionMessageParam[] = []
  for (const [turn, content] of questions.entries()) {
    messages.push({ role: 'user', content })
    const { choices } = await openai.chat.completions.create({
      model: 'gpt-6.1-sol',
      messages: [{ role: 'system', content: system(turn) }, ...messages],
    })
    for (const { message } of choices) messages.push(message)
  }
}

function jsonLines(requests: readonly object[]): LogFile {
  const bytes = new TextEncoder().encode(requests.map((request) => `${JSON.stringify(request)}\n`).join(''))
  return {
    name: 'requests.jsonl',
    open: async function* open() {
      yield bytes
    },
  }
}

describe('recorded requests', () => {
  it('of an emulator are checked, also where the model stands in the address', async () => {
    const emulator = await start()
    const google = new GoogleGenAI({ apiKey: 'any', httpOptions: { baseUrl: emulator.url } })
    const ask = (turns: number, system: string): Promise<unknown> =>
      google.models.generateContent({
        model: 'gemini-3.8-flash',
        contents: questions.slice(0, turns).map((text, index) => ({
          role: index % 2 === 0 ? 'user' : 'model',
          parts: [{ text }],
        })),
        config: { systemInstruction: system },
      })
    await ask(1, 'Today is Monday.')
    await ask(3, 'Today is Monday.')
    expect(expectStablePrefix(emulator.requests())).toEqual({ conversations: 1, compared: 1 })
    await ask(3, 'Today is Tuesday.')
    expect(() => expectStablePrefix(emulator.requests())).toThrow(
      /kind: {3}date\n {2}path: {3}systemInstruction\.parts\[0\], at character 9/,
    )
  })

  it('of a client in place of which an emulator answers are checked and can be audited', async () => {
    const emulator = await start()
    const fetch = captureFetch(emulator.url, { responses: true })
    await chat(fetch, 'https://api.openai.com/v1', (turn) => `Step ${turn + 1} of 3. ${long}`)
    expect(() => expectStablePrefix(fetch.requests)).toThrow('  kind:   counter\n')
    const report = await audit([jsonLines(fetch.requests)])
    expect(report.unread).toEqual([])
    expect(report.totals).toMatchObject({ turns: 3, streams: 1 })
    expect(report.totals.tokens.total).toBeGreaterThan(0)
    expect(report.streams[0]).toMatchObject({ provider: 'openai', model: 'gpt-6.1-sol' })
    expect(report.culprits.map(({ kind }) => kind)).toEqual(['counter'])
  })

  it('of the global fetch are those of clients that take none', async () => {
    const emulator = await start()
    const before = globalThis.fetch
    onTestFinished(() => {
      globalThis.fetch = before
    })
    const fetch = captureFetch(before)
    globalThis.fetch = fetch
    const google = new GoogleGenAI({ apiKey: 'any', httpOptions: { baseUrl: emulator.url } })
    await google.models.generateContent({ model: 'gemini-3.8-flash', contents: 'Hi.' })
    const [request] = fetch.requests
    expect(request).toMatchObject({ method: 'POST', status: 200, headers: { 'content-type': 'application/json' } })
    expect(request?.url).toMatch(/\/models\/gemini-3\.8-flash:generateContent$/)
    expect(Object.keys(request?.headers ?? {})).not.toContain('x-goog-api-key')
  })

  it('that stream are kept as they are read', async () => {
    const emulator = await start()
    const fetch = captureFetch(undefined, { responses: true })
    const openai = new OpenAI({ baseURL: `${emulator.url}/v1`, apiKey: 'any', fetch })
    const stream = await openai.chat.completions.create({
      model: 'gpt-6.1-sol',
      stream: true,
      messages: [{ role: 'user', content: 'Hi.' }],
    })
    let text = ''
    for await (const { choices } of stream) text += choices[0]?.delta.content ?? ''
    expect(text).toBe('Hi.')
    expect(fetch.requests[0]?.response).toMatch(/^data: \{.*data: \[DONE\]\s*$/s)
  })
})
