/**
 * A turn as one request to Responses. Pure: what is sent depends on the turn, the model, the platform, the options and the
 * rules that stood when the epoch began.
 *
 * Instructions and baseline are leading developer messages: the API's own `instructions` takes no breakpoint, and a request
 * that goes on from another response does not inherit it.
 */
import type { ResponseInputItem } from 'openai/resources/responses/responses'
import type { TurnView } from '../../../session/types.ts'
import { RequestInvalidError } from '../../errors.ts'
import { decideFeature, isNative } from '../../features.ts'
import { orderedSettings, refuseEmpty, refuseOtherTools, refuseSupplied, refuseUnknown } from '../../parameters.ts'
import type { FallbackReason, LoweringWarning } from '../../warnings.ts'
import { breakpointsLeftOut, markRules, type MarkRules } from '../breakpoints.ts'
import { placeCacheKey } from '../cache-key.ts'
import { headOf, leadingTexts } from '../head.ts'
import { openAIChoices } from '../options.ts'
import { systemRole } from '../updates.ts'
import { entriesAfter } from './chain.ts'
import { openAIResponsesFormat } from './format.ts'
import { lowerItems, marked, startTally, type ItemTally } from './items.ts'
import type {
  OpenAIResponsesBody,
  OpenAIResponsesOptions,
  OpenAIResponsesParams,
  OpenAIResponsesRequest,
} from './types.ts'

/**
 * Builds the request of a turn. `params` are the provider's other parameters, passed on by reference. Throws
 * `RequestInvalidError` for a turn in which there is nothing to send, for parameters that the turn supplies, for tools in both
 * the session and the parameters, and for `previous` with `store: false`, which keeps nothing to go on from.
 *
 * @example
 * ```ts
 * import { createSessions, memoryStore } from 'indelible'
 * import { openAIResponsesFormat, toOpenAIResponses } from 'indelible/openai'
 * import { value } from 'indelible/sources'
 *
 * let branch = 'main'
 * const context = value('shop/branch', () => branch, { label: 'The git branch' })
 * const agent = createSessions({ store: memoryStore(), format: openAIResponsesFormat, instructions: 'Review code.', context })
 * const session = agent.open('review-42')
 * await session.submit({ role: 'user', content: 'Is it ready?' })
 * const turn = await session.turn()
 * const { revision } = await turn.answer([{ role: 'assistant', content: 'Yes.' }])
 * branch = 'fix/login'
 * await session.submit({ role: 'user', content: 'And now?' })
 * const next = await session.turn()
 * const { body } = toOpenAIResponses(next, { model: 'gpt-6.1-sol' }, { previous: { id: 'resp_1', revision } })
 * for (const item of body.input) console.log(JSON.stringify(item))
 * // => {"type":"message","role":"developer","content":"The git branch is now \"fix/login\"."}
 * // => {"role":"user","content":"And now?"}
 * ```
 */
export function toOpenAIResponses<P extends OpenAIResponsesParams>(
  turn: TurnView<ResponseInputItem>,
  params: P,
  options: OpenAIResponsesOptions = {},
): OpenAIResponsesRequest<P> {
  const request = lowerResponses(turn, params, options)
  if (!request.says) refuseEmpty(turn.session)
  const { body, headers, warnings, chained } = request
  return { body, headers, warnings, chained }
}

