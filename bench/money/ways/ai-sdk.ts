/**
 * The AI SDK, with every breakpoint that its documentation shows: on the system message and on tools (page "Anthropic
 * Provider", section "Cache Control", which also shows the system prompt as two messages of which the first is marked), and on
 * the last message of each step (recipe "Dynamic Prompt Caching"). The loop of tools is its own.
 */
import { createAnthropic } from '@ai-sdk/anthropic'
import {
  generateText,
  isLoopFinished,
  jsonSchema,
  tool,
  type ModelMessage,
  type SystemModelMessage,
  type ToolSet,
} from 'ai'
import { toolDefinitions, type ToolInput } from '../tools.ts'
import { MAX_OUTPUT, MODEL, type Way } from '../way.ts'
import { INSTRUCTIONS, type World } from '../world.ts'

const marked = { anthropic: { cacheControl: { type: 'ephemeral' } } } as const

/** The system prompt as one message, as the page "Prompts" shows it, written anew for each step. */
export const aiSdk: Way = wayOf('AI SDK, prompt in one message', (world) => () => [system(promptOf(world))])

/** What never changes in a message of its own. */
export const aiSdkParts: Way = wayOf('AI SDK, prompt in two messages', (world) => () => [
  system(INSTRUCTIONS),
  { role: 'system', content: world.environment() },
])

/** The prompt as it was at the first step. */
export const aiSdkFrozen: Way = wayOf('AI SDK, prompt frozen by hand', (world) => {
  const frozen = [system(promptOf(world))]
  return () => frozen
})

function wayOf(name: string, begin: (world: World) => () => SystemModelMessage[]): Way {
  return {
    name,
    kind: 'rival',
    open({ url, apiKey, world }) {
      const instructions = begin(world)
      const tools = toolsOf(world)
      const model = createAnthropic({ baseURL: `${url}/v1`, apiKey })(MODEL)
      const history: ModelMessage[] = []
      return {
        async say(text) {
          history.push({ role: 'user', content: text })
          const { responseMessages } = await generateText({
            model,
            maxOutputTokens: MAX_OUTPUT,
            maxRetries: 0,
            tools,
            messages: history,
            stopWhen: isLoopFinished(),
            prepareStep: ({ messages }) => ({ instructions: instructions(), messages: markLast(messages) }),
          })
          history.push(...responseMessages)
        },
      }
    },
  }
}

function promptOf(world: World): string {
  return `${INSTRUCTIONS}\n\n${world.environment()}`
}

function system(content: string): SystemModelMessage {
  return { role: 'system', content, providerOptions: marked }
}

/**
 * The recipe's mark. A step goes on from the messages of the one before, marks included, and of more than four in a request the
 * last are dropped: so the earlier ones are taken off, as the recipe needs since steps do that.
 */
function markLast(messages: readonly ModelMessage[]): ModelMessage[] {
  const last = messages.length - 1
  return messages.map((message, index) => ({ ...message, providerOptions: index === last ? marked : {} }))
}

/** The last of them is marked. */
function toolsOf(world: World): ToolSet {
  const entries = toolDefinitions.map(({ name, description, schema }, index) => {
    const definition = {
      description,
      inputSchema: jsonSchema<ToolInput>(schema),
      execute: (input: ToolInput): string => world.run(name, input),
    }
    return [
      name,
      index === toolDefinitions.length - 1 ? tool({ ...definition, providerOptions: marked }) : tool(definition),
    ]
  })
  return Object.fromEntries(entries) as ToolSet
}
