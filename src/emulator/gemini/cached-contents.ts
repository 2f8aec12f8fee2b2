/**
 * `cachedContents`: create, list, get, change the end of, delete. What is refused below the minimum, or for a
 * model without explicit caches, is refused in strict mode only; the rest cannot be done, so it always is.
 */
import type { Json } from '../../base/json.ts'
import type { CountTokens } from '../../cache/tokens/count-tokens.ts'
import { countInput } from '../count-input.ts'
import { json, list, text, type Fields } from '../fields.ts'
import type { CallRequest, EndpointCall, Refusal } from '../types.ts'
import { explicitLifetime, withoutExplicitCache } from './cache-rules.ts'
import { bareModel, type CachedContent, type CacheStore } from './caches.ts'
import { checkContents } from './check.ts'
import { cacheNotFound, refuse } from './refusals.ts'

// Google's SDK asks for `v1` unless told otherwise, older ones and the documentation for `v1beta`.
const collection = '/:version{v1(?:alpha|beta)?}/cachedContents'

/** The routes of explicit caches. */
export function cachedContentCalls(caches: CacheStore, countTokens: CountTokens): readonly EndpointCall[] {
  const one = ({ account, parameters, at }: CallRequest, answer: (cache: CachedContent) => Refusal): Refusal => {
    const found = caches.find(account, nameOf(parameters), at)
    return found === undefined ? cacheNotFound() : answer(found)
  }
  return [
    { method: 'POST', path: collection, handle: (request) => create(request, caches, countTokens) },
    {
      method: 'GET',
      path: collection,
      handle: ({ account, at }) => ({ status: 200, body: { cachedContents: caches.all(account, at).map(shown) } }),
    },
    { method: 'GET', path: `${collection}/:name`, handle: (request) => one(request, reply) },
    {
      method: 'PATCH',
      path: `${collection}/:name`,
      handle: (request) =>
        one(request, (cache) => {
          const expiresAt = endOf(request.body, request.at)
          if (expiresAt === undefined) return badEnd()
          const changed = { ...cache, updatedAt: request.at, expiresAt }
          caches.save(changed)
          return reply(changed)
        }),
    },
    {
      method: 'DELETE',
      path: `${collection}/:name`,
      handle: (request) =>
        one(request, ({ account, name }) => {
          caches.delete(account, name)
          return { status: 200, body: {} }
        }),
    },
  ]
}

function create(request: CallRequest, caches: CacheStore, countTokens: CountTokens): Refusal {
  const { body, account, at, id, strict } = request
  const model = text(body['model'])
  if (model === undefined) return refuse('* CreateCachedContentRequest.model: model is required\n')
  const expiresAt = endOf(body, at)
  if (expiresAt === undefined) return badEnd()
  const whole = { ...body, contents: list(body['contents']) }
  const { usage, minimum } = countInput(whole, bareModel(model), { provider: 'gemini', format: 'gemini', countTokens })
  if (strict) {
    const contents = list(body['contents']).length === 0 ? null : checkContents(body)
    if (contents !== null) return contents
    if (withoutExplicitCache.models.test(bareModel(model))) {
      return refuse(`Model ${model} is not supported for createCachedContent.`)
    }
    if (usage.total < minimum) {
      return refuse(`Cached content is too small. total_token_count=${usage.total}, min_total_token_count=${minimum}`)
    }
  }
  const name = `cachedContents/${id.replace(/^[a-z]+[-_]/, '').toLowerCase()}`
  const cache = { name, account, model, body, tokens: usage.total, createdAt: at, updatedAt: at, expiresAt }
  caches.save(cache)
  return reply(cache)
}

function reply(cache: CachedContent): Refusal {
  return { status: 200, body: shown(cache) }
}

function shown({ name, model, body, tokens, createdAt, updatedAt, expiresAt }: CachedContent): Json {
  return {
    name,
    model,
    ...(body['displayName'] === undefined ? {} : { displayName: json(body['displayName']) }),
    createTime: createdAt.toISOString(),
    updateTime: updatedAt.toISOString(),
    expireTime: expiresAt.toISOString(),
    usageMetadata: { totalTokenCount: tokens },
  }
}

/** When a cache ends; undefined for a body that says both or neither clearly. */
function endOf({ ttl, expireTime }: Fields, at: Date): Date | undefined {
  if (ttl !== undefined && expireTime !== undefined) return undefined
  if (expireTime !== undefined) {
    const time = Date.parse(text(expireTime) ?? '')
    return Number.isNaN(time) ? undefined : new Date(time)
  }
  if (ttl === undefined) return new Date(at.getTime() + explicitLifetime.milliseconds)
  const seconds = /^(\d+(?:\.\d+)?)s$/.exec(text(ttl) ?? '')?.[1]
  return seconds === undefined ? undefined : new Date(at.getTime() + Number(seconds) * 1000)
}

function badEnd(): Refusal {
  return refuse("Invalid value at 'cached_content.expiration': expected one of 'ttl' (as \"3600s\") or 'expireTime'.")
}

function nameOf({ name }: CallRequest['parameters']): string {
  return `cachedContents/${name}`
}
