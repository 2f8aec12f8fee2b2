/**
 * One calibration for all plays: per provider and model, what was reported for its calls over what is predicted for them
 * without any report. Both sides of a saving are played by it and learn nothing on the way, so a difference between them
 * is one of the prompts and never of what was learned.
 */
import type { CacheRules, ProviderRules } from '../../cache/index.ts'
import type { Turn } from '../record/types.ts'
import { cacheRulesOf, isPlayable } from '../verdicts/play.ts'
import type { Requests } from '../verdicts/requests.ts'
import { rulesOf } from '../verdicts/scopes.ts'

/** How the provider's tokens relate to what the tables say of them, by model. */
export class Calibration {
  readonly #reported = new Map<string, number>()
  readonly #predicted = new Map<string, number>()
  readonly #providers = new Map<string, ProviderRules>()
  /** Of turns that can be played, by turn number. */
  readonly #rules = new Map<number, CacheRules>()
  readonly #scaled = new Map<string, WeakMap<CacheRules, CacheRules>>()

  constructor(turns: readonly Turn[], requests: Requests) {
    for (const turn of turns) {
      const rules = cacheRulesOf(turn, requests)
      if (rules === undefined || !isPlayable(turn, rules)) continue
      this.#rules.set(turn.number, rules)
      const total = turn.usage?.total
      if (total === undefined || total <= 0 || turn.answer.serverEdited || turn.tokens === 0) continue
      const key = keyOf(rulesOf(turn), requests.modelOf(turn))
      this.#reported.set(key, (this.#reported.get(key) ?? 0) + total)
      this.#predicted.set(key, (this.#predicted.get(key) ?? 0) + predictedTokens(turn, rules))
    }
  }

  /** Reported tokens for each that is predicted; 1 where nothing was reported. */
  scaleOf(rules: ProviderRules, model: string | undefined): number {
    const key = keyOf(rules, model)
    const predicted = this.#predicted.get(key) ?? 0
    return predicted === 0 ? 1 : (this.#reported.get(key) ?? 0) / predicted
  }

  /** The rules of a turn's provider, with the calibration in them. */
  rulesOf(turn: Turn): ProviderRules {
    const rules = rulesOf(turn)
    const known = this.#providers.get(rules.id)
    if (known !== undefined) return known
    const scaled: ProviderRules = {
      ...rules,
      rulesFor: (request, context) => this.#scale(rules.rulesFor(request, context), rules, request.model),
    }
    this.#providers.set(rules.id, scaled)
    return scaled
  }

  /** The rules for a turn as it was sent, with the calibration in them; undefined where it cannot be played. */
  rulesFor(turn: Turn, requests: Requests): CacheRules | undefined {
    const rules = this.#rules.get(turn.number)
    return rules && this.#scale(rules, rulesOf(turn), requests.modelOf(turn))
  }

  /** One object for all turns that have the same rules. */
  #scale(rules: CacheRules, provider: ProviderRules, model: string | undefined): CacheRules {
    const key = keyOf(provider, model)
    const made = this.#scaled.get(key) ?? new WeakMap<CacheRules, CacheRules>()
    this.#scaled.set(key, made)
    const known = made.get(rules)
    if (known !== undefined) return known
    const scaled = scale(rules, this.scaleOf(provider, model))
    made.set(rules, scaled)
    return scaled
  }
}

/** Input tokens that a turn has by its rules, for a simulator that has learned nothing. */
export function predictedTokens({ tokens, places }: Turn, rules: CacheRules): number {
  const { ratio, tail, beforeMessages } = rules.tokens
  const hasMessages = places.some(({ section }) => section === 'messages')
  return tokens * ratio + tail + (hasMessages ? beforeMessages : 0)
}

function scale(rules: CacheRules, by: number): CacheRules {
  const { ratio, tail, beforeMessages } = rules.tokens
  return { ...rules, tokens: { ratio: ratio * by, tail: tail * by, beforeMessages: beforeMessages * by } }
}

function keyOf({ id }: ProviderRules, model: string | undefined): string {
  return `${id} ${model ?? ''}`
}
