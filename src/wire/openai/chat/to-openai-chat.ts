/**
 * A turn as one request to Chat Completions, of OpenAI or of whoever else serves that API. Pure: what is sent depends on the
 * turn, the model, the platform, the options and the rules that stood when the epoch began.
 */
import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions'
import type { TurnView } from '../../../session/types.ts'
import { decideFeature, isNative } from '../../features.ts'
import { orderedSettings, refuseEmpty, refuseOtherTools, refuseSupplied, refuseUnknown } from '../../parameters.ts'
import type { LoweringWarning } from '../../warnings.ts'
import { breakpointsLeftOut, markRules, type MarkRules } from '../breakpoints.ts'
import { placeCacheKey } from '../cache-key.ts'
import { headOf, leadingTexts } from '../head.ts'
import { openAIChoices, type OpenAIOptions } from '../options.ts'
import { systemRole } from '../updates.ts'
import { lowerChat, marked, type ChatTally } from './messages.ts'
import type { OpenAIChatBody, OpenAIChatParams, OpenAIChatRequest } from './types.ts'

/**
 * Builds the request of a turn. `params` are the provider's other parameters, passed on by reference. Throws
 * `RequestInvalidError` for a turn in which there is nothing to send, for parameters that hold `messages`, and for tools in
 * both the session and the parameters.
 *
 * @example
 * ```ts
 * import { createSessions, memoryStore } from 'indelible'
 * import { openAIChatFormat, toOpenAIChat } from 'indelible/openai'
 * import { value } from 'indelible/sources'
 *
 * let branch = 'main'
 * const context = value('shop/branch', () => branch, { label: 'The git branch' })
 * const agent = createSessions({ store: memoryStore(), format: openAIChatFormat, instructions: 'Review code.', context })
 * const session = agent.open('review-42')
 * await session.submit({ role: 'user', content: 'Is it ready?' })
 * const turn = await session.turn()
 * await turn.answer([{ role: 'assistant', content: 'Yes.' }])
 * branch = 'fix/login'
 * await session.submit({ role: 'user', content: 'And now?' })
 * const { body } = toOpenAIChat(await session.turn(), { model: 'gpt-6.1-sol' })
 * for (const message of body.messages.slice(3)) console.log(JSON.stringify(message))
 * // => {"role":"user","content":"Is it ready?"}
 * // => {"role":"assistant","content":"Yes."}
 * // => {"role":"developer","content":"The git branch is now \"fix/login\"."}
 * // => {"role":"user","content":"And now?"}
 * ```
 */
export function toOpenAIChat<P extends OpenAIChatParams>(
  turn: TurnView<ChatCompletionMessageParam>,
  params: P,
  options: OpenAIOptions = {},
): OpenAIChatRequest<P> {
  refuseUnknown(options, openAIChoices)
  refuseSupplied(params, ['messages'])
  refuseOtherTools(turn, params.tools)
  const { model } = params
  const platform = options.platform ?? 'openai'
  const updates = decideFeature(turn, {
    model,
    platform,
    feature: 'native-updates',
    override: isNative(options.updates),
  })
  const head = headOf(turn)
  const breakpoints = decideFeature(turn, { model, platform, feature: 'breakpoints', override: options.breakpoints })
  const marks = markRules(breakpoints, head, params, options)
  const tally: ChatTally = { tagged: 0, blank: 0, added: new Set() }
  const said = lowerChat(
    turn.entries,
    {
      platform,
      nonce: turn.nonce,
      native: updates === 'supported',
      userAfterTool: decideFeature(turn, { model, platform, feature: 'user-after-tool' }) !== 'unsupported',
      marks,
    },
    tally,
  )
  if (said.length === 0) refuseEmpty(turn.session)

  const tools = turn.tools === null ? params.tools : turn.tools.definitions
  const key = placeCacheKey(turn, params, tools, 'chat', options)
  const several = decideFeature(turn, { model, platform, feature: 'several-heads' }) === 'supported'
  const leading = leadingTexts(head, marks, several).map(({ text, marked: isMarked }) => {
    const message = { role: systemRole(platform), content: text } as const
    return isMarked ? marked(message) : message
  })
  const warnings: LoweringWarning[] = [...breakpointsLeftOut(breakpoints, platform)]
  if (tally.tagged > 0 && updates !== 'supported') {
    warnings.push({ type: 'updates-tagged', reason: updates, count: tally.tagged })
  }
  const held = (turn.tools?.callable ?? []).filter((id) => tally.added.has(id))
  if (held.length > 0) warnings.push({ type: 'tools-held', reason: 'unsupported', ids: held })
  if (said.at(-1)?.role === 'assistant') warnings.push({ type: 'nothing-to-answer' })
  if (tally.blank > 0) warnings.push({ type: 'blank-text', count: tally.blank })
  return { body: toBody(params, key.body, marks, tools, [...leading, ...said]), headers: { ...key.headers }, warnings }
}

/** Keys in one order, whatever the caller's: the model, the settings by name, then the prefix as the provider reads it. */
function toBody<P extends OpenAIChatParams>(
  { model, tools: _tools, ...settings }: P,
  key: Readonly<Record<string, string>>,
  marks: MarkRules,
  tools: readonly unknown[] | undefined,
  messages: readonly ChatCompletionMessageParam[],
): OpenAIChatBody<P> {
  const mode =
    marks.mode === null ? {} : { prompt_cache_options: { ...settings.prompt_cache_options, mode: marks.mode } }
  return {
    model,
    ...orderedSettings({ ...settings, ...key, ...mode }),
    ...(tools !== undefined && tools.length > 0 && { tools }),
    messages,
  } as unknown as OpenAIChatBody<P>
}
