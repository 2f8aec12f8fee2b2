import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { layout } from '../../../cache/layout/layout.ts'
import { field, list } from '../../../cache/layout/peek.ts'
import type { Exchange } from '../../exchange.ts'
import { inputOf, readAll } from '../test-input.ts'
import { pi } from './pi.ts'

const start = Date.parse('2026-11-01T10:00:00.000Z')
let seconds = 0

/** One line, ten seconds after the one before it. */
function line(type: string, more: object): object {
  seconds += 10
  return { type, timestamp: new Date(start + seconds * 1000).toISOString(), ...more }
}

const header = (more: object = {}): object => line('session', { id: 's1', cwd: '/w', thinkingLevel: 'off', ...more })
const text = (value: string): object => ({ type: 'text', text: value })
const message = (value: object, more: object = {}): object => line('message', { message: value, ...more })
const user = (value: string, more: object = {}): object => message({ role: 'user', content: [text(value)] }, more)

function answer(content: readonly object[], more: object = {}, envelope: object = {}): object {
  const usage = { input: 10, output: 5, cacheRead: 900, cacheWrite: 100, totalTokens: 1015, cost: { total: 1 } }
  const timestamp = start + seconds * 1000 + 1000
  const common = { role: 'assistant', api: 'anthropic-messages', provider: 'anthropic', model: 'claude-opus-4-8' }
  return message({ ...common, content, usage, stopReason: 'stop', timestamp, ...more }, envelope)
}

const call = { type: 'toolCall', id: 'c1', name: 'read', arguments: { path: 'a' } }
const result = { role: 'toolResult', toolCallId: 'c1', toolName: 'read', content: [text('ok')], isError: true }

const lines = (...records: readonly unknown[]): string => records.map((each) => `${JSON.stringify(each)}\n`).join('')
const messages = (exchange: Exchange | undefined): readonly unknown[] => list(field(exchange?.request, 'messages'))
const shown = (exchange: Exchange | undefined): string =>
  messages(exchange)
    .flatMap((each) => field(each, 'content'))
    .map((block) => (typeof block === 'string' ? block.split('\n').at(-1) : field(block, 'text')))
    .join('|')

