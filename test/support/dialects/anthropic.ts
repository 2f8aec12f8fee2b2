/**
 * The Messages API: with system messages and tools in mid-conversation, with system messages only, with neither, and on another
 * platform. All models keep the thinking of earlier turns; those that do not, lose it on the provider's side.
 */
import type { MessageParam } from '@anthropic-ai/sdk/resources/messages'
import type { AnthropicPlatform } from '../../../src/cache/index.ts'
import { anthropicMessages } from '../../../src/emulator/anthropic/endpoint.ts'
import { testRequest } from '../../../src/emulator/test-request.ts'
import { anthropicFormat, toAnthropicMessages } from '../../../src/wire/anthropic/index.ts'
import { anthropicProblems, type AnthropicBodyLike } from '../anthropic-rules.ts'
import type { Dialect, Target } from '../wire-conversation.ts'

const endpoint = anthropicMessages()

function target(model: string, platform: AnthropicPlatform): Target<MessageParam> {
  return {
    model,
    platform,
    lower: (turn) => toAnthropicMessages(turn, { model, max_tokens: 1024 }, { platform }),
    check(body, headers) {
      const request = testRequest(body as Record<string, never>, { model, headers: { ...headers } })
      const refused = endpoint.check(request)
      // What a model takes is for the endpoint to say.
      const broken = anthropicProblems(body as AnthropicBodyLike, { native: true })
      return refused === null ? broken : [JSON.stringify(refused.body), ...broken]
    },
    layout: { format: 'anthropic', model },
  }
}

export const anthropicDialect: Dialect<MessageParam> = {
  name: 'Anthropic Messages',
  format: anthropicFormat,
  user: (text) => ({ role: 'user', content: text }),
  answer: (text, calls, thinking) => [
    {
      role: 'assistant',
      content: [
        ...(thinking === undefined ? [] : [{ type: 'thinking' as const, thinking, signature: 'c2lnbmVk' }]),
        { type: 'text', text },
        ...calls.map(({ id, name, input }) => ({ type: 'tool_use' as const, id, name, input })),
      ],
    },
  ],
  results: (results) =>
    results.map(({ id, text }) => ({
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: id, content: text }],
    })),
  tool: (name, description) => ({
    name,
    description,
    input_schema: { type: 'object', properties: { input: { type: 'string' } } },
  }),
  targets: [
    target('claude-opus-5-5', 'anthropic'),
    target('claude-fable-5-2', 'anthropic'),
    target('claude-sonnet-4-6', 'anthropic'),
    target('claude-opus-4-8', 'bedrock'),
  ],
}
