/** Boundaries inside of the AI SDK's own loop: each step is a turn of a session whose history the SDK keeps. */
import type { LanguageModel, ModelMessage, SystemModelMessage } from 'ai'
import { readUsage, type Usage } from '../../cache/index.ts'
import type { HostSession, Turn } from '../../session/types.ts'
import type { LoweringWarning } from '../warnings.ts'
import { toAiSdkPrompt } from './to-ai-sdk-prompt.ts'
import type { AiSdkOptions, AiSdkPrompt } from './types.ts'

/** What a step of the SDK tells before its request, as far as it is read here. */
export interface StepInput {
  readonly model: LanguageModel
  /** What was said so far; from version 7 on it holds what was prepared for the steps before. */
  readonly messages: readonly ModelMessage[]
  /** From version 7 on, with `responseMessages`. */
  readonly initialMessages?: readonly ModelMessage[]
  readonly steps: readonly {
    readonly usage?: unknown
    readonly response: { readonly messages: readonly ModelMessage[] }
    readonly experimental_steeringMessages?: readonly ModelMessage[]
  }[]
  readonly responseMessages?: readonly ModelMessage[]
  readonly experimental_steeringMessages?: readonly ModelMessage[]
}

/** How the steps of a session are prepared. */
export interface PrepareStepOptions<H = unknown> extends AiSdkOptions {
  /** Handed to the session's sources. */
  readonly host?: H
  /** As in `session.turn()`: what becomes of a history that no longer extends what was answered. */
  readonly onRewrite?: 'throw' | 'epoch'
  /** Told of each turn, before its request is sent. */
  readonly onTurn?: (turn: Turn<ModelMessage>, warnings: readonly LoweringWarning[]) => void
}

/** What a step is sent with. Version 6 reads `system`, later ones `instructions`. */
export interface PreparedStep extends Pick<AiSdkPrompt, 'messages' | 'providerOptions'> {
  readonly instructions?: SystemModelMessage[]
  readonly system?: SystemModelMessage[]
}

/** For `prepareStep` of `generateText`, `streamText` and agents. */
export interface StepPreparer {
  (step: StepInput): Promise<PreparedStep>
  /** The turn of the newest step; `null` before the first. */
  readonly turn: Turn<ModelMessage> | null
  /**
   * Keeps the usage of the last step of a call, which the SDK tells to no later step: `(await result.finalStep).usage`. It is
   * stored at the next boundary, when the history holds the answer. Use one preparer for all calls of a conversation.
   */
  answered(usage: unknown): void
}

/**
 * Takes a boundary at each step and lowers the conversation again, from the messages of the step itself: what was prepared for
 * an earlier step, and is carried forward by the SDK, is not looked at. `instructions` of the call are replaced by the
 * session's. `activeTools` is never set, because it would take definitions out of the prefix. Call the SDK with
 * `allowSystemInMessages: true`: where a model takes updates as system messages, they stand among the messages.
 */
export function prepareStep<H = unknown>(
  session: HostSession<ModelMessage, H>,
  options: PrepareStepOptions<H> = {},
): StepPreparer {
  const { host, onRewrite, onTurn, ...lowering } = options
  let newest: Turn<ModelMessage> | null = null
  let final: Answered | undefined
  const prepare = async (step: StepInput): ReturnType<StepPreparer> => {
    const answered = step.steps.length > 0 ? answeredBy(newest, step.steps.at(-1)?.usage) : final
    const turn = await session.turn({
      history: historyOf(step),
      ...(answered && { answered }),
      ...(host !== undefined && { host }),
      ...(onRewrite !== undefined && { onRewrite }),
    })
    newest = turn
    final = undefined
    const { instructions, messages, providerOptions, warnings } = toAiSdkPrompt(turn, step.model, lowering)
    onTurn?.(turn, warnings)
    return { [step.initialMessages ? 'instructions' : 'system']: instructions, messages, providerOptions }
  }
  const keep = (usage: unknown): void => {
    final = answeredBy(newest, usage)
  }
  return Object.defineProperties(prepare, {
    turn: { get: () => newest, enumerable: true },
    answered: { value: keep, enumerable: true },
  }) as StepPreparer
}

interface Answered {
  readonly revision: number
  readonly usage: Usage
}

/** A turn, with what the provider reported for it. */
function answeredBy(turn: Turn<ModelMessage> | null, usage: unknown): Answered | undefined {
  if (turn === null || usage === undefined || usage === null) return undefined
  return { revision: turn.revision, usage: readUsage(usage) }
}

/** What was said so far: before the first step, and in each of them. */
function historyOf(step: StepInput): readonly ModelMessage[] {
  const { messages, initialMessages, steps, responseMessages = [], experimental_steeringMessages } = step
  if (initialMessages === undefined) return messages
  const inSteps = steps.flatMap((one) => [...(one.experimental_steeringMessages ?? []), ...one.response.messages])
  // Answers to approvals come before the first step.
  const before = responseMessages.slice(0, responseMessages.length - countOf(steps))
  return [...initialMessages, ...before, ...inSteps, ...(experimental_steeringMessages ?? [])]
}

function countOf(steps: StepInput['steps']): number {
  return steps.reduce((count, { response }) => count + response.messages.length, 0)
}
