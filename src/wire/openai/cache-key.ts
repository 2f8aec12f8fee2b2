/** The key by which a provider sends requests with the same start to the same server. */
import { digest } from '../../base/digest.ts'
import { canonicalJson } from '../../base/json.ts'
import { cacheKeyRule } from '../../cache/openai/cache-keys.ts'
import type { TurnView } from '../../session/types.ts'
import type { OpenAIOptions } from './options.ts'

/** Where the key goes; empty where the platform has none, or the caller named one. */
export interface PlacedKey {
  readonly body: Readonly<Record<string, string>>
  readonly headers: Readonly<Record<string, string>>
}

const NONE: PlacedKey = { body: {}, headers: {} }

/** The key of a turn. `given` are the caller's parameters, `tools` the list that is sent. */
export function placeCacheKey(
  turn: Pick<TurnView<unknown>, 'session' | 'instructions' | 'rulesAsOf' | 'tools'>,
  given: object,
  tools: readonly unknown[] | undefined,
  api: 'chat' | 'responses',
  { platform = 'openai', cacheKey }: OpenAIOptions,
): PlacedKey {
  const rule = cacheKeyRule(platform, api, turn.rulesAsOf)
  if (rule === undefined || cacheKey === false || Object.hasOwn(given, rule.name)) return NONE
  const stands = cacheKey ?? rule.stands
  const prompt = `${digestOf(tools)}\n${turn.instructions}`
  const key = digest(stands === 'session' ? `${canonicalJson(turn.session)}\n${prompt}` : prompt)
  return rule.place === 'body'
    ? { body: { [rule.name]: key }, headers: {} }
    : { body: {}, headers: { [rule.name]: key } }
}

// The list of an epoch is one frozen array: hashing a long one for every request would cost more than lowering.
const digests = new WeakMap<readonly unknown[], string>()

function digestOf(tools: readonly unknown[] | undefined): string {
  if (tools === undefined) return ''
  const known = digests.get(tools)
  if (known !== undefined) return known
  const made = digest(canonicalJson(tools))
  if (Object.isFrozen(tools)) digests.set(tools, made)
  return made
}
