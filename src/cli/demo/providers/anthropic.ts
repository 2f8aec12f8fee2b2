/** Anthropic's Messages API. The model takes updates as system messages, and caches what is as short as the tools and instructions here. */
import {
  anthropicFormat,
  toAnthropicMessages,
  toAnthropicSystem,
  type AnthropicBody,
  type AnthropicParams,
} from '../../../wire/anthropic/index.ts'
import { MAX_OUTPUT } from '../agent.ts'
import { fetchClient, importInstalled, sdkClient, type Client, type Connect } from '../client.ts'
import { startHttpService } from '../service.ts'
import { toolDefinitions, type AnsweredCall } from '../tools.ts'
import { openWays, type Dialect } from '../ways.ts'
import { MARKS, ROUND, type Provider } from './provider.ts'

/** It asks for a whole answer, not for a stream. */
type Body = AnthropicBody<AnthropicParams & { readonly stream?: false }>
type Message = Body['messages'][number]

const parameters: Omit<Body, 'system' | 'messages' | 'stream'> = {
  model: 'claude-opus-5',
  max_tokens: MAX_OUTPUT,
  tools: toolDefinitions.map(({ name, description, input }) => ({ name, description, input_schema: input })),
}

const MARK = { type: 'ephemeral' } as const

const dialect: Dialect<Message> = {
  format: anthropicFormat,
  user: (content) => ({ role: 'user', content }),
  answer: (text, calls) => [
    {
      role: 'assistant',
      content:
        calls.length === 0
          ? text
          : [{ type: 'text', text }, ...calls.map((call) => ({ type: 'tool_use' as const, ...call }))],
    },
  ],
  results: (answered) => [{ role: 'user', content: answered.map(toResult) }],
  render: (system, messages) => ({
    ...parameters,
    // The mark of the whole request is the provider's to place: on the last block of the conversation.
    cache_control: MARK,
    tools: markLast(parameters.tools ?? []),
    system: markLast(toAnthropicSystem(system)),
    messages,
  }),
  lower: (turn) => toAnthropicMessages(turn, parameters),
}

function toResult({ call, text, failed }: AnsweredCall) {
  return { type: 'tool_result' as const, tool_use_id: call.id, content: text, ...(failed && { is_error: true }) }
}

function markLast<Block extends object>(blocks: readonly Block[]): Block[] {
  return blocks.map((block, index) => (index === blocks.length - 1 ? { ...block, cache_control: MARK } : block))
}

type Sdk = typeof import('@anthropic-ai/sdk')

async function connect(): Promise<Connect> {
  const sdk = await importInstalled(() => import('@anthropic-ai/sdk'))
  return sdk === undefined ? bareAnthropicClient : (url) => anthropicClient(sdk, url)
}

/** By the SDK. */
export function anthropicClient({ default: Anthropic }: Sdk, url: string): Client {
  const options = { baseURL: url, authToken: null, maxRetries: 0, logLevel: 'off' } as const
  return sdkClient(
    '@anthropic-ai/sdk',
    (apiKey) => new Anthropic({ ...options, apiKey }),
    (client, body, headers) => client.messages.create(body as Body, { headers }),
  )
}

/** By `fetch`. */
export function bareAnthropicClient(url: string): Client {
  return fetchClient((body, key) => ({
    url: `${url}/v1/messages`,
    headers: { 'anthropic-version': '2023-06-01', 'x-api-key': key },
    body,
  }))
}

export const anthropic: Provider = {
  name: 'anthropic',
  model: parameters.model,
  format: 'anthropic',
  simulator: 'anthropic',
  usage: 'anthropic',
  writes: ['write5m', 'write1h'],
  caching: MARKS,
  turns: ROUND,
  callPrefix: 'toolu_',
  open: (options) => openWays(dialect, options),
  start: async (clock, countTokens) => startHttpService(await connect(), clock, countTokens),
}
