/** Messages of the AI SDK as conversations in tests are written; a prompt is compared before a package makes a body of it. */
import type { ModelMessage } from 'ai'
import { aiSdkFormat, toAiSdkPrompt, type AiSdkOptions, type AiSdkPrompt } from '../../../src/wire/ai-sdk/index.ts'
import { bareMessage } from '../../../src/wire/ai-sdk/provider-options.ts'
import type { Dialect, Target } from '../wire-conversation.ts'

export const aiSdkDialect: Dialect<ModelMessage> = {
  name: 'ai-sdk',
  format: aiSdkFormat,
  user: (content) => ({ role: 'user', content }),
  answer: (text, calls, thinking) => [
    {
      role: 'assistant',
      content: [
        ...(thinking === undefined
          ? []
          : [
              { type: 'reasoning' as const, text: thinking, providerOptions: { anthropic: { signature: 'c2lnbmVk' } } },
            ]),
        { type: 'text', text },
        ...calls.map(({ id, name, input }) => ({ type: 'tool-call' as const, toolCallId: id, toolName: name, input })),
      ],
    },
  ],
  results: (results) =>
    results.map(({ id, name, text }) => ({
      role: 'tool',
      content: [{ type: 'tool-result', toolCallId: id, toolName: name, output: { type: 'text', value: text } }],
    })),
  tool: (name, description) => ({
    type: 'function',
    name,
    description,
    inputSchema: { type: 'object', properties: { input: { type: 'string' } } },
  }),
  targets: [
    target('anthropic/claude-opus-4-8'),
    target('anthropic/claude-fable-5-1', { ttl: { head: '1h', tail: '5m' } }),
    target('anthropic/claude-sonnet-4-6'),
    target('amazon-bedrock/anthropic.claude-opus-5'),
    target('openai/gpt-5.6-sol'),
    target('openai/gpt-5.6-sol', { expectedTurns: 1 }),
    target('google/gemini-3.8-flash'),
    target('somebody/a-model'),
  ],
}

function target(model: string, options: AiSdkOptions = {}): Target<ModelMessage> {
  return {
    model,
    platform: model.split('/')[0]!,
    lower(turn) {
      const prompt = toAiSdkPrompt(turn, model, options)
      return { body: prompt, headers: {}, warnings: prompt.warnings }
    },
    check: (body) => problemsOf(body as AiSdkPrompt, model),
    segments(body) {
      const { instructions, messages } = body as AiSdkPrompt
      const said = messages.map((message) =>
        message.role === 'system' ? bareMessage(message) : aiSdkFormat.identity(message),
      )
      return [...instructions.map(bareMessage), ...said].map((message) => JSON.stringify(message))
    },
  }
}

/** What Claude refuses of system messages and marks, and what nobody takes of calls and results. */
function problemsOf({ instructions, messages }: AiSdkPrompt, model: string): readonly string[] {
  const problems: string[] = []
  const marks = [...instructions, ...messages].filter(({ providerOptions }) =>
    /cacheControl|cachePoint/.test(JSON.stringify(providerOptions ?? {})),
  )
  if (!model.startsWith('openai') && marks.length > 4) problems.push(`${marks.length} marks`)
  for (const [index, { role }] of messages.entries()) {
    const before = messages[index - 1]
    if (role === 'tool' && before?.role !== 'tool' && before?.role !== 'assistant')
      problems.push(`result after ${before?.role}`)
    if (role !== 'system') continue
    const after = messages[index + 1]?.role
    if (!model.startsWith('anthropic')) {
      if (model.startsWith('openai') || model.startsWith('xai')) continue
      problems.push('a system message')
    } else if (before?.role !== 'user' && before?.role !== 'tool') problems.push(`system after ${before?.role}`)
    else if (after !== undefined && after !== 'assistant') problems.push(`system before ${after}`)
  }
  return problems
}
