/**
 * Messages of a pi session in the shape of the API that they were sent to: Anthropic Messages for Claude, Chat Completions
 * for all others. Each message is made once per shape, so that the requests of a session share them.
 */
import { field, list, textOf } from '../../../cache/layout/peek.ts'
import { fields } from '../../../cache/usage/fields.ts'

/** The shape of a body. */
export type Shape = 'anthropic' | 'chat'

/** A message of pi: one of its own roles, and what belongs to it. */
export class PiMessage {
  readonly #message: unknown
  readonly #made = new Map<Shape, object>()

  constructor(message: unknown) {
    this.#message = message
  }

  /** As it is sent. */
  as(shape: Shape): object {
    const made = this.#made.get(shape) ?? (shape === 'chat' ? toChat(this.#message) : toAnthropic(this.#message))
    this.#made.set(shape, made)
    return made
  }
}

/** True for what is sent to a model at all: an answer that failed before it began is not, nor a command kept private. */
export function isSent(message: unknown): boolean {
  const role = textOf(message, 'role')
  if (role === 'assistant') return list(field(message, 'content')).length > 0
  return role !== '' && field(message, 'excludeFromContext') !== true
}

/** A summary in the place of what it sums up, as the client words it. */
export function summaryMessage(summary: unknown): object {
  const text = typeof summary === 'string' ? summary : ''
  return { role: 'user', content: `The conversation before this point was compacted into this summary:\n\n${text}` }
}

function toAnthropic(message: unknown): object {
  const content = field(message, 'content')
  switch (textOf(message, 'role')) {
    case 'assistant':
      return { role: 'assistant', content: list(content).map(anthropicBlock) }
    case 'toolResult': {
      const isError = field(message, 'isError') === true ? { is_error: true } : {}
      const id = field(message, 'toolCallId')
      const result = { type: 'tool_result', tool_use_id: id, content: list(content).map(anthropicBlock), ...isError }
      return { role: 'user', content: [result] }
    }
    default:
      return { role: 'user', content: typeof content === 'string' ? content : userBlocks(message).map(anthropicBlock) }
  }
}

function anthropicBlock(block: unknown): unknown {
  switch (textOf(block, 'type')) {
    case 'toolCall':
      return {
        type: 'tool_use',
        id: field(block, 'id'),
        name: field(block, 'name'),
        input: field(block, 'arguments') ?? {},
      }
    case 'thinking':
      return { type: 'thinking', thinking: textOf(block, 'thinking'), signature: textOf(block, 'thinkingSignature') }
    case 'image': {
      const source = { type: 'base64', media_type: field(block, 'mimeType'), data: field(block, 'data') }
      return { type: 'image', source }
    }
    case 'text':
      return { type: 'text', text: textOf(block, 'text') }
    default:
      return { type: 'text', text: JSON.stringify(Object.keys(fields(block) ?? {})) }
  }
}

function toChat(message: unknown): object {
  const content = field(message, 'content')
  switch (textOf(message, 'role')) {
    case 'assistant': {
      const calls = list(content)
        .filter((block) => textOf(block, 'type') === 'toolCall')
        .map((block) => ({ id: field(block, 'id'), type: 'function', function: callOf(block) }))
      return { role: 'assistant', content: textIn(content), ...(calls.length === 0 ? {} : { tool_calls: calls }) }
    }
    case 'toolResult':
      return { role: 'tool', tool_call_id: field(message, 'toolCallId'), content: textIn(content) }
    default:
      return { role: 'user', content: typeof content === 'string' ? content : userBlocks(message).map(chatPart) }
  }
}

function callOf(block: unknown): object {
  return { name: field(block, 'name'), arguments: JSON.stringify(field(block, 'arguments') ?? {}) }
}

function chatPart(block: unknown): unknown {
  if (textOf(block, 'type') !== 'image') return { type: 'text', text: textOf(block, 'text') }
  return { type: 'image_url', image_url: { url: `data:${textOf(block, 'mimeType')};base64,${textOf(block, 'data')}` } }
}

function textIn(content: unknown): string {
  if (typeof content === 'string') return content
  return list(content)
    .map((block) => textOf(block, 'text'))
    .filter((text) => text !== '')
    .join('\n')
}

/** Commands that the user ran are told to the model with what they printed. */
function userBlocks(message: unknown): readonly unknown[] {
  if (textOf(message, 'role') !== 'bashExecution') return list(field(message, 'content'))
  const { command, output } = { command: textOf(message, 'command'), output: textOf(message, 'output') }
  return [{ type: 'text', text: `Ran \`${command}\`\n\`\`\`\n${output}\n\`\`\`` }]
}
