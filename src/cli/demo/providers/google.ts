/**
 * Gemini's `generateContent` on the Developer API. Nothing is marked and nothing is billed for writing: what requests have in
 * common may be read, from a minimum on that the demo's conversation reaches only after some turns. Updates are tagged text.
 */
import { googleFormat, toGoogleContents, type GoogleBody } from '../../../wire/google/index.ts'
import { MAX_OUTPUT } from '../agent.ts'
import { fetchClient, importInstalled, sdkClient, type Client, type Connect } from '../client.ts'
import { startHttpService } from '../service.ts'
import { toolDefinitions } from '../tools.ts'
import { halvesOf, openWays, type Dialect } from '../ways.ts'
import { ROUND, type Provider } from './provider.ts'

type Content = GoogleBody['contents'][number]

const model = 'gemini-3.8-flash'

const config = {
  maxOutputTokens: MAX_OUTPUT,
  tools: [
    {
      functionDeclarations: toolDefinitions.map(({ name, description, input }) => ({
        name,
        description,
        parametersJsonSchema: input,
      })),
    },
  ],
}

const dialect: Dialect<Content> = {
  format: googleFormat,
  user: (text) => ({ role: 'user', parts: [{ text }] }),
  answer: (text, calls) => [
    {
      role: 'model',
      // Keys in the SDK's order: it sends them so, whatever it is given.
      parts: [{ text }, ...calls.map(({ id, name, input }) => ({ functionCall: { args: { ...input }, id, name } }))],
    },
  ],
  results: (answered) => [
    {
      role: 'user',
      parts: answered.map(({ call, text, failed }) => ({
        functionResponse: { id: call.id, name: call.name, response: failed ? { error: text } : { output: text } },
      })),
    },
  ],
  render: (system, contents) => ({
    model,
    config: { ...config, systemInstruction: { parts: halvesOf(system).map((text) => ({ text })) } },
    contents,
  }),
  lower: (turn) => toGoogleContents(turn, { model, config }),
}

type Sdk = typeof import('@google/genai')

async function connect(): Promise<Connect> {
  const sdk = await importInstalled(() => import('@google/genai'))
  return sdk === undefined ? bareGoogleClient : (url) => googleClient(sdk, url)
}

const API_VERSION = 'v1beta'

/** By the SDK. */
export function googleClient({ GoogleGenAI }: Sdk, url: string): Client {
  return sdkClient(
    '@google/genai',
    (apiKey) => new GoogleGenAI({ apiKey, vertexai: false, apiVersion: API_VERSION, httpOptions: { baseUrl: url } }),
    async (client, body, headers) => {
      const { config: given, ...rest } = body as GoogleBody
      return await client.models.generateContent({ ...rest, config: { ...given, httpOptions: { headers } } })
    },
  )
}

/** By `fetch`: what the SDK has in `config` stands at the top of the body, or under `generationConfig`. */
export function bareGoogleClient(url: string): Client {
  return fetchClient((body, key) => {
    const { model: asked, config: given, contents } = body as GoogleBody
    const { systemInstruction, tools, ...generationConfig } = given
    return {
      url: `${url}/${API_VERSION}/models/${asked}:generateContent`,
      headers: { 'x-goog-api-key': key },
      body: { contents, systemInstruction, tools, generationConfig },
    }
  })
}

export const google: Provider = {
  name: 'google',
  model,
  format: 'gemini',
  simulator: 'gemini',
  usage: 'gemini',
  writes: [],
  caching:
    'Nothing is marked: Gemini finds by itself what requests have in common, and reads at most that. It is billed here as if it always read all of it.',
  turns: 3 * ROUND,
  callPrefix: 'call_',
  open: (options) => openWays(dialect, options),
  start: async (clock, countTokens) => startHttpService(await connect(), clock, countTokens),
}
