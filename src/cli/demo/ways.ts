/**
 * Three ways to build the requests of one conversation. All of them are told what is said and answered; they differ in
 * what becomes of the context when it changes. Each marks every place that a later request could read from, so that none
 * pays for more than it must.
 */
import type { EpochStart, Update } from '../../context/index.ts'
import { escapeSystemPromptBoundary, joinSystemPrompt } from '../../prompt/index.ts'
import type { Session, Turn } from '../../session/index.ts'
import { toAnthropicMessages, toAnthropicSystem } from '../../wire/anthropic/index.ts'
import { INSTRUCTIONS, PARAMETERS } from './agent.ts'
import type { Body, Message, SystemBlock } from './message.ts'

export type WayName = 'anew' | 'split' | 'epochs'

export interface Way {
  readonly name: WayName
  /** The user says something. */
  submit(message: Message): Promise<unknown>
  /** A tool call has its result. */
  append(message: Message): Promise<unknown>
  /** Builds the next request. `now` is the context as it is at this moment, rendered whole. */
  request(now: EpochStart): Promise<WayRequest>
  /** The model has answered it. */
  answer(message: Message): Promise<unknown>
}

export interface WayRequest {
  readonly body: Body
  /** Besides those that every request has. */
  readonly headers: Readonly<Record<string, string>>
  /** What the model is told by appending, if this way does so. */
  readonly update: Update | null
}

/** The whole context is rendered into one system prompt, each time. */
export function anew(): Way {
  return rendered('anew', (baseline) => [{ type: 'text', text: `${INSTRUCTIONS}\n\n${baseline}` }])
}

/** The same, divided at the boundary: the instructions keep a block of their own. */
export function split(): Way {
  return rendered('split', (baseline) =>
    toAnthropicSystem(joinSystemPrompt(INSTRUCTIONS, escapeSystemPromptBoundary(baseline))),
  )
}

const MARK = { type: 'ephemeral' } as const

function rendered(name: WayName, toSystem: (baseline: string) => readonly SystemBlock[]): Way {
  const messages: Message[] = []
  const add = async (message: Message): Promise<void> => void messages.push(message)
  const tools = markLast(PARAMETERS.tools ?? [])
  return {
    name,
    submit: add,
    append: add,
    answer: add,
    async request({ baseline }) {
      const system = markLast(toSystem(baseline))
      // The mark of the whole request is the provider's to place: on the last block of the conversation.
      const body = { ...PARAMETERS, cache_control: MARK, tools, system, messages: [...messages] }
      return { body, headers: {}, update: null }
    },
  }
}

function markLast<Block extends object>(blocks: readonly Block[]): Block[] {
  return blocks.map((block, index) => (index === blocks.length - 1 ? { ...block, cache_control: MARK } : block))
}

/** The context is rendered once; what changes is appended. The session keeps the conversation, and reads the sources itself. */
export function epochs(session: Session<Message>): Way {
  let turn: Turn<Message>
  return {
    name: 'epochs',
    submit: (message) => session.submit(message),
    append: (message) => session.append([message]),
    answer: (message) => turn.answer([message]),
    async request() {
      turn = await session.turn()
      const { body, headers } = toAnthropicMessages(turn, PARAMETERS)
      return { body, headers, update: turn.update }
    },
  }
}
