/**
 * Three formats have a list called `messages`, and a body may use little of what tells them apart. The signs are asked
 * from the surest to the weakest: what only one format has at the top, how tools are written, what stands in messages,
 * and the model's name last. A bare conversation without a model could be either of two, and is neither.
 */
import type { Fields } from './expect.ts'
import { field, has, list, textOf } from './peek.ts'

/** The formats whose conversation is a list called `messages`. */
export type MessagesDialect = 'anthropic' | 'openai-chat' | 'bedrock-converse'

/** Which of them a body is; undefined for none of them and for one that may be several. */
export function messagesDialect(body: Fields): MessagesDialect | undefined {
  if (!Array.isArray(body['messages'])) return undefined
  return byTop(body) ?? byTools(body) ?? byMessages(body, list(body['messages'])) ?? byParameters(body) ?? byModel(body)
}

const converseTop = ['toolConfig', 'inferenceConfig', 'additionalModelRequestFields', 'modelId']

function byTop(body: Fields): MessagesDialect | undefined {
  if (converseTop.some((name) => has(body, name))) return 'bedrock-converse'
  if (has(body, 'anthropic_version')) return 'anthropic'
  const system = body['system']
  if (system === undefined || system === null) return undefined
  return list(system).some((block) => isConverseBlock(body, block)) ? 'bedrock-converse' : 'anthropic'
}

function byTools(body: Fields): MessagesDialect | undefined {
  if (has(body, 'functions')) return 'openai-chat'
  for (const tool of list(body['tools'])) {
    if (has(tool, 'function') || has(tool, 'custom')) return 'openai-chat'
    // Tools that Anthropic defines itself end in the date of their version.
    if (has(tool, 'input_schema') || /_\d{8}$/.test(textOf(tool, 'type'))) return 'anthropic'
  }
  return undefined
}

const chatRoles = new Set(['developer', 'tool', 'function'])
const chatParts = new Set(['image_url', 'input_audio', 'file', 'refusal'])
const anthropicBlocks = new Set([
  'tool_use',
  'tool_result',
  'thinking',
  'redacted_thinking',
  'image',
  'document',
  'search_result',
  'server_tool_use',
  'compaction',
])

function byMessages(body: Fields, messages: readonly unknown[]): MessagesDialect | undefined {
  // Claude refuses a system message at the head.
  if (textOf(messages[0], 'role') === 'system') return 'openai-chat'
  for (const message of messages) {
    if (chatRoles.has(textOf(message, 'role')) || has(message, 'tool_calls')) return 'openai-chat'
    for (const block of list(field(message, 'content'))) {
      if (isConverseBlock(body, block)) return 'bedrock-converse'
      const type = textOf(block, 'type')
      if (chatParts.has(type) || has(block, 'prompt_cache_breakpoint')) return 'openai-chat'
      if (anthropicBlocks.has(type)) return 'anthropic'
    }
  }
  return undefined
}

const chatParameters = [
  'max_completion_tokens',
  'response_format',
  'reasoning_effort',
  'parallel_tool_calls',
  'stream_options',
  'prompt_cache_key',
  'prompt_cache_options',
  'prompt_cache_retention',
  'frequency_penalty',
  'presence_penalty',
  'logprobs',
  'stop',
  'n',
]
const anthropicParameters = ['output_config', 'stop_sequences', 'mcp_servers', 'context_management', 'diagnostics']

function byParameters(body: Fields): MessagesDialect | undefined {
  if (chatParameters.some((name) => has(body, name))) return 'openai-chat'
  // GLM and DeepSeek switch thinking on by the same name in Chat, without a budget.
  const adaptive = textOf(body['thinking'], 'type') === 'adaptive'
  if (adaptive || has(body['thinking'], 'budget_tokens')) return 'anthropic'
  return anthropicParameters.some((name) => has(body, name)) ? 'anthropic' : undefined
}

/** Gateways name Claude behind a slash (`anthropic/claude-...`), and speak Chat. */
function byModel(body: Fields): MessagesDialect | undefined {
  const model = body['model']
  if (typeof model === 'string') {
    return /^(?:[^/]*\.)?claude-/.test(model) ? 'anthropic' : 'openai-chat'
  }
  // Bodies for a URL that names the model: only one of these formats has marks by this name there.
  const marked = list(body['messages']).some((message) =>
    list(field(message, 'content')).some((block) => has(block, 'cache_control')),
  )
  return marked || has(body, 'cache_control') || has(body, 'thinking') ? 'anthropic' : undefined
}

const converseBlocks = ['text', 'toolUse', 'toolResult', 'cachePoint', 'image', 'document', 'reasoningContent']

/** Converse tells blocks apart by their one key, and names the limit of the answer elsewhere than the others. */
function isConverseBlock(body: Fields, block: unknown): boolean {
  return !has(block, 'type') && !has(body, 'max_tokens') && converseBlocks.some((name) => has(block, name))
}
