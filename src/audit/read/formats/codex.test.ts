import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { layout } from '../../../cache/layout/layout.ts'
import { field, list } from '../../../cache/layout/peek.ts'
import type { Exchange } from '../../exchange.ts'
import { inputOf, readAll } from '../test-input.ts'
import { codex } from './codex.ts'

const start = Date.parse('2026-11-01T10:00:00.000Z')
let seconds = 0

/** One line, ten seconds after the one before it. */
function line(type: string, payload: object): object {
  seconds += 10
  return { timestamp: new Date(start + seconds * 1000).toISOString(), type, payload }
}

const meta = (more: object = {}): object =>
  line('session_meta', {
    id: 's1',
    cwd: '/w',
    cli_version: '0.150.0',
    source: 'cli',
    model_provider: 'openai',
    ...more,
  })
const context = (more: object = {}): object => line('turn_context', { cwd: '/w', model: 'gpt-5.6-sol', ...more })
const message = (role: string, text: string): object => ({
  type: 'message',
  role,
  content: [{ type: role === 'assistant' ? 'output_text' : 'input_text', text }],
})
const item = (payload: object): object => line('response_item', payload)
const user = (text: string): object => item(message('user', text))
const answer = (text: string): object => item(message('assistant', text))
const call = { type: 'function_call', name: 'shell', arguments: '{}', call_id: 'c1' }
const output = { type: 'function_call_output', call_id: 'c1', output: 'ok' }
const reasoning = { type: 'reasoning', summary: [], encrypted_content: 'xyz' }

let spent = 0

function tokens(input: number, cached: number): object {
  spent += input
  const last_token_usage = {
    input_tokens: input,
    cached_input_tokens: cached,
    output_tokens: 10,
    reasoning_output_tokens: 4,
    total_tokens: input + 10,
  }
  const total_token_usage = { ...last_token_usage, input_tokens: spent, total_tokens: spent + 10 }
  return line('event_msg', { type: 'token_count', info: { total_token_usage, last_token_usage } })
}

const lines = (...records: readonly unknown[]): string => records.map((each) => `${JSON.stringify(each)}\n`).join('')
const input = (exchange: Exchange | undefined): readonly unknown[] => list(field(exchange?.request, 'input'))

