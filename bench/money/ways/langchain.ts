/**
 * LangChain's agent with `anthropicPromptCachingMiddleware`, set as its reference shows for a long system prompt: from the first
 * message on. Its other lifetime, an hour, would cost more: no pause here is longer than five minutes. A prompt that changes
 * comes from `dynamicSystemPromptMiddleware`. The loop of tools is the agent's own.
 */
import { ChatAnthropic } from '@langchain/anthropic'
import {
  anthropicPromptCachingMiddleware,
  createAgent,
  dynamicSystemPromptMiddleware,
  SystemMessage,
  tool,
  type AgentMiddleware,
  type BaseMessage,
} from 'langchain'
import { toolDefinitions, type ToolInput } from '../tools.ts'
import { MAX_OUTPUT, MODEL, type Way } from '../way.ts'
import { INSTRUCTIONS, type World } from '../world.ts'

/** Its options have types that compile only without `exactOptionalPropertyTypes`. */
const createCaching = anthropicPromptCachingMiddleware as unknown as (options: {
  readonly ttl: '5m' | '1h'
  readonly minMessagesToCache: number
}) => AgentMiddleware

const caching = (): AgentMiddleware => createCaching({ ttl: '5m', minMessagesToCache: 1 })

/** The prompt is written anew for each call of the model. */
export const langChain: Way = wayOf('LangChain, caching middleware', (world) => ({
  middleware: [dynamicSystemPromptMiddleware(() => promptOf(world)), caching()],
}))

/** What never changes is a marked block, as the reference of `createAgent` shows for `systemPrompt`; what changes comes behind it. */
export const langChainParts: Way = wayOf('LangChain, caching middleware, marked block', (world) => ({
  systemPrompt: new SystemMessage({
    content: [{ type: 'text', text: INSTRUCTIONS, cache_control: { type: 'ephemeral' } }],
  }),
  middleware: [
    dynamicSystemPromptMiddleware(() => new SystemMessage({ content: [{ type: 'text', text: world.environment() }] })),
    caching(),
  ],
}))

/** The prompt as it was at the first call. */
export const langChainFrozen: Way = wayOf('LangChain, prompt frozen by hand', (world) => ({
  systemPrompt: promptOf(world),
  middleware: [caching()],
}))

type Settings = Pick<NonNullable<Parameters<typeof createAgent>[0]>, 'systemPrompt' | 'middleware'>

function wayOf(name: string, settingsOf: (world: World) => Settings): Way {
  return {
    name,
    kind: 'rival',
    open({ url, apiKey, world }) {
      const model = new ChatAnthropic({
        model: MODEL,
        maxTokens: MAX_OUTPUT,
        apiKey,
        anthropicApiUrl: url,
        maxRetries: 0,
      })
      const agent = createAgent({ model, tools: toolsOf(world), ...settingsOf(world) })
      let messages: BaseMessage[] = []
      return {
        async say(text) {
          const state = await agent.invoke(
            { messages: [...messages, { role: 'user', content: text }] },
            { recursionLimit: 100 },
          )
          messages = state.messages
        },
      }
    },
  }
}

function promptOf(world: World): string {
  return `${INSTRUCTIONS}\n\n${world.environment()}`
}

function toolsOf(world: World) {
  return toolDefinitions.map(({ name, description, schema }) =>
    tool((input: unknown) => world.run(name, input as ToolInput), { name, description, schema }),
  )
}
