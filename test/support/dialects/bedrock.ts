/** How Bedrock's messages are written, for conversations through any format. */
import type { ContentBlock, Message, ToolUseBlock } from '@aws-sdk/client-bedrock-runtime'
import { checkConverse } from '../../../src/emulator/bedrock/check-converse.ts'
import { bedrockFormat, toBedrockConverse, type BedrockOptions } from '../../../src/wire/bedrock/index.ts'
import type { Dialect, Target } from '../wire-conversation.ts'

/** Users send a picture along, and answers that think may end in their thinking. */
export const bedrockDialect: Dialect<Message> = {
  name: 'bedrock',
  format: bedrockFormat,
  user: (text) => ({
    role: 'user',
    content: [{ text }, { image: { format: 'png', source: { bytes: Uint8Array.of(1, 2, 3) } } }],
  }),
  answer(text, calls, thinking) {
    const content: ContentBlock[] = [{ text }]
    if (thinking !== undefined)
      content.unshift({ reasoningContent: { reasoningText: { text: thinking, signature: 's' } } })
    for (const { id, name, input } of calls)
      content.push({ toolUse: { toolUseId: id, name, input: input as ToolUseBlock['input'] } })
    return [{ role: 'assistant', content }]
  },
  results: (results) =>
    results.map(({ id, text }) => ({
      role: 'user',
      content: [
        { toolResult: { toolUseId: id, content: [{ text }, { text: ' ' }] } },
        { cachePoint: { type: 'default' } },
      ],
    })),
  tool: (name, description) => ({
    toolSpec: {
      name,
      description,
      inputSchema: { json: { type: 'object', properties: { input: { type: 'string' } } } },
    },
  }),
  targets: [
    target('global.anthropic.claude-opus-4-8', { ttl: { head: '1h', tail: '5m' } }),
    target('us.anthropic.claude-sonnet-5-5', {}),
    target('us.amazon.nova-pro-v1:0', {}),
  ],
}

function target(model: string, options: BedrockOptions): Target<Message> {
  return {
    model,
    platform: 'bedrock-converse',
    lower: (turn) => toBedrockConverse(turn, { modelId: model, inferenceConfig: { maxTokens: 100 } }, options),
    check: checkConverse,
    layout: { format: 'bedrock-converse', model },
  }
}
