/** What both APIs of OpenAI have in common. The model is one that takes breakpoints and bills what it writes, as all do from GPT-5.6 on. */
import { ROUND, type Provider } from './provider.ts'
import { fetchClient, importInstalled, sdkClient, type Client, type Connect } from '../client.ts'

/** One key for all: requests that begin alike should meet. */
export const CACHE_KEY = 'indelible-demo'

/** The provider, without what its APIs differ in. */
export const openAI: Omit<Provider, 'name' | 'format' | 'open' | 'start'> = {
  model: 'gpt-6.2-sol',
  simulator: 'openai',
  usage: 'openai',
  writes: ['write30m'],
  caching:
    'All three mark for the cache whatever a later request could read; the end of a request is marked by OpenAI itself.',
  turns: ROUND,
  callPrefix: 'call_',
}

export type OpenAISdk = typeof import('openai')
type OpenAIClient = InstanceType<OpenAISdk['OpenAI']>

/** One of the APIs: how the SDK is asked, and at which path under `/v1` it is. */
export interface OpenAIApi {
  readonly path: string
  create(client: OpenAIClient, body: object, headers: Readonly<Record<string, string>>): Promise<unknown>
}

export async function connectOpenAI(api: OpenAIApi): Promise<Connect> {
  const sdk = await importInstalled(() => import('openai'))
  return sdk === undefined ? (url) => bareOpenAIClient(api, url) : (url) => openAIClient(sdk, api, url)
}

/** By the SDK. */
export function openAIClient({ OpenAI }: OpenAISdk, api: OpenAIApi, url: string): Client {
  const nothing = { adminAPIKey: null, organization: null, project: null, webhookSecret: null } as const
  const options = { baseURL: `${url}/v1`, maxRetries: 0, logLevel: 'off', ...nothing } as const
  return sdkClient(
    'openai',
    (apiKey) => new OpenAI({ ...options, apiKey }),
    (client, body, headers) => api.create(client, body, headers),
  )
}

/** By `fetch`. */
export function bareOpenAIClient({ path }: OpenAIApi, url: string): Client {
  return fetchClient((body, key) => ({ url: `${url}/v1/${path}`, headers: { authorization: `Bearer ${key}` }, body }))
}
