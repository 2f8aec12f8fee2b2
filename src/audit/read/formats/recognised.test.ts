import { describe, expect, it } from 'vitest'
import { inputOf } from '../test-input.ts'
import { recogniseOther } from './recognised.ts'

const recognised = (content: string): string | undefined => recogniseOther(inputOf(content).head)?.id
const json = (...records: readonly unknown[]): string => records.map((each) => `${JSON.stringify(each)}\n`).join('')
const pretty = (value: unknown): string => JSON.stringify(value, null, 2)

const samples: readonly (readonly [string, string])[] = [
  ['indelible-store', 'SQLite format 3\0 ... CREATE TABLE "indelible_events" ...'],
  ['sqlite', 'SQLite format 3\0 ... CREATE TABLE message ...'],
  ['mitmproxy-flow', '1743:9:websocket;0:~8:response;'],
  ['mitmproxy-flow', '2001:7:version;2:20#4:type;4:http;'],
  ['claude-code-stream', json({ type: 'system', subtype: 'init', session_id: 's', tools: [] })],
  ['prompt-history', json({ display: 'hi', pastedContents: {}, timestamp: 1, project: '/w' })],
  ['prompt-history', json({ session_id: 's', ts: 1, text: 'hi' })],
  ['codex-old', json({ id: 's', timestamp: 't', instructions: null }, { type: 'message', role: 'user', content: [] })],
  ['codex-old', json({ type: 'message' }, { record_type: 'state' })],
  ['opencode', pretty({ info: { id: 'ses_1' }, messages: [{ info: {}, parts: [] }] })],
  ['opencode', pretty({ id: 'msg_1', sessionID: 'ses_1', role: 'assistant', tokens: {} })],
  ['gemini-cli', json({ sessionId: 's', projectHash: 'h', startTime: 't' }, { id: '1', type: 'user' })],
  ['gemini-cli', pretty({ sessionId: 's', projectHash: 'h', messages: [] })],
  ['cline', pretty([{ ts: 1, type: 'say', say: 'api_req_started', text: '{}' }])],
  ['goose', json({ model_config: {}, input: { messages: [] } }, { data: {}, usage: null })],
  ['openclaw', json({ ts: 't', seq: 1, stage: 'stream:context', runId: 'r', messages: [] })],
  ['copilot-chat', json({ type: 'session' }, { type: 'llm_request', attrs: { inputTokens: 5 } })],
  ['aider', '\n# aider chat started at 2026-11-01 10:00:00\n'],
  ['aider', 'TO LLM 2026-11-01T10:00:00\nSYSTEM hello\n'],
  ['lhar', json({ type: 'session', trace_id: 't', tool: 'claude', model: 'm' })],
  ['lhar', json({ type: 'entry', trace_id: 't', usage_ext: {} })],
  ['langsmith', json({ id: 'r', run_type: 'llm', inputs: {}, outputs: {} })],
  ['langsmith', pretty([{ id: 'r', run_type: 'llm', inputs: {}, outputs: {} }])],
  ['openhands', pretty({ messages: [], response: {}, args: [], kwargs: {}, timestamp: 1, cost: 0 })],
  ['trajectory', pretty([{ role: 'system', content: 'x' }])],
  ['trajectory', pretty({ trajectory_format: 'mini-swe-agent-1', info: {}, messages: [] })],
  ['trajectory', pretty({ trajectory: [], history: [], info: {} })],
  ['trajectory', pretty([{ traj: [], task_id: 1 }])],
  ['trajectory', pretty({ simulations: [], tasks: [], info: {} })],
]

describe('formats that are known and not read', () => {
  it.each(samples)('are named: %s %#', (id, content) => {
    expect(recognised(content)).toBe(id)
  })

  it('come with one sentence on what to do', () => {
    for (const [, content] of samples) {
      const advice = recogniseOther(inputOf(content).head)?.advice
      expect(advice).toMatch(/^[^\n]{20,200}\.$/)
    }
  })

  it('are told from the start of a document that is longer than the head', () => {
    expect(
      recognised(
        pretty([
          { role: 'system', content: 'x'.repeat(300_000) },
          { role: 'user', content: 'y' },
        ]),
      ),
    ).toBe('trajectory')
  })

  it.each([
    ['nothing', ''],
    ['text', 'hello\nworld\n'],
    ['half a value', '{"a":'],
    ['numbers', '1\n2\n'],
    ['a null', 'null'],
    ['an object', '{}'],
    ['a list', '[null, 1, []]'],
  ])('are not seen in %s', (_name, content) => {
    expect(recognised(content)).toBeUndefined()
  })
})
