/** Responses as conversations in tests are written. */
import type { ResponseInputItem } from 'openai/resources/responses/responses'
import type { OpenAIPlatform } from '../../../src/cache/index.ts'
import { checkResponses } from '../../../src/emulator/openai/responses/check.ts'
import { responseStore } from '../../../src/emulator/openai/responses/store.ts'
import {
  openAIResponsesFormat,
  toOpenAIResponses,
  type OpenAIResponsesOptions,
} from '../../../src/wire/openai/index.ts'
import type { Dialect, Target } from '../wire-conversation.ts'

export const openAIResponsesDialect: Dialect<ResponseInputItem> = {
  name: 'openai-responses',
  format: openAIResponsesFormat,
  user: (content) => ({ role: 'user', content }),
  answer: (text, calls, thinking) => [
    ...(thinking === undefined
      ? []
      : [{ type: 'reasoning' as const, id: `rs_${text}`, summary: [], encrypted_content: thinking }]),
    {
      type: 'message',
      id: `msg_${text}`,
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text, annotations: [] }],
    },
    ...calls.map(({ id, name, input }) => ({
      type: 'function_call' as const,
      id: `fc_${id}`,
      call_id: id,
      name,
      arguments: JSON.stringify(input),
      status: 'completed' as const,
    })),
  ],
  results: (results) => results.map(({ id, text }) => ({ type: 'function_call_output', call_id: id, output: text })),
  tool: (name, description) => ({
    type: 'function',
    name,
    description,
    strict: false,
    parameters: { type: 'object', properties: { input: { type: 'string' } } },
  }),
  targets: [
    target('gpt-5.6-sol', 'openai'),
    target('gpt-6.1-sol', 'openai', { prompt_cache_options: { mode: 'explicit' } }),
    target('gpt-5.6-sol', 'openai', {}, { expectedTurns: 1 }),
    target('gpt-5.5', 'openai'),
    target('a-deployment', 'azure'),
    target('grok-4.7', 'xai'),
    target('qwen3.8-32b', 'self-hosted'),
  ],
}

const store = responseStore()

function target(
  model: string,
  platform: OpenAIPlatform,
  params: object = {},
  options: OpenAIResponsesOptions = {},
): Target<ResponseInputItem> {
  return {
    model,
    platform,
    lower: (turn) => toOpenAIResponses(turn, { model, ...params }, { ...options, platform }),
    check: (body) => {
      const refusal = checkResponses({ body: { ...body }, model, account: 'account' }, store)
      return refusal === null ? [] : [JSON.stringify(refusal.body)]
    },
    layout: { format: 'openai-responses', model },
  }
}
