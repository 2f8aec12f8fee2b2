/**
 * Producers of sources that come and go while an agent runs: plugins, connected servers, opened projects.
 *
 * A producer that fails takes nothing away: what it contributed before counts as unavailable until it answers again.
 * Which sources those are, the snapshot knows, because each entry carries the registry key of its producer.
 */
import { combine } from './combine.ts'
import { DuplicateSourceError, SourceInvalidError } from './errors.ts'
import { isThenable, settleAll } from './settle.ts'
import type { Wait } from './settle.ts'
import { contentsOf, toContext } from './source.ts'
import type { ProducerFailure } from './source.ts'
import type { Context } from './types.ts'

type Produce<H> = () => Context<H> | Promise<Context<H>>

/** Milliseconds that a producer has to yield its context. */
const PRODUCER_TIMEOUT_MS = 2000

/**
 * A set of producers, each of which contributes a context under a key of its own.
 *
 * ```ts
 * import { ContextRegistry, defineSource, initialize } from 'indelible'
 * import { z } from 'zod'
 *
 * const registry = new ContextRegistry()
 * const registration = registry.register('theme-plugin', () =>
 *   defineSource({
 *     key: 'theme-plugin/theme',
 *     codec: z.string(),
 *     load: () => 'dark',
 *     baseline: (current) => `The theme is ${current}.`,
 *     update: (_, current) => `The theme is now ${current}.`,
 *   }),
 * )
 * console.log((await initialize(await registry.load())).baseline) // => The theme is dark.
 *
 * registration[Symbol.dispose]()
 * console.log((await initialize(await registry.load())).baseline === '') // => true
 * ```
 */
export class ContextRegistry<H = unknown> {
  readonly #producers = new Map<string, Produce<H>>()

  /**
   * Has `produce` called at every {@link load}, until the result is disposed of. Throws `DuplicateSourceError` while
   * another producer has this key.
   */
  register(key: string, produce: Produce<H>): Disposable {
    if (typeof key !== 'string' || key === '') {
      throw new SourceInvalidError(key, 'The key of a producer is a string that is not empty')
    }
    if (typeof produce !== 'function') {
      throw new SourceInvalidError(key, `Producer '${key}' needs a function that returns its context`)
    }
    if (this.#producers.has(key)) {
      throw new DuplicateSourceError(key, `Producer '${key}' is registered already: dispose of that registration first`)
    }
    // A function of its own, so that an old registration cannot end a newer one of the same producer.
    const registered = (): ReturnType<Produce<H>> => produce()
    this.#producers.set(key, registered)
    return {
      [Symbol.dispose]: () => {
        if (this.#producers.get(key) === registered) this.#producers.delete(key)
      },
    }
  }

  /**
   * The context that the producers make up now, in code-unit order of their keys, whichever answers first. A producer
   * that throws, or has not answered after 2 seconds, is recorded in it and fails nothing else. Throws
   * `DuplicateSourceError` when two sources share a key.
   */
  async load(): Promise<Context<H>> {
    const productions = [...this.#producers].sort(([a], [b]) => (a < b ? -1 : 1)).map(produceFrom)
    const pending = productions.flatMap(({ wait }) => (wait === undefined ? [] : [wait]))
    if (pending.length > 0) await settleAll(pending)
    return combine(...productions.map(({ context }) => context))
  }
}

/** One call of one producer: a failure until it has yielded its context. */
interface Production<H> {
  context: Context<H>
  wait?: Wait
}

function produceFrom<H>([key, produce]: [string, Produce<H>]): Production<H> {
  const production: Production<H> = { context: failed(key, 'timeout') }
  const accept = (produced: Context<H>): void => {
    try {
      production.context = attribute(produced, key)
    } catch (error) {
      production.context = failed(key, 'error', error)
    }
  }
  const reject = (error: unknown): void => {
    production.context = failed(key, 'error', error)
  }
  try {
    const produced = produce()
    if (isThenable(produced)) {
      production.wait = { result: produced, timeoutMs: PRODUCER_TIMEOUT_MS, resolved: accept, rejected: reject }
    } else {
      accept(produced)
    }
  } catch (error) {
    reject(error)
  }
  return production
}

/** The context with `producer` on all that is in it, also on what a registry inside of the producer failed to load. */
function attribute<H>(context: Context<H>, producer: string): Context<H> {
  const { sources, failures } = contentsOf(context)
  return toContext({
    sources: sources.map((source) => ({ ...source, producer })),
    failures: failures.slice(0, 1).map((failure) => ({ ...failure, producer })),
  })
}

function failed<H>(producer: string, reason: ProducerFailure['reason'], error?: unknown): Context<H> {
  return toContext({ sources: [], failures: [{ producer, reason, error }] })
}
