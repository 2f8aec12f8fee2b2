/** The Gemini endpoint of the emulator, through Google's SDK. */
import { ApiError, FunctionCallingConfigMode, GoogleGenAI, type Content } from '@google/genai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startEmulator, type Answer, type Emulator, type ReceivedRequest } from '../src/emulator/index.ts'

const model = 'gemini-3.8-flash'
/** Some 6,000 tokens, more than the minimum of the model. */
const handbook = 'The harbour office opens at seven and closes when the last boat is in. '.repeat(340)
const weather = { name: 'weather', input: { city: 'Bergen' } } as const

function respond({ body }: ReceivedRequest): Answer {
  const answered = JSON.stringify(body['contents']).includes('functionResponse')
  if (Array.isArray(body['tools']) && !answered) return { toolCalls: [weather] }
  return { text: answered ? 'It rains in Bergen.' : 'Good morning, harbour.', thinking: 'They greet me.' }
}

let emulator: Emulator
let now = Date.parse('2026-11-30T12:00:00Z')
let number = 0

beforeAll(async () => {
  emulator = await startEmulator({ strict: true, respond, clock: () => new Date(now) })
})

afterAll(async () => {
  await emulator.close()
})

/** A client of an account of its own, so that no test reads what another wrote. */
function client(): GoogleGenAI {
  return new GoogleGenAI({ apiKey: `key-${++number}`, httpOptions: { baseUrl: emulator.url } })
}

/** What the API said in its error. */
async function refusal(request: Promise<unknown>): Promise<{ code: number; status: string; message: string }> {
  const error: unknown = await request.then(
    () => undefined,
    (cause: unknown) => cause,
  )
  expect(error).toBeInstanceOf(ApiError)
  const { message, status } = error as ApiError
  const body = JSON.parse(message) as { error: { code: number; status: string; message: string } }
  expect(body.error.code).toBe(status)
  return body.error
}

describe('generateContent', () => {
  it('answers, and reads from the implicit cache what came before', async () => {
    const google = client()
    const ask = { model, contents: 'Good morning', config: { systemInstruction: handbook } }
    const first = await google.models.generateContent(ask)
    const second = await google.models.generateContent(ask)
    expect(first.text).toBe('Good morning, harbour.')
    expect(first.modelVersion).toBe(model)
    expect(first.responseId).toBeTruthy()
    expect(first.candidates).toMatchObject([{ index: 0, finishReason: 'STOP', content: { role: 'model' } }])
    const usage = first.usageMetadata
    expect(usage?.cachedContentTokenCount).toBeUndefined()
    expect(usage?.thoughtsTokenCount).toBeGreaterThan(0)
    expect(usage?.totalTokenCount).toBe(
      (usage?.promptTokenCount ?? 0) + (usage?.candidatesTokenCount ?? 0) + (usage?.thoughtsTokenCount ?? 0),
    )
    expect(second.usageMetadata?.cachedContentTokenCount).toBeGreaterThan(4096)
    expect(second.usageMetadata?.promptTokenCount).toBe(usage?.promptTokenCount)
  })

  it('streams', async () => {
    const stream = await client().models.generateContentStream({ model, contents: 'Good morning' })
    let text = ''
    const finishes: unknown[] = []
    let total: number | undefined
    for await (const chunk of stream) {
      text += chunk.text ?? ''
      finishes.push(chunk.candidates?.[0]?.finishReason)
      total = chunk.usageMetadata?.totalTokenCount
    }
    expect(text).toBe('Good morning, harbour.')
    expect(finishes.length).toBeGreaterThan(1)
    expect(finishes.filter((finish) => finish !== undefined)).toEqual(['STOP'])
    expect(finishes.at(-1)).toBe('STOP')
    expect(total).toBeGreaterThan(0)
  })

  it('streams a JSON array to whoever asks for no events', async () => {
    const response = await fetch(`${emulator.url}/v1beta/models/${model}:streamGenerateContent`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ contents: [{ role: 'user', parts: [{ text: 'Good morning' }] }] }),
    })
    expect(response.headers.get('content-type')).toContain('application/json')
    const chunks = (await response.json()) as readonly { candidates: readonly { content: Content }[] }[]
    expect(chunks.map(({ candidates }) => candidates[0]?.content.parts?.[0]?.text).join('')).toBe(
      'Good morning, harbour.',
    )
  })

  it('goes through a loop of tools', async () => {
    const google = client()
    const config = {
      tools: [{ functionDeclarations: [{ name: 'weather', parametersJsonSchema: { type: 'object' } }] }],
      toolConfig: { functionCallingConfig: { mode: FunctionCallingConfigMode.AUTO } },
    }
    const contents: Content[] = [{ role: 'user', parts: [{ text: 'What is the weather?' }] }]
    const called = await google.models.generateContent({ model, contents, config })
    expect(called.functionCalls).toMatchObject([{ name: 'weather', args: { city: 'Bergen' } }])
    const answer = called.candidates?.[0]?.content
    if (answer === undefined) throw new Error('no answer')
    contents.push(answer, {
      role: 'user',
      parts: [{ functionResponse: { name: 'weather', response: { sky: 'rain' } } }],
    })
    const { text } = await google.models.generateContent({ model, contents, config })
    expect(text).toBe('It rains in Bergen.')
  })

  it('shows thoughts where they are asked for', async () => {
    const config = { thinkingConfig: { includeThoughts: true } }
    const { candidates, text } = await client().models.generateContent({ model, contents: 'Good morning', config })
    expect(candidates?.[0]?.content?.parts?.[0]).toEqual({ text: 'They greet me.', thought: true })
    expect(text).toBe('Good morning, harbour.')
  })

  it('counts tokens', async () => {
    const google = client()
    const { totalTokens } = await google.models.countTokens({ model, contents: handbook })
    const { usageMetadata } = await google.models.generateContent({ model, contents: handbook })
    expect(totalTokens).toBe(usageMetadata?.promptTokenCount)
  })

  it('keeps a chat', async () => {
    const chat = client().chats.create({ model })
    await chat.sendMessage({ message: 'Good morning' })
    const stream = await chat.sendMessageStream({ message: 'And now?' })
    for await (const chunk of stream) expect(chunk.candidates).toHaveLength(1)
    const { text } = await chat.sendMessage({ message: 'And then?' })
    expect(text).toBe('Good morning, harbour.')
    expect(chat.getHistory(true).filter(({ role }) => role === 'user')).toHaveLength(3)
  })

  it("refuses with Google's errors", async () => {
    const contents = [{ role: 'system', parts: [{ text: 'Hello' }] }]
    expect(await refusal(client().models.generateContent({ model, contents }))).toEqual({
      code: 400,
      status: 'INVALID_ARGUMENT',
      message: 'Please use a valid role: user, model.',
    })
  })
})

