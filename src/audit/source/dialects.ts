/** What differs between the APIs in a request and its answer: names of the package and of the providers' own SDKs. */
import type { Api } from './types.ts'

/** What is another for each API. */
export interface Dialect {
  readonly entry: string
  readonly format: string
  readonly adapter: string
  /** The SDK's module, and its types of a message, a request and an answer. */
  readonly sdk: string
  readonly message: string
  readonly body: string
  readonly answer: string
  /** Parameters of the adapter, with the model's id as a literal. */
  readonly parameters: (model: string) => string
  /** Statements that record the answer. */
  readonly record: readonly string[]
  /** A function that sends the request. */
  readonly send: string
}

/** By API. */
export const dialects: Readonly<Record<Api, Dialect>> = {
  anthropic: {
    entry: 'indelible/anthropic',
    format: 'anthropicFormat',
    adapter: 'toAnthropicMessages',
    sdk: '@anthropic-ai/sdk/resources/messages',
    message: 'MessageParam',
    body: 'MessageCreateParamsNonStreaming',
    answer: 'Message',
    parameters: (model) => `{ model: ${model}, max_tokens: 4096 }`,
    record: [
      'const { role, content } = answer',
      'await turn.answer([{ role, content }], { usage: readUsage(answer) })',
    ],
    send: '(body, headers) => anthropic.messages.create(body, { headers })',
  },
  'openai-chat': {
    entry: 'indelible/openai',
    format: 'openAIChatFormat',
    adapter: 'toOpenAIChat',
    sdk: 'openai/resources/chat/completions',
    message: 'ChatCompletionMessageParam',
    body: 'ChatCompletionCreateParamsNonStreaming',
    answer: 'ChatCompletion',
    parameters: (model) => `{ model: ${model} }`,
    record: [
      'const message = answer.choices[0]?.message',
      "if (message === undefined) throw new Error('The answer has no message.')",
      'const { role, content, tool_calls: calls = [] } = message',
      'const usage = readUsage(answer)',
      'await turn.answer([{ role, content, ...(calls.length > 0 && { tool_calls: calls }) }], { usage })',
    ],
    send: '(body, headers) => openai.chat.completions.create(body, { headers })',
  },
  'openai-responses': {
    entry: 'indelible/openai',
    format: 'openAIResponsesFormat',
    adapter: 'toOpenAIResponses',
    sdk: 'openai/resources/responses/responses',
    message: 'ResponseInputItem',
    body: 'ResponseCreateParamsNonStreaming',
    answer: 'Response',
    parameters: (model) => `{ model: ${model}, store: false }`,
    record: ['await turn.answer(answer.output as ResponseInputItem[], { usage: readUsage(answer) })'],
    send: '(body, headers) => openai.responses.create(body, { headers })',
  },
  google: {
    entry: 'indelible/google',
    format: 'googleFormat',
    adapter: 'toGoogleContents',
    sdk: '@google/genai',
    message: 'Content',
    body: 'GenerateContentParameters',
    answer: 'GenerateContentResponse',
    parameters: (model) => `{ model: ${model} }`,
    record: [
      'const content = answer.candidates?.[0]?.content',
      "if (content === undefined) throw new Error('The answer has no content.')",
      'await turn.answer([content], { usage: readUsage(answer) })',
    ],
    send: '(body) => google.models.generateContent(body)',
  },
  bedrock: {
    entry: 'indelible/bedrock',
    format: 'bedrockFormat',
    adapter: 'toBedrockConverse',
    sdk: '@aws-sdk/client-bedrock-runtime',
    message: 'Message',
    body: 'ConverseCommandInput',
    answer: 'ConverseCommandOutput',
    parameters: (model) => `{ modelId: ${model} }`,
    record: [
      'const message = answer.output?.message',
      "if (message === undefined) throw new Error('The answer has no message.')",
      'await turn.answer([message], { usage: readUsage(answer) })',
    ],
    send: '(body) => bedrock.send(new ConverseCommand(body))',
  },
}
