/**
 * How the demo sends a request: with the provider's own SDK where it is installed, otherwise with `fetch`. Both give the
 * parsed answer, and reject with status and body of a refusal in the message. The environment configures neither.
 */

export interface Client {
  /** As it is named to the user. */
  readonly name: string
  send(body: object, request: ClientRequest): Promise<unknown>
}

export interface ClientRequest {
  readonly key: string
  /** Besides those that the client sends on its own. */
  readonly headers: Readonly<Record<string, string>>
}

/** Makes a client of an API at a URL, which has no slash at its end. */
export type Connect = (url: string) => Client

/** The module that `load` imports; `undefined` where it is not installed. */
export async function importInstalled<Module>(load: () => Promise<Module>): Promise<Module | undefined> {
  try {
    return await load()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND') return undefined
    throw error
  }
}

/** A client by an SDK, which keeps one of its own for each key: that is where SDKs take it. */
export function sdkClient<Sdk>(
  name: string,
  create: (key: string) => Sdk,
  send: (sdk: Sdk, body: object, headers: ClientRequest['headers']) => Promise<unknown>,
): Client {
  const made = new Map<string, Sdk>()
  return {
    name,
    async send(body, { key, headers }) {
      const sdk = made.get(key) ?? create(key)
      made.set(key, sdk)
      return await send(sdk, body, headers)
    },
  }
}

/** How an API is called by hand. */
export interface HttpCall {
  /** Where a body goes. */
  readonly url: string
  /** That the API asks for, the key among them. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: object
}

/** A client by `fetch`. */
export function fetchClient(toCall: (body: object, key: string) => HttpCall): Client {
  return {
    name: 'fetch',
    async send(body, { key, headers }) {
      const call = toCall(body, key)
      const response = await fetch(call.url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...call.headers, ...headers },
        body: JSON.stringify(call.body),
      })
      if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
      return await response.json()
    },
  }
}
