/**
 * What `prompt_cache_options.comparison_response_id` is answered with (Responses, GPT-5.6 and later).
 *
 * The comparison is of two requests and not of the cache: the first difference in the order of the reasons below is
 * named. It is a hit when all that the compared request read and wrote was read again. Odd case: nothing differs and yet
 * it was not read (expired, another breakpoint); then the provider does not know either, and says `unavailable`.
 */
import type { Json } from '../../../base/json.ts'
import { canonicalJson } from '../../../base/json.ts'
import type { PredictedUsage } from '../../../cache/simulator/types.ts'
import { fields, list, text, type Fields } from '../../fields.ts'
import { inputItems, type ResponseStore, type StoredResponse } from './store.ts'

/** What is compared. */
export interface ComparedRequest {
  readonly body: Fields
  readonly model: string
  readonly account: string
}

/** Parameters by the reason that a change of them is given, first reason first. */
const parameters: readonly { readonly reason: string; readonly read: (request: ComparedRequest) => unknown }[] = [
  { reason: 'model_changed', read: ({ model }) => model },
  { reason: 'prompt_cache_key_changed', read: ({ body }) => body['prompt_cache_key'] },
  { reason: 'service_tier_changed', read: ({ body }) => body['service_tier'] },
  { reason: 'tools_changed', read: ({ body }) => list(body['tools']) },
  { reason: 'text_format_changed', read: ({ body }) => fields(body['text'])['format'] },
  { reason: 'reasoning_effort_changed', read: ({ body }) => fields(body['reasoning'])['effort'] },
  { reason: 'verbosity_changed', read: ({ body }) => fields(body['text'])['verbosity'] },
]

/** The diagnosis, or undefined where none was asked for. */
export function diagnose(request: ComparedRequest, usage: PredictedUsage, store: ResponseStore): Json | undefined {
  const id = text(fields(request.body['prompt_cache_options'])['comparison_response_id'])
  if (id === undefined) return undefined
  const compared = store.compared(request.account, id)
  if (compared === undefined) return { type: 'comparison_response_not_found' }
  if (compared.reusable > 0 && usage.read >= compared.reusable) return { type: 'cache_hit' }
  const difference = firstDifference(request, compared, store)
  if (difference === undefined) return { type: 'unavailable' }
  return {
    type: 'cache_miss',
    reason: difference.reason,
    cache_missed_tokens: Math.round(usage.total * difference.share),
    ...(compared.reusable > 0 ? { comparison_reusable_tokens: compared.reusable } : {}),
  }
}

/** The reason, and which share of the request stands behind the difference. */
interface Difference {
  readonly reason: string
  readonly share: number
}

function firstDifference(
  request: ComparedRequest,
  compared: StoredResponse,
  store: ResponseStore,
): Difference | undefined {
  const former = { body: compared.request, model: compared.model, account: compared.account }
  const changed = parameters.find(({ read }) => !same(read(request), read(former)))
  if (changed !== undefined) return { reason: changed.reason, share: 1 }
  const now = contents(request, store)
  const before = contents(former, store)
  const at = before.findIndex((item, index) => item !== now[index])
  if (at < 0) return undefined
  const reason = isCompacted(request, former, store) ? 'context_compacted' : 'input_changed'
  return { reason, share: length(now.slice(at)) / Math.max(1, length(now)) }
}

/** The prompt in pieces that can be compared, breakpoints left out: they are no content. */
function contents(request: ComparedRequest, store: ResponseStore): readonly string[] {
  const { body, account } = request
  const parts = [body['instructions'] ?? null, ...inputItems(body, account, store)]
  return parts.map((part) => JSON.stringify(part, (key, value: unknown) => (isMark(key) ? undefined : value)))
}

function isMark(key: string): boolean {
  return key === 'prompt_cache_breakpoint'
}

function isCompacted(request: ComparedRequest, former: ComparedRequest, store: ResponseStore): boolean {
  const count = ({ body, account }: ComparedRequest): number =>
    inputItems(body, account, store).filter((item) => fields(item)['type'] === 'compaction').length
  return count(request) > count(former)
}

function length(parts: readonly string[]): number {
  return parts.reduce((sum, part) => sum + part.length, 0)
}

function same(one: unknown, other: unknown): boolean {
  return canonicalJson(one ?? null) === canonicalJson(other ?? null)
}
