/**
 * Claude through Amazon Bedrock's Converse API. The emulator does not serve it, so requests are not sent: they are held
 * against its rules and played through its cache here. Updates are tagged text.
 */
import { createSimulator, type CountTokens, type Prediction, type Simulator } from '../../../cache/index.ts'
import { answerTokens } from '../../../emulator/answer-tokens.ts'
import { checkConverse } from '../../../emulator/bedrock/check-converse.ts'
import { bedrockFormat, toBedrockConverse, type BedrockBody } from '../../../wire/bedrock/index.ts'
import { MAX_OUTPUT } from '../agent.ts'
import { refused, type Service } from '../service.ts'
import { toolDefinitions, type AnsweredCall } from '../tools.ts'
import { halvesOf, openWays, type Dialect, type WayName } from '../ways.ts'
import { MARKS, ROUND, type Provider } from './provider.ts'

type Message = BedrockBody['messages'][number]
type Block = NonNullable<Message['content']>[number]

const parameters = { modelId: 'global.anthropic.claude-opus-5', inferenceConfig: { maxTokens: MAX_OUTPUT } }

const tools = toolDefinitions.map(({ name, description, input }) => ({
  toolSpec: { name, description, inputSchema: { json: { ...input } } },
}))

/** It marks all that stands before it. */
const MARK = { cachePoint: { type: 'default' as const } }

const dialect: Dialect<Message> = {
  format: bedrockFormat,
  user: (text) => ({ role: 'user', content: [{ text }] }),
  answer: (text, calls) => [
    {
      role: 'assistant',
      content: [
        { text },
        ...calls.map(({ id, name, input }) => ({ toolUse: { toolUseId: id, name, input: { ...input } } })),
      ],
    },
  ],
  results: (answered) => [{ role: 'user', content: answered.map(toResult) }],
  render: (system, messages) => ({
    ...parameters,
    toolConfig: { tools: [...tools, MARK] },
    system: halvesOf(system).flatMap((text) => [{ text }, MARK]),
    messages: markEnd(messages),
  }),
  lower: (turn) => toBedrockConverse(turn, { ...parameters, toolConfig: { tools } }),
}

function toResult({ call, text, failed }: AnsweredCall): Block {
  return {
    toolResult: { toolUseId: call.id, content: [{ text }], ...(failed && { status: 'error' as const }) },
  }
}

function markEnd(messages: readonly Message[]): Message[] {
  return messages.map((message, index) =>
    index === messages.length - 1 ? { ...message, content: [...(message.content ?? []), MARK] } : message,
  )
}

/** A service in this process. It takes bodies as JSON, as one that they were sent to would have got them. */
export function startBedrock(clock: () => Date, countTokens: CountTokens): Service {
  const caches = new Map<WayName, Simulator>()
  return {
    client: null,
    async exchange(way, request, answer) {
      const body = JSON.parse(JSON.stringify(request.body)) as BedrockBody
      const problems = checkConverse(body)
      if (problems.length > 0) throw refused(way, problems.join(' '))
      const cache = caches.get(way) ?? createSimulator({ provider: 'bedrock', format: 'bedrock-converse', countTokens })
      caches.set(way, cache)
      const { usage } = cache.send(body, { startedAt: clock() })
      return { body, response: { usage: toUsage(usage, answerTokens(answer, countTokens).total) } }
    },
    close: async () => {},
  }
}

/** As Converse reports it. */
function toUsage({ total, read, write5m, write1h, uncached }: Prediction['usage'], outputTokens: number): object {
  return {
    inputTokens: uncached,
    outputTokens,
    totalTokens: total + outputTokens,
    cacheReadInputTokens: read,
    cacheWriteInputTokens: write5m + write1h,
    cacheDetails: [
      { ttl: '5m', inputTokens: write5m },
      { ttl: '1h', inputTokens: write1h },
    ],
  }
}

export const bedrock: Provider = {
  name: 'bedrock',
  model: parameters.modelId,
  format: 'bedrock-converse',
  simulator: 'bedrock',
  usage: 'bedrock',
  writes: ['write5m', 'write1h'],
  caching: MARKS,
  turns: ROUND,
  callPrefix: 'tooluse_',
  open: (options) => openWays(dialect, options),
  start: async (clock, countTokens) => startBedrock(clock, countTokens),
}
