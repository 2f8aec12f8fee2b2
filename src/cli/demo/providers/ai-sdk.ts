/**
 * The AI SDK, with its provider for Anthropic: what is compared and billed is the body that the SDK makes of a prompt. Nothing
 * but the SDK can make it, so both packages must be installed.
 */
import type { ModelMessage, SystemModelMessage, ToolSet } from 'ai'
import { aiSdkFormat, toAiSdkPrompt } from '../../../wire/ai-sdk/index.ts'
import { CommandError } from '../../errors.ts'
import { MAX_OUTPUT } from '../agent.ts'
import { importInstalled, sdkClient, type Client, type Connect } from '../client.ts'
import { startHttpService } from '../service.ts'
import { toolDefinitions, type AnsweredCall } from '../tools.ts'
import { halvesOf, openWays, type Dialect } from '../ways.ts'
import { MARKS, ROUND, type Provider } from './provider.ts'

/** What `generateText` is given, but for what are objects of the SDK: the model and the tools. */
export interface AiSdkBody {
  readonly instructions: SystemModelMessage[]
  readonly messages: ModelMessage[]
  readonly markTools: boolean
}

const model = 'claude-opus-5'

const MARK = { providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' as const } } } }

const dialect: Dialect<ModelMessage> = {
  format: aiSdkFormat,
  user: (content) => ({ role: 'user', content }),
  answer: (text, calls) => [
    {
      role: 'assistant',
      content: [
        { type: 'text', text },
        ...calls.map(({ id, name, input }) => ({ type: 'tool-call' as const, toolCallId: id, toolName: name, input })),
      ],
    },
  ],
  results: (answered) => [{ role: 'tool', content: answered.map(toResult) }],
  render(system, messages): AiSdkBody {
    const instructions = halvesOf(system).map((content) => ({ role: 'system' as const, content, ...MARK }))
    return { instructions, messages: markLast(messages), markTools: true }
  },
  lower(turn) {
    const { instructions, messages } = toAiSdkPrompt(turn, `anthropic/${model}`)
    const body: AiSdkBody = { instructions, messages, markTools: false }
    return { body, headers: {} }
  },
}

function markLast<Item extends object>(items: readonly Item[]): Item[] {
  return items.map((item, index) => (index === items.length - 1 ? { ...item, ...MARK } : item))
}

function toResult({ call, text, failed }: AnsweredCall) {
  const type = failed ? ('error-text' as const) : ('text' as const)
  return { type: 'tool-result' as const, toolCallId: call.id, toolName: call.name, output: { type, value: text } }
}

/** The packages that make and send a request. */
interface Sdk {
  readonly ai: typeof import('ai')
  readonly provider: typeof import('@ai-sdk/anthropic')
}

async function connect(): Promise<Connect> {
  const ai = await importInstalled(() => import('ai'))
  const provider = await importInstalled(() => import('@ai-sdk/anthropic'))
  if (ai === undefined || provider === undefined) {
    throw new CommandError('The demo with ai-sdk needs the SDK itself. Install it: npm install ai @ai-sdk/anthropic')
  }
  return (url) => aiSdkClient({ ai, provider }, url)
}

/** By `generateText`, one step at a time. */
export function aiSdkClient({ ai, provider }: Sdk, url: string): Client {
  return sdkClient(
    'ai, @ai-sdk/anthropic',
    (apiKey) => provider.createAnthropic({ baseURL: `${url}/v1`, apiKey }),
    async (anthropic, body, headers) => {
      const { instructions, messages, markTools } = body as AiSdkBody
      const request = ai.generateText({
        model: anthropic(model),
        maxOutputTokens: MAX_OUTPUT,
        maxRetries: 0,
        tools: toolsOf(ai, markTools),
        // The option for instructions has another name in older releases. Ahead of the messages, all take them.
        messages: [...instructions, ...messages],
        allowSystemInMessages: true,
        headers: { ...headers },
      })
      const { usage } = await request.catch((error: unknown) => {
        throw ai.APICallError.isInstance(error)
          ? new Error(`${error.statusCode} ${error.responseBody}`, { cause: error })
          : error
      })
      return { usage }
    },
  )
}

/** Without a function to execute them, so that a step ends with its calls. */
function toolsOf({ jsonSchema, tool }: Sdk['ai'], marked: boolean): ToolSet {
  const tools = toolDefinitions.map(({ description, input }) => tool({ description, inputSchema: jsonSchema(input) }))
  const names = toolDefinitions.map(({ name }) => name)
  return Object.fromEntries((marked ? markLast(tools) : tools).map((one, index) => [names[index], one])) as ToolSet
}

export const aiSdk: Provider = {
  name: 'ai-sdk',
  model,
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