/** The same, of a conversation in which nothing may have been said yet; `says` tells whether something was. */
export function lowerResponses<P extends OpenAIResponsesParams>(
  turn: TurnView<ResponseInputItem>,
  params: P,
  options: OpenAIResponsesOptions,
): OpenAIResponsesRequest<P> & { readonly says: boolean } {
  refuseUnknown(options, { ...openAIChoices, tools: ['native', 'held'] })
  refuseSupplied(params, ['input', 'instructions', 'previous_response_id', 'conversation'])
  refuseOtherTools(turn, params.tools)
  const { previous } = options
  if (previous !== undefined && params.store === false) {
    throw new RequestInvalidError(
      'A response that was not stored cannot be gone on from. Leave `previous` out, or do not set `store: false`.',
    )
  }
  const { model } = params
  const platform = options.platform ?? 'openai'
  const asked = { model, platform }
  const updates = decideFeature(turn, { ...asked, feature: 'native-updates', override: isNative(options.updates) })
  const tools = decideFeature(turn, { ...asked, feature: 'native-tools', override: isNative(options.tools) })
  const rest = previous && entriesAfter(turn, previous.revision)
  const chained = rest !== undefined
  const head = headOf(turn)
  // What the response holds cannot be marked any more, so the last request of a chain has to find it where it was written.
  const planned = chained ? {} : options
  const breakpoints = decideFeature(turn, { ...asked, feature: 'breakpoints', override: options.breakpoints })
  const marks = markRules(breakpoints, head, params, planned)
  const rules = { platform, nonce: turn.nonce, native: updates === 'supported', tools: tools === 'supported', marks }
  const tally = startTally(turn.tools?.definitions ?? [])
  // Of what the response holds already, only the tools count: the copy shares their sets.
  if (chained) lowerItems(turn.entries.slice(0, -rest.length || undefined), rules, { ...tally })
  const said = lowerItems(rest ?? turn.entries, rules, tally)

  const definitions = turn.tools === null ? params.tools : turn.tools.definitions
  const key = placeCacheKey(turn, params, definitions, 'responses', options)
  const several = decideFeature(turn, { ...asked, feature: 'several-heads' }) === 'supported'
  const leading = leadingTexts(head, marks, several).map(({ text, marked: isMarked }) => {
    const item = { type: 'message', role: systemRole(platform), content: text } as const
    return isMarked ? marked(item) : item
  })
  const input = chained ? said : [...leading, ...said]
  const from = chained ? { previous_response_id: previous!.id } : {}
  return {
    body: toBody(params, { ...key.body, ...from }, marks, definitions, input),
    headers: { ...key.headers },
    warnings: [...breakpointsLeftOut(breakpoints, platform), ...warningsOf(turn, tally, updates, tools, said)],
    chained,
    says: said.length > 0,
  }
}

function warningsOf(
  turn: Pick<TurnView<unknown>, 'tools'>,
  tally: ItemTally,
  updates: 'supported' | FallbackReason,
  tools: 'supported' | FallbackReason,
  said: readonly ResponseInputItem[],
): LoweringWarning[] {
  const warnings: LoweringWarning[] = []
  const last = said.at(-1)
  if (tally.tagged > 0 && updates !== 'supported') {
    warnings.push({ type: 'updates-tagged', reason: updates, count: tally.tagged })
  }
  const callable = turn.tools?.callable ?? []
  const held = callable.filter((id) => tally.held.has(id))
  if (held.length > 0 && tools !== 'supported') warnings.push({ type: 'tools-held', reason: tools, ids: held })
  const replaced = callable.filter((id) => tally.replaced.has(id))
  if (replaced.length > 0) warnings.push({ type: 'tools-held', reason: 'placement', ids: replaced })
  if (last !== undefined && isAnswer(last)) warnings.push({ type: 'nothing-to-answer' })
  if (tally.blank > 0) warnings.push({ type: 'blank-text', count: tally.blank })
  return warnings
}

function isAnswer(item: ResponseInputItem): boolean {
  // What we put in ourselves is no item of the host's.
  if (item.type === 'additional_tools') return false
  return 'role' in item ? item.role === 'assistant' : openAIResponsesFormat.kind(item) === 'assistant'
}

/** Keys in one order, whatever the caller's: the model, the settings by name, then the prefix as the provider reads it. */
function toBody<P extends OpenAIResponsesParams>(
  { model, tools: _tools, ...settings }: P,
  supplied: Readonly<Record<string, string>>,
  marks: MarkRules,
  tools: readonly unknown[] | undefined,
  input: readonly ResponseInputItem[],
): OpenAIResponsesBody<P> {
  const mode =
    marks.mode === null ? {} : { prompt_cache_options: { ...settings.prompt_cache_options, mode: marks.mode } }
  return {
    model,
    ...orderedSettings({ ...settings, ...supplied, ...mode }),
    ...(tools !== undefined && tools.length > 0 && { tools }),
    input,
  } as unknown as OpenAIResponsesBody<P>
}
