/**
 * Explicit caches (`cachedContents`): kept until their end, at most so many, the oldest leaving first. Odd case: whoever
 * lays a request out asks without a time, so a cache that has run out is there for it until the next look at the time.
 */
import type { Fields } from '../fields.ts'

export interface CachedContent {
  /** As `cachedContents/abc`. */
  readonly name: string
  readonly account: string
  readonly model: string
  /** As it was created with: the start of every request that names the cache. */
  readonly body: Fields
  readonly tokens: number
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly expiresAt: Date
}

/** Accounts do not see each other's. */
export interface CacheStore {
  save(cache: CachedContent): void
  /** One that has not run out at `at`; without a time, one that is still kept. */
  find(account: string, name: string, at?: Date): CachedContent | undefined
  all(account: string, at: Date): readonly CachedContent[]
  delete(account: string, name: string): boolean
  clear(): void
}

const maximum = 1000

export function cacheStore(): CacheStore {
  const caches = new Map<string, CachedContent>()

  function expire(at: Date): void {
    for (const [name, { expiresAt }] of caches) if (expiresAt <= at) caches.delete(name)
  }

  function find(account: string, name: string, at?: Date): CachedContent | undefined {
    if (at !== undefined) expire(at)
    const found = caches.get(name)
    return found?.account === account ? found : undefined
  }

  return {
    find,
    save(cache) {
      caches.set(cache.name, cache)
      for (const oldest of caches.keys()) {
        if (caches.size <= maximum) break
        caches.delete(oldest)
      }
    },
    all(account, at) {
      expire(at)
      return [...caches.values()].filter((cache) => cache.account === account)
    },
    delete: (account, name) => find(account, name) !== undefined && caches.delete(name),
    clear: () => caches.clear(),
  }
}

/** A model without `models/` or a path in front. */
export function bareModel(model: string): string {
  return model.replace(/^.*models\//, '')
}
