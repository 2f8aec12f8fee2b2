import { describe, expect, it } from 'vitest'
import { startEmulator, type Emulator } from '../index.ts'

interface Reply {
  readonly id: string
  readonly diagnostics: {
    readonly cache_miss_reason: { readonly type: string; readonly cache_missed_input_tokens?: number }
  } | null
}

const user = (content: string) => ({ role: 'user', content })
const base = {
  model: 'claude-opus-5-5',
  max_tokens: 64,
  system: 'Be brief.',
  tools: [{ name: 'look', input_schema: { type: 'object' } }],
  messages: [user('First question'), { role: 'assistant', content: 'Answer' }, user('Second question')],
}

async function post(
  emulator: Emulator,
  more: object,
  headers: { readonly [name: string]: string } = {},
): Promise<Reply> {
  const response = await fetch(`${emulator.url}/v1/messages`, {
    method: 'POST',
    body: JSON.stringify({ ...base, ...more }),
    headers,
  })
  return (await response.json()) as Reply
}

const appended = { messages: [...base.messages, { role: 'assistant', content: 'Answer' }, user('Third question')] }

async function diagnose(more: object, headers?: { readonly [name: string]: string }): Promise<Reply['diagnostics']> {
  await using emulator = await startEmulator({ strict: true })
  const { id, diagnostics } = await post(emulator, { diagnostics: { previous_message_id: null } })
  expect(diagnostics).toBeNull()
  return (await post(emulator, { ...appended, diagnostics: { previous_message_id: id }, ...more }, headers)).diagnostics
}

describe('cache diagnostics', () => {
  it('are null for a request that does not ask, and for one that only appends', async () => {
    await using emulator = await startEmulator()
    expect((await post(emulator, {})).diagnostics).toBeNull()
    expect(await diagnose({})).toBeNull()
    expect(await diagnose({ cache_control: { type: 'ephemeral' }, max_tokens: 7 })).toBeNull()
  })

  it.each<[string, object]>([
    ['model_changed', { model: 'claude-opus-5' }],
    ['model_changed', { speed: 'fast', system: 'Be very brief.' }],
    ['tools_changed', { tools: [], system: 'Be very brief.' }],
    ['system_changed', { system: 'Be very brief.', tool_choice: { type: 'none' } }],
    ['messages_changed', { messages: [user('Another question'), ...base.messages.slice(1)] }],
    ['messages_changed', { messages: base.messages.slice(0, 1) }],
  ])('say %s for %j, with an estimate of what was lost', async (type, more) => {
    const diagnostics = await diagnose(more)
    expect(diagnostics).toEqual({
      cache_miss_reason: { type, cache_missed_input_tokens: expect.any(Number) as number },
    })
    expect(diagnostics?.cache_miss_reason.cache_missed_input_tokens).toBeGreaterThan(0)
  })

  it.each<[object, { readonly [name: string]: string }?]>([
    [{ tool_choice: { type: 'none' } }],
    [{ thinking: { type: 'adaptive' } }],
    [{ context_management: { edits: [] } }],
    [{ output_config: { effort: 'low' } }],
    [{}, { 'anthropic-beta': 'some-beta-2026-01-01' }],
  ])('are unavailable for %j %j', async (more, headers) => {
    expect(await diagnose(more, headers)).toEqual({ cache_miss_reason: { type: 'unavailable' } })
  })

  it('do not know the messages of another account, nor those that never asked', async () => {
    await using emulator = await startEmulator()
    const mine = await post(emulator, { diagnostics: { previous_message_id: null } }, { 'x-api-key': 'mine' })
    const silent = await post(emulator, {}, { 'x-api-key': 'mine' })
    const notFound = { cache_miss_reason: { type: 'previous_message_not_found' } }
    for (const [id, key, expected] of [
      [mine.id, 'mine', null],
      [mine.id, 'yours', notFound],
      [silent.id, 'mine', notFound],
      ['msg_nothing', 'mine', notFound],
    ] as const) {
      const { diagnostics } = await post(emulator, { diagnostics: { previous_message_id: id } }, { 'x-api-key': key })
      expect(diagnostics).toEqual(expected)
    }
  })

  it('come at the start of a stream', async () => {
    await using emulator = await startEmulator()
    const response = await fetch(`${emulator.url}/v1/messages`, {
      method: 'POST',
      body: JSON.stringify({ ...base, stream: true, diagnostics: { previous_message_id: 'msg_nothing' } }),
    })
    const [, data = ''] = /^data: (.*)$/m.exec(await response.text()) ?? []
    expect(JSON.parse(data)).toMatchObject({
      type: 'message_start',
      message: { diagnostics: { cache_miss_reason: { type: 'previous_message_not_found' } } },
    })
  })
})
