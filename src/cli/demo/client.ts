/**
 * How the demo sends a request: with the provider's own SDK where it is installed, otherwise with `fetch`. Both give the
 * parsed answer, and reject with status and body of a refusal in the message. The environment configures neither.
 */
import type { Body } from './message.ts'

export interface Client {
  /** As it is named to the user. */
  readonly name: string
  send(body: Body, request: ClientRequest): Promise<unknown>
}

export interface ClientRequest {
  readonly key: string
  /** Besides those that the client sends on its own. */
  readonly headers: Readonly<Record<string, string>>
}

type Sdk = typeof import('@anthropic-ai/sdk')

/** Makes a client of the Messages API at a URL, which has no slash at its end. */
export async function loadClient(): Promise<(url: string) => Client> {
  const sdk = await importSdk()
  return sdk === undefined ? fetchClient : (url) => sdkClient(sdk, url)
}

async function importSdk(): Promise<Sdk | undefined> {
  try {
    return await import('@anthropic-ai/sdk')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND') return undefined
    throw error
  }
}

/** By the SDK. */
export function sdkClient({ default: Anthropic }: Sdk, url: string): Client {
  const options = { baseURL: url, authToken: null, maxRetries: 0, logLevel: 'off' } as const
  const clients = new Map<string, InstanceType<typeof Anthropic>>()
  return {
    name: '@anthropic-ai/sdk',
    async send(body, { key, headers }) {
      const client = clients.get(key) ?? new Anthropic({ ...options, apiKey: key })
      clients.set(key, client)
      return await client.messages.create(body, { headers })
    },
  }
}

/** By `fetch`, with the headers that the API asks for. */
export function fetchClient(url: string): Client {
  return {
    name: 'fetch',
    async send(body, { key, headers }) {
      const response = await fetch(`${url}/v1/messages`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'anthropic-version': '2023-06-01',
          'x-api-key': key,
          ...headers,
        },
        body: JSON.stringify(body),
      })
      if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
      return await response.json()
    },
  }
}
