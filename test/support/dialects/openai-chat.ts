/** Chat Completions as conversations in tests are written. */
import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions'
import { checkChat } from '../../../src/emulator/openai/chat/check.ts'
import type { OpenAIPlatform } from '../../../src/cache/index.ts'
import { openAIChatFormat, toOpenAIChat, type OpenAIOptions } from '../../../src/wire/openai/index.ts'
import type { Dialect, Target } from '../wire-conversation.ts'

export const openAIChatDialect: Dialect<ChatCompletionMessageParam> = {
  name: 'openai-chat',
  format: openAIChatFormat,
  user: (content) => ({ role: 'user', content }),
  answer: (content, calls) => [
    {
      role: 'assistant',
      content,
      refusal: null,
      ...(calls.length > 0 && {
        tool_calls: calls.map(({ id, name, input }) => ({
          id,
          type: 'function' as const,
          function: { name, arguments: JSON.stringify(input) },
        })),
      }),
    },
  ],
  results: (results) => results.map(({ id, text }) => ({ role: 'tool', tool_call_id: id, content: text })),
  tool: (name, description) => ({
    type: 'function',
    function: { name, description, parameters: { type: 'object', properties: { input: { type: 'string' } } } },
  }),
  targets: [
    target('gpt-5.6-sol', 'openai'),
    target('gpt-5.6-sol', 'openai', { prompt_cache_options: { mode: 'explicit' } }),
    target('gpt-5.6-sol', 'openai', {}, { expectedTurns: 1 }),
    target('gpt-5.5', 'azure'),
    target('deepseek-flash', 'deepseek'),
    target('mistral-medium-3.5', 'mistral'),
    target('grok-4.7', 'xai'),
  ],
}

function target(
  model: string,
  platform: OpenAIPlatform,
  params: object = {},
  options: OpenAIOptions = {},
): Target<ChatCompletionMessageParam> {
  return {
    model,
    platform,
    lower: (turn) => toOpenAIChat(turn, { model, ...params }, { ...options, platform }),
    check: (body) => [...problems(body, model), ...(platform === 'mistral' ? userAfterTool(body) : [])],
    layout: { format: 'openai-chat', model },
  }
}

function problems(body: object, model: string): readonly string[] {
  const refusal = checkChat({ body: { ...body }, model })
  return refusal === null ? [] : [JSON.stringify(refusal.body)]
}

/** "Unexpected role 'user' after role 'tool'." */
function userAfterTool(body: object): readonly string[] {
  const { messages } = body as { messages: readonly ChatCompletionMessageParam[] }
  return messages.flatMap(({ role }, index) =>
    role === 'user' && messages[index - 1]?.role === 'tool' ? [`user after tool at ${index}`] : [],
  )
}
