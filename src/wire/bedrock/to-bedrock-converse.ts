/**
 * A turn as one request of Bedrock's Converse API. Pure: what is sent depends on the turn, the model and the rules that stood
 * when the epoch began, so within an epoch every request starts with the blocks of the one before it; breakpoints move, and do
 * not count as content. Models refuse the role `system` among the messages, so updates are tagged text, and tools that were
 * appended wait for the next epoch.
 */
import type { Message, Tool as BedrockTool, ToolConfiguration } from '@aws-sdk/client-bedrock-runtime'
import type { Tool, TurnView } from '../../session/types.ts'
import { bindsThinking, decideFeature, whyTagged } from '../features.ts'
import { orderedSettings, refuseEmpty, refuseOtherTools, refuseSupplied } from '../parameters.ts'
import { lowerTagged } from '../tagged-spans.ts'
import { systemTexts } from '../text.ts'
import { toolIds } from '../../session/tools.ts'
import { explainUpdateTag } from '../update-tag.ts'
import { withBreakpoints, withoutBreakpoints } from './breakpoints.ts'
import { bedrockFormat } from './format.ts'
import { alternating, assistantMessage, saysNothing, userMessage } from './messages.ts'
import type { BedrockBody, BedrockOptions, BedrockParams, BedrockRequest } from './types.ts'

const platform = 'bedrock-converse'

/**
 * Builds the request of a turn. `params` are the SDK's other parameters, passed on by reference. Throws `RequestInvalidError`
 * for a turn in which there is nothing to send, and for parameters that hold what the turn supplies.
 */
export function toBedrockConverse(
  turn: TurnView<Message>,
  params: BedrockParams,
  options: BedrockOptions = {},
): BedrockRequest {
  refuseSupplied(params, ['messages', 'system'])
  refuseOtherTools(turn, params.toolConfig?.tools)
  const { modelId, toolConfig: callers, ...settings } = params
  const model = modelId ?? ''
  const thinkingFrom = bindsThinking(turn, { model, platform }) ? turn.epoch : 0
  const lowered = lowerTagged(
    turn,
    {
      isAnswer,
      toolId: toolIds(bedrockFormat),
      answer: (message, epoch, leftOut) => assistantMessage(message, epoch >= thinkingFrom, leftOut),
      user: userMessage,
      arrange: alternating,
    },
    whyTagged(turn, { model, platform: 'bedrock-converse' }),
  )
  if (lowered.messages.every(saysNothing)) refuseEmpty(turn.session)
  const toolConfig = toToolConfig(turn.tools?.definitions, callers)
  const markable = {
    tools: toolConfig?.tools ?? [],
    system: systemTexts([turn.instructions, turn.baseline, explainUpdateTag(turn.nonce)]),
    messages: lowered.messages,
    answered: answeredCount(turn, lowered.messages),
  }
  const marks = decideFeature(turn, { model, platform, feature: 'breakpoints', override: options.breakpoints })
  const { system, messages, warnings } =
    marks === 'supported' ? withBreakpoints(markable, model, options) : withoutBreakpoints(markable, marks)
  // Keys in one order, whatever the caller's: the model, the settings by name, then the prefix as the provider reads it.
  const body: BedrockBody = {
    modelId,
    ...orderedSettings(settings),
    ...(toolConfig !== undefined && { toolConfig }),
    system,
    messages,
  }
  return { body, headers: {}, warnings: [...lowered.warnings, ...warnings] }
}

function isAnswer({ role }: Message): boolean {
  return role === 'assistant'
}

/** How many messages the last answered request had; 0 where the last answer came before this epoch, with another prefix. */
function answeredCount(turn: TurnView<Message>, messages: readonly Message[]): number {
  const last = turn.entries.findLast((entry) => entry.type === 'message' && isAnswer(entry.message))
  return last?.epoch === turn.epoch ? messages.findLastIndex(isAnswer) : 0
}

/** The session's tools with the caller's choice, or all that is the caller's. */
function toToolConfig(
  definitions: readonly Tool[] | undefined,
  callers: BedrockParams['toolConfig'],
): ToolConfiguration | undefined {
  if (definitions === undefined) return callers as ToolConfiguration | undefined
  const tools = definitions.length > 0 ? (definitions as unknown as BedrockTool[]) : [noTool]
  return { tools, ...(callers?.toolChoice !== undefined && { toolChoice: callers.toolChoice }) }
}

/**
 * "The toolConfig field must be defined when using toolUse and toolResult content blocks"
 * (https://github.com/vxcontrol/pentagi/pull/196), and it may not be empty. A conversation that can have tools has them in its
 * past or may get them, so an epoch without any has one in their place throughout.
 */
const noTool: BedrockTool = {
  toolSpec: {
    name: 'no_tool_available',
    description: 'Stands where there is no tool at the moment. Never call it.',
    inputSchema: { json: { type: 'object', properties: {} } },
  },
}
