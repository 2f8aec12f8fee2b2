/**
 * The cache settings of a body, as OpenAI checks them, for both of its APIs. The messages about prompt caching are ours
 * in OpenAI's manner, since nobody has recorded the real ones; status, type, `param` and `code` follow its other refusals.
 */
import { openAIBreakpoints } from '../../cache/openai/breakpoints.ts'
import { retentionsOf } from '../../cache/openai/retention.ts'
import type { Rule } from '../../cache/rule.ts'
import { fields, type Fields } from '../fields.ts'
import type { Refusal } from '../types.ts'
import { hasBreakpoints } from './models.ts'
import { invalidValue, refuse, unknownParameter, unsupportedParameter } from './refusals.ts'

interface CacheOptionRule extends Rule {
  readonly modes: readonly string[]
  readonly lifetimes: readonly string[]
  readonly breakpointModes: readonly string[]
  /** Asked for through Responses alone. */
  readonly responsesOnly: readonly string[]
}

/** What `prompt_cache_options` may hold. `12h` is in OpenAI's types, and for Azure only. */
const cacheOptions: CacheOptionRule = {
  since: '2026-11-30',
  source: 'developers.openai.com/api/docs/guides/prompt-caching',
  confidence: 'official',
  modes: ['implicit', 'explicit'],
  lifetimes: [openAIBreakpoints.lifetime],
  breakpointModes: ['explicit'],
  responsesOnly: ['prewarm', 'comparison_response_id'],
}

/** Something of a body that may carry a breakpoint, or must not. */
export interface BreakpointPlace {
  /** As `messages[0].content[1]`. */
  readonly path: string
  readonly value: unknown
  /** A block of a kind that takes breakpoints. */
  readonly allowed: boolean
}

/** True for the type of a content part that takes breakpoints. */
export function isMarkable(type: unknown): boolean {
  return type === 'text' || type === 'input_text' || openAIBreakpoints.markable.some((markable) => markable === type)
}

/** What is wrong with the settings of a body, if anything. */
export function checkCacheOptions(body: Fields, model: string, api: 'chat' | 'responses'): Refusal | null {
  const retention = body['prompt_cache_retention'] ?? undefined
  const options = body['prompt_cache_options'] ?? undefined
  if (retention !== undefined) {
    const supported = retentionsOf(model)
    if (typeof retention !== 'string' || !supported.some((known) => known === retention)) {
      return invalidValue('prompt_cache_retention', retention, supported)
    }
  }
  if (options === undefined) return null
  const given = fields(options)
  if (!hasBreakpoints(model)) return unsupportedParameter('prompt_cache_options')
  if (retention !== undefined && given['ttl'] !== undefined) {
    return refuse(
      "'prompt_cache_options.ttl' and 'prompt_cache_retention' cannot both be set. Use 'prompt_cache_options.ttl' instead.",
      { param: 'prompt_cache_retention', code: 'mutually_exclusive_parameters' },
    )
  }
  const known = new Set(['mode', 'ttl', ...(api === 'responses' ? cacheOptions.responsesOnly : [])])
  const unknown = Object.keys(given).find((name) => !known.has(name))
  if (unknown !== undefined) return unknownParameter(`prompt_cache_options.${unknown}`)
  return (
    oneOf('prompt_cache_options.mode', given['mode'], cacheOptions.modes) ??
    oneOf('prompt_cache_options.ttl', given['ttl'], cacheOptions.lifetimes)
  )
}

/** The first breakpoint that stands where none may, or is none. */
export function checkBreakpoints(places: Iterable<BreakpointPlace>, model: string): Refusal | null {
  for (const { path, value, allowed } of places) {
    const mark = fields(value)['prompt_cache_breakpoint'] ?? undefined
    if (mark === undefined) continue
    const param = `${path}.prompt_cache_breakpoint`
    if (!allowed) return unknownParameter(param)
    if (!hasBreakpoints(model)) return unsupportedParameter(param)
    const { mode, ttl } = fields(mark)
    const refusal =
      oneOf(`${param}.mode`, mode ?? null, cacheOptions.breakpointModes) ??
      oneOf(`${param}.ttl`, ttl, cacheOptions.lifetimes)
    if (refusal !== null) return refusal
  }
  return null
}

function oneOf(param: string, value: unknown, supported: readonly string[]): Refusal | null {
  if (value === undefined || (typeof value === 'string' && supported.includes(value))) return null
  return invalidValue(param, value, supported)
}
