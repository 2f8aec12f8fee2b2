import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { layout } from '../../../cache/layout/layout.ts'
import { field, list } from '../../../cache/layout/peek.ts'
import type { Exchange } from '../../exchange.ts'
import { inputOf, readAll } from '../test-input.ts'
import { claudeCode } from './claude-code.ts'

const start = Date.parse('2026-11-01T10:00:00.000Z')
let clock = 0

/** One line, a second after the one before it. */
function line(type: string, uuid: string, parentUuid: string | null, more: object): object {
  clock += 1000
  const timestamp = new Date(start + clock).toISOString()
  const envelope = { type, uuid, parentUuid, isSidechain: false, sessionId: 's1', version: '2.2.0', cwd: '/w' }
  return { ...envelope, timestamp, ...more }
}

function user(uuid: string, parent: string | null, content: unknown, more: object = {}): object {
  return line('user', uuid, parent, { message: { role: 'user', content }, ...more })
}

function assistant(uuid: string, parent: string | null, id: string, block: object, more: object = {}): object {
  const usage = {
    input_tokens: 4,
    cache_creation_input_tokens: 10,
    cache_read_input_tokens: 100,
    cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 10 },
    output_tokens: 20,
  }
  const message = {
    id,
    type: 'message',
    role: 'assistant',
    model: 'claude-opus-4-8',
    content: [block],
    stop_reason: 'end_turn',
    usage,
  }
  return line('assistant', uuid, parent, { requestId: `req_${id}`, message, ...more })
}

const text = (value: string): object => ({ type: 'text', text: value })
const call = (id: string): object => ({ type: 'tool_use', id, name: 'Read', input: { path: id } })
const result = (id: string): readonly object[] => [{ type: 'tool_result', tool_use_id: id, content: `result of ${id}` }]

const lines = (...records: readonly unknown[]): string => records.map((each) => `${JSON.stringify(each)}\n`).join('')

const messages = (exchange: Exchange | undefined): readonly unknown[] => list(field(exchange?.request, 'messages'))

const shown = (exchange: Exchange | undefined): string =>
  JSON.stringify(messages(exchange).map((message) => field(message, 'content')))