describe('pi sessions', () => {
  it('give one call per answer, in the shape of the API that was asked', async () => {
    seconds = 0
    const thinking = { type: 'thinking', thinking: 'hm', thinkingSignature: 'sig' }
    const log = lines(header(), user('hello'), answer([thinking, call]), message(result), answer([text('done')]))
    const { recognised, exchanges, unread } = await readAll(pi, log)
    expect(recognised).toBe(true)
    expect(unread).toEqual([])
    expect(exchanges).toHaveLength(2)
    expect(exchanges[1]?.request).toEqual({
      model: 'claude-opus-4-8',
      messages: [
        { role: 'user', content: [text('hello')] },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'hm', signature: 'sig' },
            { type: 'tool_use', id: 'c1', name: 'read', input: { path: 'a' } },
          ],
        },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: [text('ok')], is_error: true }] },
      ],
    })
    expect(messages(exchanges[1])[0]).toBe(messages(exchanges[0])[0])
    expect(exchanges[1]).toMatchObject({
      usage: { total: 1010, read: 900, write5m: 100, uncached: 10, output: 5 },
      startedAt: start + 41_000,
      endedAt: start + 50_000,
      provider: 'anthropic',
      project: '/w',
      ids: { session: 's1' },
      source: { file: 'log.jsonl', line: 5 },
      fidelity: { level: 'usage', tools: false, system: false, order: true, time: true },
    })
    // A charge that the client has computed is not one that was reported.
    expect(exchanges[1]?.usage?.cost).toBeUndefined()
  })

  it('speak Chat to other vendors, whose writes are not known', async () => {
    const openai = { api: 'openai-completions', provider: 'openai', model: 'gpt-5.6-sol' }
    const usage = { input: 100, output: 5, cacheRead: 900, cacheWrite: 0 }
    const log = lines(
      header(),
      user('hello'),
      answer([text('a'), call], { ...openai, usage }),
      message(result),
      answer([text('b')], openai),
    )
    const { exchanges } = await readAll(pi, log)
    expect(exchanges[0]?.usage).toMatchObject({ total: 1000, read: 900, uncached: 100 })
    expect(exchanges[0]?.usage?.write5m).toBeUndefined()
    expect(layout(exchanges[1]?.request).format).toBe('openai-chat')
    expect(messages(exchanges[1]).slice(1)).toEqual([
      {
        role: 'assistant',
        content: 'a',
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'read', arguments: '{"path":"a"}' } }],
      },
      { role: 'tool', tool_call_id: 'c1', content: 'ok' },
    ])
  })

  it('restart from the summary of a compaction and the lines that it kept, by number or by id', async () => {
    const numbered = lines(
      header(),
      user('old'),
      answer([text('older')]),
      user('kept'),
      line('compaction', { summary: 'Summary', firstKeptEntryIndex: 3 }),
      user('new'),
      answer([text('x')]),
    )
    const named = lines(
      header(),
      user('old', { id: 'a', parentId: null }),
      answer([text('older')], {}, { id: 'b', parentId: 'a' }),
      user('kept', { id: 'c', parentId: 'b' }),
      line('compaction', { summary: 'Summary', firstKeptEntryId: 'c', id: 'd', parentId: 'c' }),
      user('new', { id: 'e', parentId: 'd' }),
      answer([text('x')], {}, { id: 'f', parentId: 'e' }),
    )
    for (const log of [numbered, named]) {
      const { exchanges } = await readAll(pi, log)
      expect(shown(exchanges[0])).toBe('old')
      expect(shown(exchanges[1])).toBe('Summary|kept|new')
      expect(exchanges[1]?.events).toEqual([{ type: 'compaction' }])
    }
  })

  it('count only the newest of two compactions, and none of the old lines where it kept none', async () => {
    const log = lines(
      header(),
      user('old'),
      line('compaction', { summary: 'One', firstKeptEntryIndex: 1 }),
      user('between'),
      line('compaction', { summary: 'Two', firstKeptEntryIndex: 99 }),
      user('new'),
      answer([text('x')]),
    )
    expect(shown((await readAll(pi, log)).exchanges[0])).toBe('Two|new')
  })

  it('follow the branch that an answer stands on', async () => {
    const log = lines(
      header({ version: 3 }),
      user('one', { id: 'a', parentId: null }),
      user('wrong', { id: 'b', parentId: 'a' }),
      line('branch_summary', { summary: 'what was left', fromId: 'b', id: 'c', parentId: 'a' }),
      line('custom_message', { content: 'told by an extension', id: 'd', parentId: 'c' }),
      answer([text('x')], {}, { id: 'e', parentId: 'd' }),
    )
    expect(shown((await readAll(pi, log)).exchanges[0])).toBe('one|what was left|told by an extension')
  })

  it('name what has changed, and tell calls that failed before they began', async () => {
    const nothing = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }
    const log = lines(
      header(),
      user('hello'),
      answer([text('hi')]),
      line('thinking_level_change', { thinkingLevel: 'high' }),
      answer([], { stopReason: 'aborted', errorMessage: 'Request was aborted.', usage: nothing }),
      answer([text('ho')], { model: 'claude-sonnet-4-6', stopReason: 'aborted' }),
    )
    const { exchanges } = await readAll(pi, log)
    expect(exchanges.map(({ error }) => error)).toEqual([undefined, 'Request was aborted.', undefined])
    expect(exchanges[1]?.usage).toBeUndefined()
    expect(exchanges[1]?.events).toBeUndefined()
    expect(exchanges[2]?.events).toEqual([
      { type: 'effort', before: 'off', after: 'high' },
      { type: 'model', before: 'claude-opus-4-8', after: 'claude-sonnet-4-6' },
    ])
    expect(messages(exchanges[2])).toHaveLength(2)
  })

  it('tell the model of commands that the user ran, unless they were private', async () => {
    const command = { role: 'bashExecution', command: 'ls', output: 'a.txt', exitCode: 0 }
    const log = lines(
      header(),
      message(command),
      message({ ...command, excludeFromContext: true }),
      answer([text('x')]),
    )
    const { exchanges } = await readAll(pi, log)
    expect(messages(exchanges[0])).toEqual([{ role: 'user', content: [text('Ran `ls`\n```\na.txt\n```')] }])
  })

  it('count an answer once when branching has copied it into another file', async () => {
    const old = [user('hello'), answer([text('hi')])]
    const first = inputOf(lines(header(), ...old), 'a.jsonl')
    const branched = lines(header({ id: 's2', branchedFrom: 'a.jsonl' }), ...old, user('more'), answer([text('ho')]))
    const second = { ...inputOf(branched, 'b.jsonl'), shared: first.shared }
    expect((await readAll(pi, first)).exchanges).toHaveLength(1)
    const { exchanges } = await readAll(pi, second)
    expect(exchanges.map(({ ids }) => ids.session)).toEqual(['s2'])
    expect(messages(exchanges[0])).toHaveLength(3)
  })

  it('count lines that are none, read the others, and never throw', async () => {
    const { exchanges, unread } = await readAll(pi, `${lines(header(), 7, { x: 1 }, { type: 'message' })}{"type":"me`)
    expect(exchanges).toEqual([])
    expect(unread.map(({ line: at, kind }) => [at, kind])).toEqual([
      [2, 'unknown-shape'],
      [3, 'unknown-shape'],
      [4, 'unknown-shape'],
      [5, 'broken'],
    ])
    const value = fc.jsonValue({ maxDepth: 2 })
    const role = fc.constantFrom('user', 'assistant', 'toolResult', 'bashExecution', 'x')
    const record = fc.record({
      type: fc.constantFrom('message', 'compaction', 'branch_summary', 'custom_message', 'session'),
      id: value,
      parentId: fc.oneof(value, fc.constant('a')),
      firstKeptEntryIndex: value,
      summary: value,
      content: value,
      message: fc.oneof(
        value,
        fc.record({ role, content: fc.oneof(value, fc.array(value)), usage: value, model: value }),
      ),
    })
    const law = fc.asyncProperty(fc.array(record, { maxLength: 12 }), async (records) => {
      const read = await readAll(pi, lines(...records))
      expect(read.exchanges.length).toBeLessThanOrEqual(records.length)
    })
    await fc.assert(law, { numRuns: 100 })
  })

  it('are told by their first line, even where it is not alone', () => {
    expect(pi.recognises(inputOf(lines({ type: 'session', trace_id: 't', tool: 'x' })).head)).toBe(false)
    expect(pi.recognises(inputOf('').head)).toBe(false)
    expect(pi.recognises(inputOf(lines(header())).head)).toBe(true)
  })
})
