/**
 * The caches: one simulator for each provider, account and body format, since what one account wrote another cannot
 * read, and the APIs of one provider render their prompts apart (assumed). A cache is dropped when so many others were
 * used since.
 */
import { createSimulator } from '../cache/simulator/create-simulator.ts'
import type { RequestFormat } from '../cache/layout/types.ts'
import type { CacheEntry, Simulator, SimulatorOptions } from '../cache/simulator/types.ts'
import type { CountTokens } from '../cache/tokens/count-tokens.ts'
import type { Endpoint } from './types.ts'

/** What is cached for one account of a provider. */
export interface CacheScope {
  readonly provider: string
  readonly account: string
  /** Of the bodies that wrote it; undefined where they are recognised by shape. */
  readonly format: RequestFormat | undefined
  readonly entries: readonly CacheEntry[]
}

/** The simulators that are in use. */
export interface Scopes {
  of(endpoint: Endpoint, model: string, account: string): Simulator
  list(): readonly CacheScope[]
  clear(): void
}

const maxScopes = 1_000
/** Segments of all caches together: some 400 MB. The caches used longest ago are dropped beyond. */
const maxSegments = 400_000
// Looking at all of them costs little, and not nothing.
const lookEvery = 64

/** No caches yet. Every endpoint may hold what bodies of an account refer to. */
export function createScopes(endpoints: readonly Endpoint[], countTokens: CountTokens, clock: () => Date): Scopes {
  const simulators = new Map<string, Omit<CacheScope, 'entries' | 'provider'> & { readonly simulator: Simulator }>()
  let asked = 0
  return {
    of(endpoint, model, account) {
      if (++asked % lookEvery === 0) trim()
      const { format } = endpoint
      const provider = endpoint.provider(model)
      const key = JSON.stringify([provider, account, format])
      const found = simulators.get(key)
      const scope = found ?? { account, format, simulator: createSimulator(optionsOf({ provider, account, format })) }
      simulators.delete(key)
      simulators.set(key, scope)
      const [oldest] = simulators.keys()
      if (simulators.size > maxScopes && oldest !== undefined) simulators.delete(oldest)
      return scope.simulator
    },
    list: () =>
      [...simulators.values()].map(({ account, format, simulator }) => ({
        provider: simulator.provider,
        account,
        format,
        entries: simulator.entries(clock()),
      })),
    clear: () => simulators.clear(),
  }

  function trim(): void {
    let segments = [...simulators.values()].reduce((sum, { simulator }) => sum + simulator.segments, 0)
    for (const [key, { simulator }] of simulators) {
      if (segments <= maxSegments || simulators.size === 1) return
      segments -= simulator.segments
      simulators.delete(key)
    }
  }

  function optionsOf(scope: { account: string } & SimulatorOptions): SimulatorOptions {
    const readings = endpoints.map((endpoint) => endpoint.reading?.(scope.account) ?? {})
    return Object.assign({ ...scope, countTokens }, ...readings) as SimulatorOptions
  }
}
