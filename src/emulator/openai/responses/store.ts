/**
 * The responses that are kept, so that a later request can build on one (`previous_response_id`), name an item of one
 * (`item_reference`) or be compared with one (`comparison_response_id`). Memory is bounded: the oldest leave first once
 * there are too many or their bodies are too large. Odd case: a response with `store: false` is kept for comparisons
 * alone, and nobody can build on it.
 */
import type { Json } from '../../../base/json.ts'
import { fields, list, text, type Fields } from '../../fields.ts'

/** A response and the request that it answered. */
export interface StoredResponse {
  readonly id: string
  readonly account: string
  /** False for `store: false`. */
  readonly stored: boolean
  readonly model: string
  /** The body of the request, with what it refers to in place. */
  readonly request: Fields
  readonly output: readonly Json[]
  /** The answered body. */
  readonly response: Json
  /** Tokens that the next request can read: what this one read and wrote. */
  readonly reusable: number
  /** Characters of the request's body and of the output, or close to it. */
  readonly size: number
}

/** How much is kept. */
export interface StoreLimits {
  readonly responses: number
  /** Characters of all of them together. */
  readonly size: number
}

/** What the emulator keeps of answered responses. Accounts do not see each other's. */
export interface ResponseStore {
  save(response: StoredResponse): void
  /** One that can be built on. */
  find(account: string, id: string): StoredResponse | undefined
  /** One that can be compared with. */
  compared(account: string, id: string): StoredResponse | undefined
  /** An output item of one that can be built on. */
  item(account: string, id: string): Json | undefined
  delete(account: string, id: string): boolean
  clear(): void
}

const defaultLimits: StoreLimits = { responses: 2000, size: 128 * 1024 * 1024 }

export function responseStore(limits: StoreLimits = defaultLimits): ResponseStore {
  const responses = new Map<string, StoredResponse>()
  const owners = new Map<string, string>()
  let size = 0

  function forget(response: StoredResponse): void {
    responses.delete(response.id)
    size -= response.size
    for (const id of itemIds(response)) owners.delete(id)
  }

  function compared(account: string, id: string): StoredResponse | undefined {
    const found = responses.get(id)
    return found?.account === account ? found : undefined
  }

  function find(account: string, id: string): StoredResponse | undefined {
    const found = compared(account, id)
    return found?.stored === true ? found : undefined
  }

  return {
    find,
    compared,
    save(response) {
      const former = responses.get(response.id)
      if (former !== undefined) forget(former)
      responses.set(response.id, response)
      size += response.size
      for (const id of itemIds(response)) owners.set(id, response.id)
      for (const oldest of responses.values()) {
        if (responses.size <= 1 || (responses.size <= limits.responses && size <= limits.size)) break
        forget(oldest)
      }
    },
    item(account, id) {
      const owner = owners.get(id)
      const found = owner === undefined ? undefined : find(account, owner)
      return found?.output.find((item) => fields(item)['id'] === id)
    },
    delete(account, id) {
      const found = find(account, id)
      if (found !== undefined) forget(found)
      return found !== undefined
    },
    clear() {
      responses.clear()
      owners.clear()
      size = 0
    },
  }
}

/** The items of a request as the model sees them: those of the responses that it builds on first. */
export function inputItems(request: Fields, account: string, store: ResponseStore): readonly unknown[] {
  const groups = [ownItems(resolveReferences(request, account, store))]
  const seen = new Set<string>()
  let previous = text(request['previous_response_id'])
  while (previous !== undefined && !seen.has(previous)) {
    seen.add(previous)
    const found = store.find(account, previous)
    if (found === undefined) break
    groups.push(found.output, ownItems(found.request))
    previous = text(found.request['previous_response_id'])
  }
  return groups.toReversed().flat()
}

/** The body with the items that it only refers to in their places; the same body where it refers to none. */
export function resolveReferences(body: Fields, account: string, store: ResponseStore): Fields {
  const input = list(body['input'])
  if (!input.some(isReference)) return body
  return {
    ...body,
    input: input.map((item) => (isReference(item) ? (store.item(account, item.id) ?? item) : item)),
  }
}

/** True for an item that is named and not sent. */
export function isReference(item: unknown): item is { readonly id: string } {
  const { type, id, role } = fields(item)
  // The type may be left out: an item with an id and nothing to say is a reference.
  const isNamed = type === 'item_reference' || ((type ?? null) === null && role === undefined)
  return isNamed && typeof id === 'string'
}

function ownItems({ input }: Fields): readonly unknown[] {
  return typeof input === 'string' ? [{ role: 'user', content: input }] : list(input)
}

function itemIds({ output }: StoredResponse): readonly string[] {
  return output.map((item) => text(fields(item)['id'])).filter((id) => id !== undefined)
}
