/** OpenAI's Chat Completions. Updates are developer messages. */
import {
  openAIChatFormat,
  toOpenAIChat,
  type OpenAIChatBody,
  type OpenAIChatParams,
} from '../../../wire/openai/index.ts'
import { MAX_OUTPUT } from '../agent.ts'
import { startHttpService } from '../service.ts'
import { toolDefinitions } from '../tools.ts'
import { halvesOf, openWays, type Dialect } from '../ways.ts'
import { CACHE_KEY, connectOpenAI, openAI, type OpenAIApi } from './openai.ts'
import type { Provider } from './provider.ts'

type Body = OpenAIChatBody<OpenAIChatParams & { readonly stream?: false }>
type Message = Body['messages'][number]

const parameters: Omit<Body, 'messages' | 'stream'> = {
  model: openAI.model,
  max_completion_tokens: MAX_OUTPUT,
  prompt_cache_key: CACHE_KEY,
  tools: toolDefinitions.map(({ name, description, input }) => ({
    type: 'function',
    function: { name, description, parameters: input },
  })),
}

const dialect: Dialect<Message> = {
  format: openAIChatFormat,
  user: (content) => ({ role: 'user', content }),
  answer: (content, calls) => [
    {
      role: 'assistant',
      content,
      ...(calls.length > 0 && {
        tool_calls: calls.map(({ id, name, input }) => ({
          id,
          type: 'function' as const,
          function: { name, arguments: JSON.stringify(input) },
        })),
      }),
    },
  ],
  results: (answered) => answered.map(({ call, text }) => ({ role: 'tool', tool_call_id: call.id, content: text })),
  render: (system, messages) => ({ ...parameters, messages: [...halvesOf(system).map(marked), ...messages] }),
  lower: (turn) => toOpenAIChat(turn, parameters),
}

function marked(text: string): Message {
  return { role: 'developer', content: [{ type: 'text', text, prompt_cache_breakpoint: { mode: 'explicit' } }] }
}

export const chatApi: OpenAIApi = {
  path: 'chat/completions',
  create: (client, body, headers) => client.chat.completions.create(body as Body, { headers }),
}

export const openAIChat: Provider = {
  ...openAI,
  name: 'openai-chat',
  format: 'openai-chat',
  open: (options) => openWays(dialect, options),
  start: async (clock, countTokens) => startHttpService(await connectOpenAI(chatApi), clock, countTokens),
}
