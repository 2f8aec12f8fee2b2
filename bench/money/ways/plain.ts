/** The provider's own SDK and a loop around it; what differs is how a request is made of the conversation. */
import Anthropic from '@anthropic-ai/sdk'
import type {
  ContentBlockParam,
  MessageCreateParamsNonStreaming,
  MessageParam,
  ToolResultBlockParam,
  ToolUseBlockParam,
} from '@anthropic-ai/sdk/resources/messages'
import { joinSystemPrompt } from '../../../src/prompt/index.ts'
import { toAnthropicSystem } from '../../../src/wire/anthropic/index.ts'
import { toolDefinitions, type ToolInput } from '../tools.ts'
import { MAX_OUTPUT, MODEL, type Setting, type Way } from '../way.ts'
import { INSTRUCTIONS, type World } from '../world.ts'

/** What every request of the plain ways has. */
export const parameters: Pick<MessageCreateParamsNonStreaming, 'model' | 'max_tokens'> & { tools: Anthropic.Tool[] } = {
  model: MODEL,
  max_tokens: MAX_OUTPUT,
  tools: toolDefinitions.map(({ name, description, schema }) => ({ name, description, input_schema: { ...schema } })),
}

/** Nothing is marked, so nothing is cached. The prompt is written anew for each request. */
export const noCaching: Way = plain('No caching', 'base', (world, messages) => ({
  ...parameters,
  system: `${INSTRUCTIONS}\n\n${world.environment()}`,
  messages,
}))

/** The static half marked, the dynamic one behind it: what is written behind a half that changes would never be read. */
export const split: Way = plain('Static/dynamic split alone', 'rival', (world, messages) => ({
  ...parameters,
  system: toAnthropicSystem(joinSystemPrompt(INSTRUCTIONS, world.environment())),
  messages,
}))

/** The same with the automatic breakpoint at the end, which the provider recommends for conversations. */
export const splitAndEnd: Way = plain('Static/dynamic split, end marked', 'rival', (world, messages) => ({
  ...parameters,
  cache_control: { type: 'ephemeral' },
  system: toAnthropicSystem(joinSystemPrompt(INSTRUCTIONS, world.environment())),
  messages,
}))

function plain(
  name: string,
  kind: Way['kind'],
  build: (world: World, messages: MessageParam[]) => MessageCreateParamsNonStreaming,
): Way {
  return {
    name,
    kind,
    open(setting) {
      const { world } = setting
      const client = connect(setting)
      const messages: MessageParam[] = []
      return {
        async say(text) {
          messages.push({ role: 'user', content: text })
          for (;;) {
            const { role, content } = await client.messages.create(build(world, [...messages]))
            messages.push({ role, content: content as ContentBlockParam[] })
            const results = runCalls(world, content)
            if (results.length === 0) return
            messages.push({ role: 'user', content: results })
          }
        },
      }
    },
  }
}

export function connect({ url, apiKey }: Setting): Anthropic {
  return new Anthropic({ baseURL: url, apiKey, authToken: null, maxRetries: 0 })
}

/** The results of the calls of an answer, in their order. */
export function runCalls(world: World, content: readonly { readonly type: string }[]): ToolResultBlockParam[] {
  const calls = content.filter((block): block is ToolUseBlockParam => block.type === 'tool_use')
  return calls.map(({ id, name, input }) => ({
    type: 'tool_result',
    tool_use_id: id,
    content: world.run(name, input as ToolInput),
  }))
}