describe('codex rollouts', () => {
  it('give one call per count of tokens, with the items that it was made with', async () => {
    seconds = 0
    const log = lines(
      meta({ base_instructions: { text: 'You are Codex.' } }),
      context(),
      user('hello'),
      item(reasoning),
      item(call),
      tokens(1000, 0),
      item(output),
      answer('done'),
      tokens(1100, 896),
    )
    const { recognised, exchanges, unread } = await readAll(codex, log)
    expect(recognised).toBe(true)
    expect(unread).toEqual([])
    expect(exchanges).toHaveLength(2)
    expect(exchanges[0]?.request).toEqual({
      model: 'gpt-5.6-sol',
      instructions: 'You are Codex.',
      input: [message('user', 'hello')],
    })
    expect(input(exchanges[1])).toEqual([message('user', 'hello'), reasoning, call, output])
    expect(input(exchanges[1])[0]).toBe(input(exchanges[0])[0])
    expect(layout(exchanges[1]?.request).format).toBe('openai-responses')
    expect(exchanges[1]).toMatchObject({
      usage: { total: 1100, read: 896, uncached: 204, output: 10, reasoning: 4 },
      startedAt: start + 70_000,
      endedAt: start + 90_000,
      provider: 'openai',
      project: '/w',
      ids: { session: 's1', isSubagent: false },
      source: { file: 'log.jsonl', line: 9 },
      fidelity: { level: 'usage', system: true, tools: false, breakpoints: false, order: true, time: true },
    })
  })

  it('read old versions, which count before they write what was produced', async () => {
    const log = lines(
      meta(),
      context(),
      user('hello'),
      tokens(1000, 0),
      item(reasoning),
      item(call),
      item(output),
      tokens(1100, 896),
      answer('done'),
      user('more'),
      tokens(1200, 1024),
    )
    const { exchanges } = await readAll(codex, log)
    expect(exchanges.map((each) => input(each).length)).toEqual([1, 4, 6])
    expect(exchanges[0]?.fidelity.system).toBe(false)
  })

  it('drop counts that repeat, that only tell limits, or that no call reported', async () => {
    const counted = tokens(1000, 0)
    const log = lines(
      meta(),
      context(),
      user('hello'),
      line('event_msg', { type: 'token_count', info: null, rate_limits: {} }),
      answer('hi'),
      counted,
      counted,
      line('event_msg', { type: 'token_count', info: { last_token_usage: { total_tokens: 9000 } } }),
    )
    expect((await readAll(codex, log)).exchanges).toHaveLength(1)
  })

  it('name what differs between two contexts', async () => {
    const log = lines(
      meta(),
      context({ effort: 'high', current_date: '2026-11-01', approval_policy: 'never', sandbox_policy: { type: 'x' } }),
      user('hello'),
      answer('hi'),
      tokens(1000, 0),
      context({
        model: 'gpt-5.5',
        effort: 'low',
        current_date: '2026-11-02',
        cwd: '/v',
        approval_policy: 'never',
        sandbox_policy: { type: 'y' },
      }),
      user('more'),
      answer('ho'),
      tokens(1100, 0),
      user('and more'),
      answer('ha'),
      tokens(1200, 0),
    )
    const { exchanges } = await readAll(codex, log)
    expect(exchanges.map(({ events }) => events)).toEqual([
      undefined,
      [
        { type: 'model', before: 'gpt-5.6-sol', after: 'gpt-5.5' },
        { type: 'effort', before: 'high', after: 'low' },
        { type: 'date', before: '2026-11-01', after: '2026-11-02' },
        { type: 'directory', before: '/w', after: '/v' },
        { type: 'permissions', before: 'never, x', after: 'never, y' },
      ],
      undefined,
    ])
    expect(exchanges[1]?.model).toBe('gpt-5.5')
  })

  it('go on from the list that a compaction left, whoever made its items', async () => {
    const history = [
      message('user', 'hello'),
      { type: 'compaction', encrypted_content: 'abc' },
      message('assistant', 'x'),
    ]
    const log = lines(
      meta(),
      context(),
      user('hello'),
      answer('hi'),
      tokens(1000, 0),
      line('compacted', { message: '', replacement_history: history }),
      line('event_msg', { type: 'context_compacted' }),
      context(),
      answer('after'),
      tokens(300, 0),
    )
    const { exchanges } = await readAll(codex, log)
    expect(input(exchanges[1])).toEqual(history)
    expect(exchanges[1]?.events).toEqual([{ type: 'compaction' }])
  })

  it('go on from the summary where a compaction left no list', async () => {
    const log = lines(meta(), user('hello'), line('compacted', { message: 'Summary' }), user('go on'), tokens(300, 0))
    const { exchanges } = await readAll(codex, log)
    expect(input(exchanges[0])).toEqual([message('user', 'Summary'), message('user', 'go on')])
  })

  it('drop the turns that the user took back', async () => {
    const log = lines(
      meta(),
      user('<environment_context>x</environment_context>'),
      user('one'),
      answer('hi'),
      user('two'),
      answer('ho'),
      line('event_msg', { type: 'thread_rolled_back', num_turns: 1 }),
      user('three'),
      tokens(300, 0),
    )
    const { exchanges } = await readAll(codex, log)
    expect(JSON.stringify(input(exchanges[0]))).not.toContain('two')
    expect(input(exchanges[0])).toHaveLength(4)
  })

  it('count the history that a fork copied once, with the parent or without', async () => {
    seconds = 0
    const parent = [
      meta(),
      context(),
      user('hello'),
      answer('hi'),
      tokens(1000, 0),
      user('more'),
      answer('ho'),
      tokens(1100, 0),
    ]
    seconds = 10_000
    const began = new Date(start + seconds * 1000).toISOString()
    const forked = line('session_meta', { id: 's2', forked_from_id: 's1', timestamp: began })
    // Some versions date the copy anew, within the second; some take longer.
    const copyAt = (milliseconds: number): object[] =>
      parent.map((each) => ({ ...each, timestamp: new Date(Date.parse(began) + milliseconds).toISOString() }))
    const own = [user('own'), answer('mine'), tokens(1200, 0)]

    const alone = await readAll(codex, lines(forked, ...copyAt(5), ...own))
    expect(alone.exchanges).toHaveLength(1)
    expect(input(alone.exchanges[0])).toHaveLength(5)
    expect(alone.exchanges[0]?.ids.session).toBe('s2')

    for (const milliseconds of [5, 4000]) {
      for (const parentFirst of [true, false]) {
        const one = inputOf(lines(...parent), 'parent.jsonl')
        const two = { ...inputOf(lines(forked, ...copyAt(milliseconds), ...own), 'fork.jsonl'), shared: one.shared }
        const read = [await readAll(codex, parentFirst ? one : two), await readAll(codex, parentFirst ? two : one)]
        expect(read.flatMap(({ exchanges }) => exchanges)).toHaveLength(3)
      }
    }
  })

  it('keep the calls of a sub-agent, which is a fork without a copy', async () => {
    const source = { subagent: { thread_spawn: { parent_thread_id: 's1' } } }
    const spawned = meta({
      id: 's2',
      forked_from_id: 's1',
      source,
      agent_nickname: 'Ada',
      timestamp: new Date(start).toISOString(),
    })
    const { exchanges } = await readAll(codex, lines(spawned, context(), user('look'), answer('seen'), tokens(500, 0)))
    expect(exchanges).toHaveLength(1)
    expect(exchanges[0]?.ids).toEqual({ session: 's2', agent: 'Ada', isSubagent: true })
  })

  it('count lines that are none, and read the others', async () => {
    const log = `${lines(meta(), { type: 'event_msg' }, 7)}{"timestamp":"x","type":"resp`
    const { exchanges, unread } = await readAll(codex, log + '\n' + lines(user('hello'), tokens(300, 0)))
    expect(exchanges).toHaveLength(1)
    expect(unread.map(({ line: at, kind }) => [at, kind])).toEqual([
      [2, 'unknown-shape'],
      [3, 'unknown-shape'],
      [4, 'broken'],
    ])
  })

  it('are told by their first line, even where it is longer than the head', () => {
    const long = lines({ timestamp: 't', type: 'session_meta', payload: { base_instructions: 'x'.repeat(300_000) } })
    expect(codex.recognises(inputOf(long).head)).toBe(true)
    expect(codex.recognises(inputOf(lines({ type: 'session', id: 'x', timestamp: 't' })).head)).toBe(false)
    expect(codex.recognises(inputOf(lines({ type: 'user', sessionId: 's', uuid: 'u', message: {} })).head)).toBe(false)
  })

  it('never throw, whatever a line holds', async () => {
    const value = fc.jsonValue({ maxDepth: 2 })
    const payload = fc.record({
      type: fc.constantFrom('token_count', 'message', 'thread_rolled_back', 'function_call'),
      role: fc.constantFrom('user', 'assistant'),
      info: fc.record({
        total_token_usage: value,
        last_token_usage: fc.record({ input_tokens: fc.oneof(value, fc.nat()) }),
      }),
      num_turns: value,
      replacement_history: value,
      content: fc.oneof(value, fc.array(value)),
      forked_from_id: value,
      id: value,
    })
    const type = fc.constantFrom('session_meta', 'turn_context', 'response_item', 'event_msg', 'compacted')
    const record = fc.record({
      timestamp: fc.oneof(value, fc.constant('2026-11-01T10:00:00Z')),
      type,
      payload: fc.oneof(payload, value),
    })
    const law = fc.asyncProperty(fc.array(record, { maxLength: 12 }), async (records) => {
      const { exchanges } = await readAll(codex, lines(...records))
      expect(exchanges.length).toBeLessThanOrEqual(records.length)
    })
    await fc.assert(law, { numRuns: 100 })
  })
})
