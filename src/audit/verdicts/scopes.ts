/**
 * Which calls share a cache, apart from what the simulator knows itself (model, parameters of the body): provider,
 * account, organisation or workspace, host, region, upstream.
 *
 * A part that the log names only one value of tells nothing apart: calls for which it is missing are taken to have that
 * value too. Where it names several, a call without one is in a scope of its own.
 */
import { providerNames } from '../../cache/index.ts'
import { providerRules } from '../../cache/providers/provider-rules.ts'
import type { ProviderRules } from '../../cache/simulator/rules.ts'
import type { Turn } from '../record/types.ts'

/** The rules that a turn is played by: those of a provider that is not known, or does not take the format, are guessed. */
export function rulesOf({ provider, format }: Pick<Turn, 'provider' | 'format'>): ProviderRules {
  const known = (providerNames as readonly string[]).includes(provider) ? provider : 'generic'
  const rules = providerRules(known)
  const takes = format === null || rules.formats === undefined || rules.formats.includes(format)
  return takes ? rules : providerRules('generic')
}

/**
 * Segments that one simulator remembers, some 350 bytes each: of twenty conversations of a thousand blocks that are sent
 * anew with each turn, all that their entries can still be read of.
 */
export const SEGMENTS = 60_000

const parts: Readonly<Record<string, (turn: Turn) => string | undefined>> = {
  account: ({ exchange }) => exchange.account,
  organization: ({ exchange: { headers } }) => headers?.['openai-organization'] ?? headers?.['chatgpt-account-id'],
  project: ({ exchange: { headers } }) => headers?.['openai-project'] ?? headers?.['x-goog-user-project'],
  workspace: ({ exchange: { headers } }) => headers?.['anthropic-workspace-id'] ?? headers?.['anthropic-workspace'],
  host: ({ exchange }) => exchange.host,
  region: ({ exchange }) => exchange.region,
  upstream: ({ exchange: { headers } }) => headers?.['x-portkey-provider'],
}

/** The scopes of a log. */
export class Scopes {
  /** Parts of which there are several values. */
  readonly #telling: readonly (readonly [name: string, valueOf: (turn: Turn) => string | undefined])[]

  constructor(turns: readonly Turn[]) {
    this.#telling = Object.entries(parts).filter(([, valueOf]) => {
      const values = new Set(turns.map(valueOf))
      values.delete(undefined)
      return values.size > 1
    })
  }

  /** Equal for turns that one simulator plays. */
  keyOf(turn: Turn): string {
    const values = this.#telling.map(([, valueOf]) => valueOf(turn) ?? null)
    return values.length === 0 ? rulesOf(turn).id : JSON.stringify([rulesOf(turn).id, ...values])
  }

  /** The parts in which two turns are known to differ, or in which one of them is not known. */
  differences(one: Turn, other: Turn): readonly string[] {
    const names = this.#telling.filter(([, valueOf]) => valueOf(one) !== valueOf(other)).map(([name]) => name)
    return rulesOf(one).id === rulesOf(other).id ? names : ['provider', ...names]
  }
}