describe('claude code sessions', () => {
  it('give one call per answer, with what was sent for it and what it cost', async () => {
    clock = 0
    const log = lines(
      user('u1', null, 'hello'),
      assistant('a1', 'u1', 'msg_1', text('hi')),
      user('u2', 'a1', 'and now?', { gitBranch: 'main' }),
      assistant('a2', 'u2', 'msg_2', text('later')),
    )
    const { recognised, exchanges, unread } = await readAll(claudeCode, log)
    expect(recognised).toBe(true)
    expect(unread).toEqual([])
    expect(exchanges).toHaveLength(2)
    const [first, second] = exchanges
    expect(first?.request).toEqual({ model: 'claude-opus-4-8', messages: [{ role: 'user', content: 'hello' }] })
    expect(messages(second)).toHaveLength(3)
    expect(second).toMatchObject({
      kind: 'generate',
      usage: { total: 114, read: 100, write5m: 0, write1h: 10, uncached: 4, output: 20 },
      startedAt: start + 3000,
      endedAt: start + 4000,
      model: 'claude-opus-4-8',
      project: '/w',
      ids: { request: 'req_msg_2', response: 'msg_2', session: 's1', isSubagent: false },
      source: { file: 'log.jsonl', line: 4 },
      fidelity: { level: 'usage', breakpoints: false, tools: false, system: false, parameters: false, order: true },
    })
    expect(layout(second?.request).format).toBe('anthropic')
  })

  it('share the messages of earlier calls instead of copying them', async () => {
    const log = lines(
      user('u1', null, 'hello'),
      assistant('a1', 'u1', 'msg_1', text('hi')),
      user('u2', 'a1', 'go on'),
      assistant('a2', 'u2', 'msg_2', text('yes')),
    )
    const { exchanges } = await readAll(claudeCode, log)
    expect(messages(exchanges[1])[0]).toBe(messages(exchanges[0])[0])
  })

  it('put the blocks of one answer together and take the output of the last', async () => {
    const early = assistant('a1', 'u1', 'msg_1', text('I will read both'), {})
    const usage = { input_tokens: 4, cache_read_input_tokens: 100, cache_creation_input_tokens: 10, output_tokens: 1 }
    Object.assign(field(early, 'message') as object, { stop_reason: null, usage })
    const log = lines(
      user('u1', null, 'read a and b'),
      early,
      assistant('a2', 'a1', 'msg_1', call('call_a')),
      assistant('a3', 'a2', 'msg_1', call('call_b')),
      // Each result hangs below the call that it answers, so the way from the next answer passes one of them only.
      user('r1', 'a2', result('call_a')),
      user('r2', 'a3', result('call_b')),
      assistant('a4', 'r2', 'msg_2', text('done')),
    )
    const { exchanges } = await readAll(claudeCode, log)
    expect(exchanges.map(({ usage: found }) => found?.output)).toEqual([20, 20])
    expect(list(field(exchanges[0]?.response, 'content'))).toHaveLength(3)
    expect(messages(exchanges[1])).toEqual([
      { role: 'user', content: 'read a and b' },
      { role: 'assistant', content: [text('I will read both')] },
      { role: 'assistant', content: [call('call_a')] },
      { role: 'assistant', content: [call('call_b')] },
      { role: 'user', content: result('call_a') },
      { role: 'user', content: result('call_b') },
    ])
  })

  it('keep an answer whole whose results are written between its blocks', async () => {
    const log = lines(
      user('u1', null, 'go'),
      assistant('a1', 'u1', 'msg_1', call('call_a')),
      user('r1', 'a1', result('call_a')),
      assistant('a2', 'r1', 'msg_1', call('call_b')),
      user('r2', 'a2', result('call_b')),
      assistant('a3', 'r2', 'msg_2', text('done')),
    )
    const { exchanges } = await readAll(claudeCode, log)
    expect(exchanges).toHaveLength(2)
    expect(messages(exchanges[0])).toHaveLength(1)
    expect(messages(exchanges[1])).toHaveLength(5)
  })

  it('do not take the output that a stream began with for its end', async () => {
    const unfinished = assistant('a1', 'u1', 'msg_1', text('many words '.repeat(40)))
    Object.assign(field(unfinished, 'message') as object, {
      stop_reason: null,
      usage: { input_tokens: 4, output_tokens: 1 },
    })
    const { exchanges } = await readAll(claudeCode, lines(user('u1', null, 'hello'), unfinished))
    expect(exchanges[0]?.usage?.output).toBeUndefined()
    expect(exchanges[0]?.usage?.uncached).toBe(4)
    expect(exchanges[0]?.usage?.anomalies?.map(({ type }) => type)).toEqual(['stream-incomplete'])
  })

  it('follow the branch that an answer stands on, not the order of the file', async () => {
    const log = lines(
      user('u1', null, 'hello'),
      assistant('a1', 'u1', 'msg_1', text('hi')),
      user('u2', 'a1', 'the wrong question'),
      assistant('a2', 'u2', 'msg_2', text('no')),
      user('u3', 'a1', 'the right question'),
      assistant('a3', 'u3', 'msg_3', text('yes')),
    )
    const { exchanges } = await readAll(claudeCode, log)
    expect(shown(exchanges[2])).toContain('the right question')
    expect(shown(exchanges[2])).not.toContain('the wrong question')
  })

  it('tell sub-agents in the same file from the main loop, and keep the order of the file', async () => {
    const side = { isSidechain: true }
    const log = lines(
      user('u1', null, 'delegate'),
      assistant('a1', 'u1', 'msg_1', call('task')),
      user('x1', null, 'first agent', side),
      user('y1', null, 'second agent', side),
      assistant('x2', 'x1', 'msg_x', text('one'), side),
      assistant('y2', 'y1', 'msg_y', text('two'), side),
      user('r1', 'a1', result('task')),
      assistant('a2', 'r1', 'msg_2', text('done')),
    )
    const { exchanges } = await readAll(claudeCode, log)
    expect(exchanges.map(({ ids }) => [ids.response, ids.isSubagent])).toEqual([
      ['msg_1', false],
      ['msg_x', true],
      ['msg_y', true],
      ['msg_2', false],
    ])
    expect(shown(exchanges[1])).toBe('["first agent"]')
    expect(shown(exchanges[2])).toBe('["second agent"]')
    expect(shown(exchanges[3])).not.toContain('agent')
  })

  it('name the sub-agent of a file of its own', async () => {
    const side = { isSidechain: true, agentId: 'ab12' }
    const log = lines(user('x1', null, 'look', side), assistant('x2', 'x1', 'msg_x', text('seen'), side))
    const { exchanges } = await readAll(claudeCode, log, 's1/subagents/agent-ab12.jsonl')
    expect(exchanges[0]?.ids).toMatchObject({ agent: 'ab12', isSubagent: true, session: 's1' })
  })

  it('count an answer once when resuming has copied it into another file', async () => {
    const old = [user('u1', null, 'hello'), assistant('a1', 'u1', 'msg_1', text('hi'))]
    const more = [user('u2', 'a1', 'again'), assistant('a2', 'u2', 'msg_2', text('ho'))]
    const copied = old.map((each) => ({ ...each, sessionId: 's2' }))
    const first = inputOf(lines(...old), 'a.jsonl')
    const second = { ...inputOf(lines(...copied, ...more), 'b.jsonl'), shared: first.shared }
    expect((await readAll(claudeCode, first)).exchanges).toHaveLength(1)
    const resumed = (await readAll(claudeCode, second)).exchanges
    expect(resumed.map(({ ids }) => ids.response)).toEqual(['msg_2'])
    expect(messages(resumed[0])).toHaveLength(3)
    // Another run knows nothing of this one.
    expect((await readAll(claudeCode, lines(...copied, ...more))).exchanges).toHaveLength(2)
  })

  it('restart behind a compaction, and say that there was one', async () => {
    const log = lines(
      user('u1', null, 'hello'),
      assistant('a1', 'u1', 'msg_1', text('hi')),
      line('system', 'b1', null, { subtype: 'compact_boundary', compactMetadata: { trigger: 'auto', preTokens: 9 } }),
      user('c1', 'b1', 'Summary of what was', { isCompactSummary: true }),
      user('u2', 'c1', 'go on'),
      assistant('a2', 'u2', 'msg_2', text('yes')),
    )
    const { exchanges } = await readAll(claudeCode, log)
    expect(shown(exchanges[1])).toBe('["Summary of what was","go on"]')
    expect(exchanges[1]?.events).toEqual([{ type: 'compaction', after: 'auto' }])
    expect(exchanges[0]?.events).toBeUndefined()
  })

  it('move the tail that a compaction keeps below the summary', async () => {
    const kept = { headUuid: 'u2', tailUuid: 'a2', anchorUuid: 'c1' }
    const log = lines(
      user('u1', null, 'old'),
      assistant('a1', 'u1', 'msg_1', text('older')),
      user('u2', 'a1', 'kept question'),
      assistant('a2', 'u2', 'msg_2', text('kept answer')),
      line('system', 'b1', null, { subtype: 'compact_boundary', compactMetadata: { preservedSegment: kept } }),
      user('c1', 'b1', 'Summary', { isCompactSummary: true }),
      user('u3', 'a2', 'go on'),
      assistant('a3', 'u3', 'msg_3', text('yes')),
      user('u4', 'c1', 'or below the summary'),
      assistant('a4', 'u4', 'msg_4', text('yes')),
    )
    const { exchanges } = await readAll(claudeCode, log)
    const tail = '"kept question",[{"type":"text","text":"kept answer"}]'
    expect(shown(exchanges[1])).toBe('["old",[{"type":"text","text":"older"}],"kept question"]')
    expect(shown(exchanges[2])).toBe(`["Summary",${tail},"go on"]`)
    expect(shown(exchanges[3])).toBe(`["Summary",${tail},"or below the summary"]`)
  })

  it('end where a kept tail names its anchor in a circle', async () => {
    const kept = { headUuid: 'u1', tailUuid: 'u2', anchorUuid: 'c1' }
    const log = lines(
      user('u1', null, 'one'),
      user('u2', 'u1', 'two'),
      line('system', 'b1', null, { subtype: 'compact_boundary', compactMetadata: { preservedSegment: kept } }),
      user('c1', 'u2', 'Summary'),
      assistant('a1', 'c1', 'msg_1', text('yes')),
    )
    expect((await readAll(claudeCode, log)).exchanges).toHaveLength(1)
  })

  it('show results that the client pruned as it sends them from then on', async () => {
    const log = lines(
      user('u1', null, 'go'),
      assistant('a1', 'u1', 'msg_1', call('call_a')),
      user('r1', 'a1', result('call_a')),
      assistant('a2', 'r1', 'msg_2', text('read')),
      line('system', 'b1', 'a2', {
        subtype: 'microcompact_boundary',
        microcompactMetadata: { compactedToolIds: ['call_a', 7] },
      }),
      user('u2', 'b1', 'go on'),
      assistant('a3', 'u2', 'msg_3', text('yes')),
    )
    const { exchanges } = await readAll(claudeCode, log)
    expect(shown(exchanges[1])).toContain('result of call_a')
    expect(shown(exchanges[2])).not.toContain('result of call_a')
    expect(exchanges[2]?.events).toEqual([{ type: 'compaction', after: 'tool results' }])
  })

  it('name what has changed since the call before', async () => {
    const message = { model: 'claude-sonnet-4-6', id: 'msg_2', role: 'assistant', content: [text('yes')] }
    const log = lines(
      user('u1', null, 'hello', { permissionMode: 'default', thinkingMetadata: { level: 'high' } }),
      assistant('a1', 'u1', 'msg_1', text('hi'), { gitBranch: 'main' }),
      user('u2', 'a1', 'go on', { permissionMode: 'plan', thinkingMetadata: { maxThinkingTokens: 1024 } }),
      assistant('a2', 'u2', 'msg_2', text('yes'), { gitBranch: 'fix', version: '2.2.1', cwd: '/w/x', message }),
    )
    const { exchanges } = await readAll(claudeCode, log)
    expect(exchanges[0]?.events).toBeUndefined()
    expect(exchanges[1]?.events).toEqual([
      { type: 'effort', before: 'high', after: '1024' },
      { type: 'permissions', before: 'default', after: 'plan' },
      { type: 'model', before: 'claude-opus-4-8', after: 'claude-sonnet-4-6' },
      { type: 'client-version', before: '2.2.0', after: '2.2.1' },
      { type: 'directory', before: '/w', after: '/w/x' },
      { type: 'branch', before: 'main', after: 'fix' },
    ])
    // No usage was written for it, which is not a usage of 0.
    expect(exchanges[1]?.usage).toBeUndefined()
    expect(exchanges[1]?.project).toBe('/w/x')
  })

  it('keep the reason for a miss in the words of the provider', async () => {
    const diagnosed = assistant('a1', 'u1', 'msg_1', text('hi'))
    const reason = { type: 'system_changed', cache_missed_input_tokens: 900 }
    Object.assign(field(diagnosed, 'message') as object, { diagnostics: { cache_miss_reason: reason } })
    const { exchanges } = await readAll(claudeCode, lines(user('u1', null, 'hello'), diagnosed))
    expect(exchanges[0]?.providerReason).toBe('system_changed')
  })

  it('tell calls that failed, and leave out what the client said itself', async () => {
    const synthetic = (content: string): object => ({
      model: '<synthetic>',
      role: 'assistant',
      content: [text(content)],
    })
    const log = lines(
      user('u1', null, 'hello'),
      assistant('a1', 'u1', 'msg_1', text('hi')),
      user('u2', 'a1', 'go on'),
      line('assistant', 'e1', 'u2', {
        isApiErrorMessage: true,
        error: 'server_error',
        message: { ...synthetic('API Error: 529 overloaded'), id: 'local' },
      }),
      user('u3', 'e1', 'again'),
      line('assistant', 'n1', 'u3', { message: synthetic('No response requested.') }),
      user('u4', 'n1', 'and again'),
      assistant('a2', 'u4', 'msg_2', text('yes')),
    )
    const { exchanges } = await readAll(claudeCode, log)
    expect(exchanges).toHaveLength(3)
    expect(exchanges[1]).toMatchObject({ status: 529, error: 'server_error', model: 'claude-opus-4-8' })
    expect(exchanges[1]?.usage).toBeUndefined()
    expect(shown(exchanges[2])).not.toContain('529')
    expect(shown(exchanges[2])).toContain('No response requested.')
    expect(exchanges[2]?.events).toBeUndefined()
  })

  it('read models of other vendors and clouds as what they were asked with', async () => {
    const glm = assistant('a1', 'u1', 'x', text('hi'))
    Object.assign(field(glm, 'message') as object, { model: 'glm-5.1' })
    const bedrock = assistant('a2', 'a1', 'msg_bdrk_1', text('hi'))
    const { exchanges } = await readAll(claudeCode, lines(user('u1', null, 'hello'), glm, bedrock))
    expect(layout(exchanges[0]?.request).format).toBe('anthropic')
    expect(exchanges.map(({ provider }) => provider)).toEqual([undefined, 'bedrock'])
  })

  it('read sessions without parents, ids and times in the order of the file', async () => {
    const bare = (type: string, content: unknown): object => ({
      type,
      sessionId: 's',
      message: { role: type, content },
    })
    const log = lines(
      { type: 'summary', summary: 'x', leafUuid: 'y' },
      bare('user', 'hello'),
      bare('assistant', [text('hi')]),
      bare('user', 'more'),
      bare('assistant', [text('ho')]),
    )
    const { recognised, exchanges } = await readAll(claudeCode, log)
    expect(recognised).toBe(true)
    expect(exchanges).toHaveLength(2)
    expect(messages(exchanges[1])).toHaveLength(3)
    expect(exchanges[1]?.startedAt).toBeUndefined()
    expect(exchanges[1]?.fidelity.time).toBe(false)
  })

  it('count every line that is none, and read the others', async () => {
    const good = lines(user('u1', null, 'hello'), assistant('a1', 'u1', 'msg_1', text('hi')))
    const bad = '{"type":"user","mess\n42\n[1]\n"text"\n\n{"silly":1}\n{"type":"assistant","message":"error"}\n'
    const cut = JSON.stringify(assistant('a2', 'a1', 'msg_2', text('lost'))).slice(0, -30)
    const { exchanges, unread } = await readAll(claudeCode, good + bad + cut)
    expect(exchanges).toHaveLength(1)
    expect(unread.map(({ line: at, kind }) => [at, kind])).toEqual([
      [3, 'broken'],
      [4, 'unknown-shape'],
      [5, 'unknown-shape'],
      [6, 'unknown-shape'],
      [8, 'unknown-shape'],
      [9, 'unknown-shape'],
      [10, 'broken'],
    ])
  })

  it('go on behind a line that was lost', async () => {
    const log = lines(
      user('u1', null, 'hello'),
      assistant('a1', 'u1', 'msg_1', text('hi')),
      user('u2', 'lost', 'still here'),
      assistant('a2', 'u2', 'msg_2', text('yes')),
    )
    const { exchanges } = await readAll(claudeCode, log)
    expect(messages(exchanges[1])).toHaveLength(3)
  })

  it('leave the result of a call that a compaction has taken away where it is', async () => {
    const log = lines(
      user('u1', null, 'go'),
      assistant('a1', 'u1', 'msg_1', call('call_a')),
      line('system', 'b1', null, { subtype: 'compact_boundary' }),
      user('r1', 'b1', result('call_a')),
      assistant('a2', 'r1', 'msg_2', text('yes')),
    )
    const { exchanges } = await readAll(claudeCode, log)
    expect(messages(exchanges[1])).toEqual([{ role: 'user', content: result('call_a') }])
  })

  it('send with every call all that the call before it sent and got, whatever runs in between', async () => {
    const turns = fc.array(fc.record({ calls: fc.nat(3), agents: fc.nat(2) }), { maxLength: 80 })
    const law = fc.asyncProperty(turns, async (given) => {
      const records: object[] = [user('u', null, 'go')]
      let last = 'u'
      for (const [turn, { calls, agents }] of given.entries()) {
        const blocks = Array.from({ length: calls + 1 }, (_none, index) => `${turn}.${index}`)
        for (const id of blocks) {
          records.push(assistant(id, last, `msg_${turn}`, id.endsWith('.0') ? text(id) : call(id)))
          last = id
        }
        for (let agent = 0; agent < agents; agent++) {
          const [side, id] = [{ isSidechain: true, agentId: `${turn}/${agent}` }, `side ${turn}/${agent}`]
          records.push(user(id, null, 'look', side), assistant(`${id} a`, id, `msg ${id}`, text('seen'), side))
        }
        for (const id of blocks.slice(1)) {
          records.push(user(`r ${id}`, id, result(id)))
          last = `r ${id}`
        }
        if (calls === 0) {
          records.push(user(`u ${turn}`, last, `prompt ${turn}`))
          last = `u ${turn}`
        }
      }
      const { exchanges } = await readAll(claudeCode, lines(...records))
      const main = exchanges.filter(({ ids }) => ids.isSubagent === false)
      let sent: readonly unknown[] = []
      let expected = 1
      for (const [turn, exchange] of main.entries()) {
        expect(messages(exchange).slice(0, sent.length)).toEqual(sent)
        expect(messages(exchange)).toHaveLength(expected)
        sent = messages(exchange)
        const calls = given[turn]?.calls ?? 0
        expected += calls === 0 ? 2 : 1 + 2 * calls
      }
      expect(main).toHaveLength(given.length)
    })
    await fc.assert(law, { numRuns: 50 })
  })

  it('are not mistaken for other logs of one object per line', () => {
    const isClaudeCode = (content: string): boolean => claudeCode.recognises(inputOf(content).head)
    expect(isClaudeCode(lines({ type: 'session', id: 'x', cwd: '/' }, { type: 'message', message: {} }))).toBe(false)
    expect(isClaudeCode(lines({ timestamp: 't', type: 'session_meta', payload: {} }))).toBe(false)
    expect(isClaudeCode(lines({ request: { body: {} }, sessionId: 's' }))).toBe(false)
    expect(isClaudeCode('')).toBe(false)
    expect(isClaudeCode(lines({ type: 'file-history-snapshot', messageId: 'm', snapshot: {} }))).toBe(true)
    expect(isClaudeCode(`{"parentUuid":null,"isSidechain":false,"message":{"content":"${'x'.repeat(300_000)}`)).toBe(
      true,
    )
  })

  it('never throw, whatever a line holds', async () => {
    const value = fc.jsonValue({ maxDepth: 2 })
    const record = fc.record(
      {
        type: fc.constantFrom('user', 'assistant', 'system', 'x'),
        uuid: fc.constantFrom('a', 'b', 'c', 1),
        parentUuid: fc.oneof(fc.constantFrom(null, 'a', 'b', 'z'), value),
        isSidechain: fc.oneof(fc.boolean(), value),
        message: fc.oneof(value, fc.record({ id: value, content: fc.oneof(value, fc.array(value)), usage: value })),
        timestamp: value,
        compactMetadata: value,
        subtype: fc.constantFrom('compact_boundary', 'microcompact_boundary', 'x'),
      },
      { requiredKeys: ['type'] },
    )
    const law = fc.asyncProperty(fc.array(fc.oneof(record, value), { maxLength: 12 }), async (records) => {
      const { exchanges, unread } = await readAll(claudeCode, lines(...records))
      expect(exchanges.length + unread.length).toBeLessThanOrEqual(records.length)
    })
    await fc.assert(law, { numRuns: 100 })
  })
})
