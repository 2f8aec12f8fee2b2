import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI } from '@ai-sdk/openai'
import { generateText, type LanguageModel, type ModelMessage } from 'ai'
import { describe, expect, it } from 'vitest'
import { turnTold, type Told } from '../../../test/support/told.ts'
import type { Tool, ToolChanges } from '../../session/types.ts'
import { toAiSdkPrompt, type AiSdkOptions } from './index.ts'

const tool = (name: string, over: object = {}): Tool => ({
  type: 'function',
  name,
  description: `Does ${name}.`,
  inputSchema: { type: 'object', properties: {} },
  ...over,
})
const user: ModelMessage = { role: 'user', content: 'Hello' }
const said: ModelMessage = { role: 'assistant', content: 'Hi.' }

interface Conversation extends AiSdkOptions {
  readonly frozen?: readonly Tool[]
  readonly callable: readonly string[]
}

function send(
  model: LanguageModel,
  told: readonly (Told<ModelMessage> | ToolChanges)[],
  { frozen = [tool('read')], callable, ...options }: Conversation,
) {
  const turn = turnTold(told as readonly Told<ModelMessage>[], { tools: { definitions: frozen, callable, held: [] } })
  const entries = turn.entries.map((entry, index) => {
    const changes = told[index] as Partial<ToolChanges>
    return entry.type === 'update' && changes.removed ? { ...entry, tools: changes as ToolChanges } : entry
  })
  return toAiSdkPrompt({ ...turn, entries }, model, options)
}

/** What the package makes of a prompt: the body, and the betas it asks for. */
async function bodyOf(model: (fetch: typeof globalThis.fetch) => LanguageModel, prompt: ReturnType<typeof send>) {
  let sent: { body: Record<string, unknown>; beta: string | null } | undefined
  const fetch: typeof globalThis.fetch = (_url, init) => {
    const headers = new Headers(init?.headers)
    sent = { body: JSON.parse(init?.body as string) as Record<string, unknown>, beta: headers.get('anthropic-beta') }
    return Promise.reject(new Error('captured'))
  }
  const { instructions, messages, providerOptions } = prompt
  const call = { instructions, messages, providerOptions, allowSystemInMessages: true, maxRetries: 0 }
  await generateText({ model: model(fetch), ...call }).catch(() => {})
  return sent!
}

const claude = (fetch: typeof globalThis.fetch) => createAnthropic({ apiKey: 'key', fetch })('claude-opus-4-8')
const gpt = (fetch: typeof globalThis.fetch) => createOpenAI({ apiKey: 'key', fetch })('gpt-5.6-sol')

describe('tools that were appended', () => {
  it('go to Claude as changes of a system message, by value, and ask for the beta', async () => {
    const prompt = send('anthropic/claude-opus-4-8', [user, { added: [tool('find')] }], { callable: ['find', 'read'] })
    expect(prompt.warnings).toEqual([])
    const { body, beta } = await bodyOf(claude, prompt)
    expect(beta).toContain('inline-tools-2026-09-15')
    expect(JSON.stringify((body['messages'] as unknown[]).at(-1))).toMatchInlineSnapshot(
      `"{"role":"system","content":[{"type":"tool_addition","tool":{"type":"tool_definition","definition":{"name":"find","description":"Does find.","input_schema":{"type":"object","properties":{}}}}}]}"`,
    )
  })

  it('take the place of an older definition on Claude', async () => {
    const edited = tool('read', { description: 'Reads more.', providerOptions: { anthropic: { cacheControl: {} } } })
    const changes = { added: [edited], removed: ['read'], restored: [] }
    const prompt = send('anthropic/claude-opus-4-8', [user, said, user, changes], {
      callable: ['read'],
    })
    const { body } = await bodyOf(claude, prompt)
    expect(JSON.stringify((body['messages'] as unknown[]).at(-1))).toMatchInlineSnapshot(
      `"{"role":"system","content":[{"type":"tool_removal","tool":{"type":"tool_reference","name":"read"}},{"type":"tool_addition","tool":{"type":"tool_definition","definition":{"name":"read","description":"Reads more.","input_schema":{"type":"object","properties":{}}}}}]}"`,
    )
  })

  it('leave the mark to the message before one that has no text', () => {
    const { messages } = send('anthropic/claude-opus-4-8', [user, { added: [tool('find')] }], { callable: ['find'] })
    expect(messages.map((message) => message.providerOptions?.['anthropic']?.['cacheControl'] !== undefined)).toEqual([
      true,
      false,
    ])
  })

  it('go to Responses in a message of their own, before the text of the update and the last user message', async () => {
    const update = { update: ['system'] } as const
    const prompt = send('openai/gpt-5.6-sol', [user, said, update, { added: [tool('find', { strict: true })] }, user], {
      callable: ['find', 'read'],
    })
    expect(prompt.warnings).toEqual([])
    const { body } = await bodyOf(gpt, prompt)
    expect(
      (body['input'] as unknown[])
        .slice(-3)
        .map((item) => JSON.stringify(item))
        .join('\n'),
    ).toMatchInlineSnapshot(`
      "{"type":"additional_tools","role":"developer","tools":[{"type":"function","name":"find","description":"Does find.","parameters":{"type":"object","properties":{}},"strict":true}]}
      {"role":"developer","content":"Fact 3."}
      {"role":"user","content":[{"type":"input_text","text":"Hello"}]}"
    `)
  })

  it('are held by OpenAI where they are no functions or take the name of another', () => {
    const changes = { added: [tool('read', { strict: true })], removed: ['read'], restored: [] }
    const provider = { type: 'provider', id: 'openai.web_search', name: 'web', args: {} }
    const { messages, warnings } = send('openai/gpt-5.6-sol', [user, { added: [provider] }, changes], {
      callable: ['read', 'web'],
    })
    expect(messages).toHaveLength(1)
    expect(warnings).toEqual([
      { type: 'tools-held', reason: 'placement', ids: ['read'] },
      { type: 'tools-held', reason: 'unsupported', ids: ['web'] },
    ])
  })

  it.each([
    ['openai.chat/gpt-5.6-sol', 'unsupported'],
    ['openai/gpt-5.5', 'unknown'],
    ['anthropic/claude-sonnet-4-6', 'unknown'],
    ['amazon-bedrock/anthropic.claude-opus-5', 'unsupported'],
    ['somebody/a-model', 'unknown'],
  ])('wait for the next epoch on %s', (model, reason) => {
    const { warnings } = send(model, [user, { added: [tool('find')] }], { callable: ['find', 'read'] })
    expect(warnings).toContainEqual({ type: 'tools-held', reason, ids: ['find'] })
  })

  it('wait where the caller says so, or where nobody spoke since the answer', () => {
    const told = [user, said, { added: [tool('find')] }]
    expect(send('anthropic/claude-opus-4-8', told, { callable: ['find'] }).warnings).toContainEqual({
      type: 'tools-held',
      reason: 'placement',
      ids: ['find'],
    })
    expect(send('openai/gpt-5.6-sol', told, { callable: ['find'], tools: 'held' }).warnings).toContainEqual({
      type: 'tools-held',
      reason: 'asked',
      ids: ['find'],
    })
  })
})
