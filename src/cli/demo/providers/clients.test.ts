import * as aiSdkAnthropic from '@ai-sdk/anthropic'
import * as anthropic from '@anthropic-ai/sdk'
import * as google from '@google/genai'
import * as ai from 'ai'
import * as openai from 'openai'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { startEmulator, type Emulator } from '../../../emulator/index.ts'
import { importInstalled, type Connect } from '../client.ts'
import { toolDefinitions } from '../tools.ts'
import { aiSdkClient } from './ai-sdk.ts'
import { anthropicClient, bareAnthropicClient } from './anthropic.ts'
import { bareGoogleClient, googleClient } from './google.ts'
import { chatApi } from './openai-chat.ts'
import { responsesApi } from './openai-responses.ts'
import { bareOpenAIClient, openAIClient } from './openai.ts'

interface Api {
  readonly name: string
  readonly path: string
  readonly clients: Readonly<Record<string, Connect>>
  readonly body: object
  /** As it arrives, where that is not the body. */
  readonly arrives?: object
  readonly refused: object
}

const gpt = { model: 'gpt-6.2-sol' }
const gemini = { model: 'gemini-3.8-flash' }
const hello = { role: 'user', content: 'Hello.' }
const declaration = { name: 'read', description: 'Reads.', parametersJsonSchema: { type: 'object', properties: {} } }
const config = {
  systemInstruction: { parts: [{ text: 'Be brief.' }] },
  tools: [{ functionDeclarations: [declaration] }],
  maxOutputTokens: 9,
}
const contents = [
  { role: 'user', parts: [{ text: 'Hello.' }] },
  { role: 'model', parts: [{ text: 'Hm.' }, { functionCall: { id: 'call_1', name: 'read', args: { a: 1 } } }] },
  { role: 'user', parts: [{ functionResponse: { id: 'call_1', name: 'read', response: { output: 'x' } } }] },
]
const result = [{ role: 'user', parts: [{ functionResponse: { name: 'read', response: {} } }] }]

const apis: readonly Api[] = [
  {
    name: 'Messages',
    path: '/v1/messages',
    clients: { 'the SDK': (url) => anthropicClient(anthropic, url), fetch: bareAnthropicClient },
    body: { model: 'claude-opus-5', max_tokens: 100, messages: [hello] },
    refused: { model: 'claude-opus-5', max_tokens: 100, messages: [{ role: 'system', content: 'Too early.' }] },
  },
  {
    name: 'Chat Completions',
    path: '/v1/chat/completions',
    clients: {
      'the SDK': (url) => openAIClient(openai, chatApi, url),
      fetch: (url) => bareOpenAIClient(chatApi, url),
    },
    body: { ...gpt, messages: [hello] },
    refused: { ...gpt, messages: [{ role: 'tool', tool_call_id: 'none', content: 'Done.' }] },
  },
  {
    name: 'Responses',
    path: '/v1/responses',
    clients: {
      'the SDK': (url) => openAIClient(openai, responsesApi, url),
      fetch: (url) => bareOpenAIClient(responsesApi, url),
    },
    body: { ...gpt, input: [hello] },
    refused: { ...gpt, input: [{ type: 'function_call_output', call_id: 'none', output: 'Done.' }] },
  },
  {
    name: 'generateContent',
    path: '/v1beta/models/gemini-3.8-flash:generateContent',
    clients: { 'the SDK': (url) => googleClient(google, url), fetch: bareGoogleClient },
    body: { ...gemini, config, contents },
    arrives: {
      contents,
      systemInstruction: config.systemInstruction,
      tools: config.tools,
      generationConfig: { maxOutputTokens: 9 },
    },
    refused: { ...gemini, config: {}, contents: result },
  },
  {
    name: 'Messages',
    path: '/v1/messages',
    clients: { 'the AI SDK': (url) => aiSdkClient({ ai, provider: aiSdkAnthropic }, url) },
    body: { instructions: [{ role: 'system', content: 'Be brief.' }], messages: [hello], markTools: true },
    arrives: {
      model: 'claude-opus-5',
      max_tokens: 2_048,
      system: [{ type: 'text', text: 'Be brief.' }],
      tools: toolDefinitions.map(({ name, description, input }, index) => ({
        name,
        description,
        input_schema: input,
        ...(index === toolDefinitions.length - 1 && { cache_control: { type: 'ephemeral' } }),
      })),
      tool_choice: { type: 'auto' },
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello.' }] }],
    },
    refused: { instructions: [], messages: [{ role: 'assistant', content: 'Too early.' }], markTools: false },
  },
]

const cases = apis.flatMap(({ clients, ...api }) =>
  Object.entries(clients).map(([by, connect]) => ({ ...api, by, connect })),
)

/** What an SDK would read, each to the wrong end. */
const environment = {
  ANTHROPIC_API_KEY: 'other',
  ANTHROPIC_AUTH_TOKEN: 'token',
  ANTHROPIC_BASE_URL: 'http://127.0.0.1:9',
  OPENAI_API_KEY: 'other',
  OPENAI_ADMIN_KEY: 'other',
  OPENAI_BASE_URL: 'http://127.0.0.1:9',
  OPENAI_ORG_ID: 'other',
  GOOGLE_API_KEY: 'other',
  GOOGLE_CLOUD_PROJECT: 'other',
  GOOGLE_GEMINI_BASE_URL: 'http://127.0.0.1:9',
  GOOGLE_GENAI_API_VERSION: 'v9',
  GOOGLE_GENAI_USE_VERTEXAI: 'true',
}

describe.each(cases)('a client of $name by $by', ({ path, connect, body, arrives = body, refused }) => {
  let emulator: Emulator
  beforeEach(async () => {
    emulator = await startEmulator({ strict: true })
    return () => emulator.close()
  })

  it('sends body, key and headers, and gives the answer', async () => {
    const client = connect(emulator.url)
    expect(await client.send(body, { key: 'one', headers: { 'x-test': 'yes' } })).toHaveProperty(
      path.startsWith('/v1beta') ? 'usageMetadata' : 'usage',
    )
    await client.send(body, { key: 'two', headers: {} })
    const [first, second] = emulator.requests()
    expect(first).toMatchObject({ path, headers: { 'x-test': 'yes' } })
    expect(first!.body).toEqual(arrives)
    expect(second!.account).not.toBe(first!.account)
    expect(second!.headers['x-test']).toBeUndefined()
  })

  it('takes nothing from the environment', async () => {
    for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value)
    try {
      await connect(emulator.url).send(body, { key: 'one', headers: {} })
      vi.unstubAllEnvs()
      await connect(emulator.url).send(body, { key: 'one', headers: {} })
    } finally {
      vi.unstubAllEnvs()
    }
    const requests = emulator.requests()
    expect(requests.map((request) => request.path)).toEqual([path, path])
    expect(new Set(requests.map(({ account }) => account)).size).toBe(1)
  })

  it('sends a refused request once, and says what was refused', async () => {
    await expect(connect(emulator.url).send(refused, { key: 'one', headers: {} })).rejects.toThrow(/400.*\S/s)
    expect(emulator.requests()).toHaveLength(1)
  })
})

describe('importInstalled', () => {
  it('gives the module, or nothing where there is none', async () => {
    expect(await importInstalled(async () => 'module')).toBe('module')
    const missing = Object.assign(new Error('not installed'), { code: 'ERR_MODULE_NOT_FOUND' })
    expect(await importInstalled(() => Promise.reject(missing))).toBeUndefined()
    await expect(importInstalled(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  })
})