describe('explicit caches', () => {
  it('are created, read by requests, prolonged and deleted', async () => {
    const google = client()
    const created = await google.caches.create({
      model,
      config: { systemInstruction: handbook, ttl: '600s', displayName: 'handbook' },
    })
    const name = created.name ?? ''
    expect(created).toMatchObject({
      name: expect.stringMatching(/^cachedContents\//),
      model: `models/${model}`,
      displayName: 'handbook',
      createTime: new Date(now).toISOString(),
      expireTime: new Date(now + 600_000).toISOString(),
    })
    const tokens = created.usageMetadata?.totalTokenCount
    expect(tokens).toBeGreaterThan(4096)
    const ask = { model, contents: 'Good morning', config: { cachedContent: name } }
    const { usageMetadata: usage } = await google.models.generateContent(ask)
    expect(usage?.cachedContentTokenCount).toBe(tokens)
    expect(usage?.promptTokenCount).toBeGreaterThan(tokens ?? 0)
    const longer = await google.caches.update({ name, config: { ttl: '1200s' } })
    expect(longer.expireTime).toBe(new Date(now + 1_200_000).toISOString())
    const pager = await google.caches.list()
    expect(pager.page.map((cache) => cache.name)).toEqual([name])
    await google.caches.delete({ name })
    const gone = { code: 403, status: 'PERMISSION_DENIED', message: 'CachedContent not found (or permission denied)' }
    expect(await refusal(google.caches.get({ name }))).toEqual(gone)
    expect(await refusal(google.models.generateContent(ask))).toEqual(gone)
  })

  it('run out', async () => {
    const google = client()
    const { name = '' } = await google.caches.create({ model, config: { systemInstruction: handbook, ttl: '60s' } })
    await google.caches.get({ name })
    now += 60_000
    expect(await refusal(google.caches.get({ name }))).toMatchObject({ code: 403 })
  })

  it('are refused below the minimum of the model, and for models without them', async () => {
    const google = client()
    const small = google.caches.create({ model, config: { systemInstruction: 'Be brief.' } })
    expect((await refusal(small)).message).toMatch(
      /^Cached content is too small\. total_token_count=\d+, min_total_token_count=4096$/,
    )
    const argon = google.caches.create({ model: 'gemini-4-argon', config: { systemInstruction: handbook } })
    expect(await refusal(argon)).toMatchObject({ code: 400, status: 'INVALID_ARGUMENT' })
  })

  it('take no instructions beside them, and no other model', async () => {
    const google = client()
    const { name = '' } = await google.caches.create({ model, config: { systemInstruction: handbook } })
    const both = google.models.generateContent({
      model,
      contents: 'Good morning',
      config: { cachedContent: name, systemInstruction: 'Be brief.' },
    })
    expect((await refusal(both)).message).toMatch(/^CachedContent can not be used with GenerateContent request/)
    const other = google.models.generateContent({
      model: 'gemini-3.7-flash',
      contents: 'Good morning',
      config: { cachedContent: name },
    })
    expect((await refusal(other)).message).toContain('has to be the same')
  })

  it('are seen by their own account alone', async () => {
    const { name = '' } = await client().caches.create({ model, config: { systemInstruction: handbook } })
    expect(await refusal(client().caches.get({ name }))).toMatchObject({ code: 403 })
  })
})
