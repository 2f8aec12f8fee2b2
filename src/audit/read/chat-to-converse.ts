/** Chat Completions as Bedrock Converse, by way of Messages: the two differ in the names of blocks only. */
import { field, has, list, textOf } from '../../cache/layout/peek.ts'
import type { ChatBody } from './chat-body.ts'
import { chatToAnthropic } from './chat-to-anthropic.ts'

/** The body of Converse. */
export function chatToConverse(chat: ChatBody): object {
  const body = chatToAnthropic(chat)
  const tools = list(field(body, 'tools'))
  return {
    modelId: chat['model'],
    ...(has(body, 'system') ? { system: list(field(body, 'system')).flatMap(blockOf) } : {}),
    messages: list(field(body, 'messages')).map((message) => ({
      role: textOf(message, 'role'),
      content: blocksOf(field(message, 'content')),
    })),
    ...(tools.length === 0 ? {} : { toolConfig: { tools: tools.map(toolOf) } }),
  }
}

function blocksOf(content: unknown): readonly unknown[] {
  return typeof content === 'string' ? [{ text: content }] : list(content).flatMap(blockOf)
}

/** A block, and behind it the point that stands for its cache mark. */
function blockOf(block: unknown): readonly unknown[] {
  const converted = convert(block)
  return has(block, 'cache_control') ? [converted, { cachePoint: { type: 'default' } }] : [converted]
}

function convert(block: unknown): unknown {
  switch (textOf(block, 'type')) {
    case 'text':
      return { text: textOf(block, 'text') }
    case 'tool_use':
      return { toolUse: { toolUseId: field(block, 'id'), name: field(block, 'name'), input: field(block, 'input') } }
    case 'tool_result':
      return { toolResult: { toolUseId: field(block, 'tool_use_id'), content: blocksOf(field(block, 'content')) } }
    case 'thinking':
      return { reasoningContent: { reasoningText: { text: textOf(block, 'thinking') } } }
    default:
      return { text: JSON.stringify(block) }
  }
}

function toolOf(tool: unknown): unknown {
  return {
    toolSpec: {
      name: field(tool, 'name'),
      description: field(tool, 'description'),
      inputSchema: { json: field(tool, 'input_schema') },
    },
  }
}
