/** OpenAI's Responses. Every request is sent whole: none goes on from an earlier response. Updates are developer messages. */
import {
  openAIResponsesFormat,
  toOpenAIResponses,
  type OpenAIResponsesBody,
  type OpenAIResponsesParams,
} from '../../../wire/openai/index.ts'
import { MAX_OUTPUT } from '../agent.ts'
import { startHttpService } from '../service.ts'
import { toolDefinitions } from '../tools.ts'
import { halvesOf, openWays, type Dialect } from '../ways.ts'
import { CACHE_KEY, connectOpenAI, openAI, type OpenAIApi } from './openai.ts'
import type { Provider } from './provider.ts'

type Body = OpenAIResponsesBody<OpenAIResponsesParams & { readonly stream?: false }>
type Item = Body['input'][number]

const parameters: OpenAIResponsesParams & { readonly stream?: false } = {
  model: openAI.model,
  max_output_tokens: MAX_OUTPUT,
  prompt_cache_key: CACHE_KEY,
  store: false,
  tools: toolDefinitions.map(({ name, description, input }) => ({
    type: 'function',
    name,
    description,
    parameters: input,
    strict: true,
  })),
}

const dialect: Dialect<Item> = {
  format: openAIResponsesFormat,
  user: (content) => ({ role: 'user', content }),
  answer: (text, calls) => [
    { role: 'assistant', content: text },
    ...calls.map(({ id, name, input }) => ({
      type: 'function_call' as const,
      call_id: id,
      name,
      arguments: JSON.stringify(input),
    })),
  ],
  results: (answered) =>
    answered.map(({ call, text }) => ({ type: 'function_call_output', call_id: call.id, output: text })),
  render: (system, items) => ({ ...parameters, input: [...halvesOf(system).map(marked), ...items] }),
  lower: (turn) => toOpenAIResponses(turn, parameters),
}

function marked(text: string): Item {
  return { role: 'developer', content: [{ type: 'input_text', text, prompt_cache_breakpoint: { mode: 'explicit' } }] }
}

export const responsesApi: OpenAIApi = {
  path: 'responses',
  create: (client, body, headers) => client.responses.create(body as Body, { headers }),
}

export const openAIResponses: Provider = {
  ...openAI,
  name: 'openai-responses',
  format: 'openai-responses',
  open: (options) => openWays(dialect, options),
  start: async (clock, countTokens) => startHttpService(await connectOpenAI(responsesApi), clock, countTokens),
}
