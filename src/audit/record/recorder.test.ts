import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createSimulator, guessTokens, layout } from '../../cache/index.ts'
import { exchangeOf, testStart, turnsOf } from '../test-turns.ts'
import { PreparedRequest } from '../../cache/layout/prepared.ts'
import { Recorder } from './recorder.ts'
import { segmentsOf } from './segments.ts'

const mark = { cache_control: { type: 'ephemeral' } }
const words = (count: number, seed: string): string =>
  Array.from({ length: count }, (_, at) => `${seed}${at % 7}`).join(' ')

/** A conversation that grows by a call and its result each turn. */
function claude(turns: number, system: (turn: number) => string = () => words(1_500, 'rule')): unknown[] {
  const messages: object[] = []
  return Array.from({ length: turns }, (_, turn) => {
    messages.push({ role: 'user', content: [{ type: 'text', text: `${turn} ${words(60, 'ask')}` }] })
    const sent = messages.map((message, at) =>
      at === messages.length - 1
        ? { role: 'user', content: [{ type: 'text', text: `${turn} ${words(60, 'ask')}`, ...mark }] }
        : message,
    )
    const body = {
      model: 'claude-opus-5',
      system: [{ type: 'text', text: system(turn), ...mark }],
      tools: [{ name: 'read', description: 'Reads.', input_schema: { type: 'object' } }],
      messages: structuredClone(sent),
    }
    messages.push({
      role: 'assistant',
      content: [{ type: 'tool_use', id: `t${turn}`, name: 'read', input: { path: `${turn}` } }],
    })
    messages.push({ role: 'user', content: [{ type: 'tool_result', tool_use_id: `t${turn}`, content: words(9, 'x') }] })
    return body
  })
}

function chat(turns: number, system: (turn: number) => string): unknown[] {
  const messages: object[] = []
  return Array.from({ length: turns }, (_, turn) => {
    messages.push({ role: 'user', content: words(80, `q${turn}`) })
    const body = {
      model: 'gpt-4o',
      messages: structuredClone([{ role: 'system', content: system(turn) }, ...messages]),
    }
    messages.push({ role: 'assistant', content: words(20, `a${turn}`) })
    return body
  })
}

describe('Recorder', () => {
  it('holds the segments that layout gives', () => {
    const [turn] = turnsOf(claude(3).slice(-1))
    const expected = layout(claude(3)[2]).segments
    expect(
      segmentsOf(turn!).map(({ block, path, breakpoint }) => ({
        path,
        section: block.section,
        role: block.role,
        type: block.type,
        content: block.text,
        tokens: block.tokens,
        breakpoint,
      })),
    ).toEqual(expected)
  })

  it('keeps what two turns share once', () => {
    const [first, second] = turnsOf(claude(2))
    expect(second!.places[0]).toBe(first!.places[0])
    expect(second!.places[1]).toBe(first!.places[1])
    // The mark moved on, the content did not.
    expect(second!.places[2]!.raw).not.toBe(first!.places[2]!.raw)
    expect(second!.places[2]!.raw.blocks[0]).toBe(first!.places[2]!.raw.blocks[0])
  })

  it.each([
    ['anthropic', (system: (turn: number) => string) => claude(6, system)],
    ['openai', (system: (turn: number) => string) => chat(6, system)],
    ['deepseek', (system: (turn: number) => string) => chat(6, system)],
    ['vllm', (system: (turn: number) => string) => chat(6, system)],
  ] as const)('is played by %s like the bodies themselves', (provider, bodiesOf) => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(2), { minLength: 6, maxLength: 6 }),
        fc.constantFrom(60, 60_000_000),
        (days, most) => {
          const bodies = bodiesOf((turn) => `${words(800, 'rule')} Day ${days[turn]}. ${words(900, 'rule')}`)
          const recorder = new Recorder({ maxCharacters: provider === 'anthropic' ? most : 60_000_000 })
          const whole = createSimulator({ provider, countTokens: guessTokens })
          const prepared = createSimulator({ provider, countTokens: recorder.countTokens })
          bodies.forEach((body, index) => {
            const startedAt = testStart + index * 20_000
            const turn = recorder.record(exchangeOf(body, { startedAt }))
            const made = prepared.send(
              new PreparedRequest({
                ...turn,
                format: turn.format!,
                items: turn.places,
                texts: provider !== 'anthropic',
              }),
              { startedAt },
            )
            expect(made).toEqual(whole.send(body, { startedAt }))
          })
        },
      ),
      { numRuns: 20 },
    )
  })

  it('follows a chain of responses to the bodies that it stands for', () => {
    const answer = {
      id: 'resp_1',
      output: [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Yes.' }] }],
    }
    const recorder = new Recorder()
    recorder.record(exchangeOf({ model: 'gpt-5.4', input: 'One?' }, { response: answer }))
    const turn = recorder.record(
      exchangeOf({ model: 'gpt-5.4', previous_response_id: 'resp_1', input: [{ role: 'user', content: 'Two?' }] }),
    )
    expect(segmentsOf(turn).map(({ block }) => block.text)).toEqual(['One?', 'Yes.', 'Two?'])
  })

  it('says why a body cannot be laid out, and goes on', () => {
    const recorder = new Recorder()
    const broken = recorder.record(exchangeOf({ model: 'claude-opus-5', system: [{ type: 'text' }], messages: [] }))
    expect(broken).toMatchObject({ format: null, places: [] })
    expect(broken.unreadable).toContain('system[0]')
    expect(recorder.record(exchangeOf(undefined))).toMatchObject({ number: 1, format: null, unreadable: undefined })
  })

  it('reads what the answer says, streamed or whole', () => {
    const usage = { input_tokens: 3, cache_read_input_tokens: 10, cache_creation_input_tokens: 5, output_tokens: 7 }
    const stream = [
      `data: ${JSON.stringify({ type: 'message_start', message: { id: 'msg_1', model: 'claude-opus-5', usage } })}`,
      `data: ${JSON.stringify({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 9 } })}`,
      'data: {"type":"message_st',
    ].join('\n\n')
    const [turn] = turnsOf(claude(1), () => ({ response: stream }))
    expect(turn).toMatchObject({
      answer: { id: 'msg_1', model: 'claude-opus-5', stopReason: 'end_turn' },
      failed: false,
    })
    expect(turn!.usage).toMatchObject({ total: 18, read: 10, output: 9 })
  })

  it('knows a call that failed from one without a recorded answer', () => {
    const [refused, broken, open] = turnsOf(
      claude(3),
      (index) => [{ status: 529 }, { response: { type: 'error' } }, {}][index]!,
    )
    expect([refused!.failed, broken!.failed, open!.failed]).toEqual([true, true, false])
  })
})
