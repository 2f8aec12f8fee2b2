/**
 * A turn as one request of `generateContent`, on the Developer API and on Vertex. Pure: what is sent depends on the turn and
 * the parameters alone, so within an epoch every request starts with the bytes of the one before it. Gemini has no place for
 * system text or tools in mid-conversation and no breakpoints, whatever the model: updates are tagged text, and tools that
 * were appended wait for the next epoch.
 */
import type { Content, FunctionDeclaration, Part, ToolListUnion } from '@google/genai'
import { geminiPlatforms } from '../../cache/capability-rule.ts'
import type { Tool, TurnView } from '../../session/types.ts'
import { RequestInvalidError } from '../errors.ts'
import { whyTagged } from '../features.ts'
import { orderedSettings, refuseEmpty, refuseOtherTools, refuseSupplied, refuseUnknown } from '../parameters.ts'
import { lowerTagged } from '../tagged-spans.ts'
import { systemTexts } from '../text.ts'
import { toolIds } from '../../session/tools.ts'
import { explainUpdateTag } from '../update-tag.ts'
import { modelContent, saysNothing, userContent } from './contents.ts'
import { googleFormat } from './format.ts'
import type { GoogleBody, GoogleOptions, GoogleParams, GoogleRequest } from './types.ts'

/**
 * Builds the request of a turn. `params` are the SDK's other parameters, passed on by reference. Throws `RequestInvalidError`
 * for a turn in which there is nothing to send, for parameters that hold what the turn supplies, and for an explicit cache.
 */
export function toGoogleContents(
  turn: TurnView<Content>,
  params: GoogleParams,
  { platform = 'gemini' }: GoogleOptions = {},
): GoogleRequest {
  const { model, config = {} } = params
  refuseUnknown({ platform }, { platform: geminiPlatforms })
  refuseSupplied(params, ['contents'])
  refuseSupplied(config, ['systemInstruction'])
  refuseOtherTools(turn, config.tools)
  refuseCache(config)
  const { messages, warnings } = lowerTagged(turn, dialect, whyTagged(turn, { model, platform }))
  if (messages.every(saysNothing)) refuseEmpty(turn.session)
  const { tools = turn.tools === null ? undefined : toolList(turn.tools.definitions), ...settings } = config
  // Keys in one order, whatever the caller's, and the prefix as the provider is taken to read it.
  const body: GoogleBody = {
    model,
    config: {
      ...orderedSettings(settings),
      systemInstruction: { parts: systemParts(turn) },
      ...(tools !== undefined && tools.length > 0 && { tools }),
    },
    contents: messages,
  }
  return { body, headers: {}, warnings }
}

const dialect = {
  isAnswer: ({ role }: Content) => role === 'model',
  toolId: toolIds(googleFormat),
  answer: (content: Content, _epoch: number, leftOut: Parameters<typeof modelContent>[1]) =>
    modelContent(content, leftOut),
  user: userContent,
}

function systemParts(turn: TurnView<Content>): Part[] {
  return systemTexts([turn.instructions, turn.baseline, explainUpdateTag(turn.nonce)])
    .filter((text) => text !== undefined)
    .map((text) => ({ text }))
}

/** All declarations in one tool, then the provider's own, each in the frozen order. */
function toolList(definitions: readonly Tool[]): ToolListUnion {
  const { functions = [], others = [] } = Object.groupBy(definitions, ({ name }) =>
    typeof name === 'string' ? 'functions' : 'others',
  )
  return [...(functions.length > 0 ? [{ functionDeclarations: functions as FunctionDeclaration[] }] : []), ...others]
}

/** "CachedContent can not be used with GenerateContent request setting system_instruction, tools or tool_config." */
function refuseCache(config: object): void {
  if ((config as { cachedContent?: unknown }).cachedContent === undefined) return
  throw new RequestInvalidError(
    'The config names an explicit cache in "cachedContent", which the API refuses beside the system text of a turn. ' +
      'Leave it out: the implicit cache reads what the requests of a session have in common.',
  )
}
