/** The same breaks in the bodies of other APIs. */
import { describe, expect, it } from 'vitest'
import type { Api } from './support/audit/apis.ts'
import { conversation, mapBlocks, rulesOf, toolsOf, type Block, type Body } from './support/audit/coding-agent.ts'
import { toChat, toGemini, toResponses, toResponsesItems } from './support/audit/other-apis.ts'
import { onlyCulprit, turnsOf, turnsWith, verdictsOf } from './support/audit/readings.ts'
import { calls, audited, from, pad, turned, TURNS } from './support/audit/scenes.ts'

describe('other APIs', () => {
  const volatile = conversation({
    turns: TURNS,
    rules: (turn) => `It is 2026-11-02T09:${pad(turn)}:11Z.\n${rulesOf()}`,
  })
  const clean = conversation({ turns: TURNS })

  it.each<[Api, (body: Body) => object, RegExp]>([
    ['chat', toChat, /^messages\[0\]/],
    ['responses', toResponses, /^instructions/],
    ['gemini', toGemini, /^systemInstruction/],
  ])('name a clock (%s)', async (api, convert, path) => {
    const report = await audited(calls(volatile.map((body) => convert(body))), { api })
    const culprit = onlyCulprit(report)
    expect(culprit.kind).toBe('clock')
    expect(culprit.path).toMatch(path)
    expect(turnsWith(culprit)).toEqual(from(1))
    expect(culprit.tokensLost).toBeGreaterThan(10_000)
    expect(verdictsOf(report).slice(1)).toEqual(from(1).map(() => 'rewritten'))
  })

  it.each<[Api, (body: Body) => object]>([
    ['chat', toChat],
    ['responses', toResponses],
    ['gemini', toGemini],
  ])('name tools in another order (%s)', async (api, convert) => {
    const bodies = conversation({ turns: TURNS, tools: (turn) => (turn < 4 ? toolsOf() : toolsOf().reverse()) })
    const report = await audited(calls(bodies.map((body) => convert(body))), { api })
    expect(onlyCulprit(report).kind).toBe('tool-reordered')
    expect(turnsWith(report.culprits[0]!)).toEqual([4])
  })

  it.each<[Api, (body: Body) => object]>([
    ['chat', toChat],
    ['responses', toResponses],
    ['gemini', toGemini],
  ])('name a result that is pruned (%s)', async (api, convert) => {
    const bodies = conversation({
      turns: 12,
      history: (messages, turn) =>
        mapBlocks(messages, (block, message) =>
          turn >= 8 && message < 8 && block['type'] === 'tool_result'
            ? { ...block, content: '[old output removed]' }
            : block,
        ),
    })
    const report = await audited(calls(bodies.map((body) => convert(body))), { api })
    expect(onlyCulprit(report).kind).toBe('pruned-result')
    expect(turnsWith(report.culprits[0]!)).toEqual([8])
  })

  it.each<[string, string, (call: { id: string; function: { arguments: string } }) => object]>([
    ['ids made anew', 'tool-call-ids', (call) => ({ ...call, id: `call_${call.id.slice(-8)}` })],
    [
      'arguments in another order',
      'argument-order',
      (call) => ({
        ...call,
        function: {
          ...call.function,
          arguments: JSON.stringify(turned(JSON.parse(call.function.arguments) as object)),
        },
      }),
    ],
    [
      'arguments with spaces and other numbers',
      'argument-order',
      (call) => ({
        ...call,
        function: {
          ...call.function,
          arguments: call.function.arguments.replaceAll(',', ', ').replace(/:(\d+)/, ': $1.0'),
        },
      }),
    ],
    [
      'arguments with escapes',
      'argument-order',
      (call) => ({
        ...call,
        function: { ...call.function, arguments: call.function.arguments.replaceAll('/', String.raw`\u002f`) },
      }),
    ],
  ])('name calls with %s (chat)', async (_, kind, change) => {
    const bodies = clean.map((body, turn) => {
      const chat = toChat(body)
      if (turn < 4) return chat
      const ids = new Map<unknown, unknown>()
      const messages = chat.messages.map((message) => {
        const list = message['tool_calls'] as { id: string; function: { arguments: string } }[] | undefined
        if (list !== undefined) {
          const tool_calls = list.map((call) => change(call))
          for (const [at, call] of list.entries()) ids.set(call.id, (tool_calls[at] as { id: string }).id)
          return { ...message, tool_calls }
        }
        return message['role'] === 'tool' ? { ...message, tool_call_id: ids.get(message['tool_call_id']) } : message
      })
      return { ...chat, messages }
    })
    const report = await audited(calls(bodies), { api: 'chat' })
    const culprit = onlyCulprit(report)
    expect(culprit.kind).toBe(kind)
    expect(turnsWith(culprit)).toEqual([4])
  })

  it('name the model as the parameter that changed (responses)', async () => {
    const report = await audited(
      calls(clean.map((body, turn) => toResponses(body, turn < 4 ? 'gpt-5.4' : 'gpt-5.4-mini'))),
      {
        api: 'responses',
      },
    )
    expect(report.streams).toHaveLength(1)
    expect(onlyCulprit(report)).toMatchObject({ kind: 'parameter', path: 'parameter model' })
    expect(turnsOf(report)[4]?.verdict).toBe('scope')
  })

  it('name signatures of thoughts that are dropped (gemini)', async () => {
    const bodies = clean.map((body, turn) => {
      const gemini = toGemini(body)
      return turn < 4
        ? gemini
        : (JSON.parse(
            JSON.stringify(gemini, (key, value: unknown) => (key === 'thoughtSignature' ? undefined : value)),
          ) as object)
    })
    const report = await audited(calls(bodies), { api: 'gemini' })
    expect(onlyCulprit(report).kind).toBe('thinking-dropped')
    expect(turnsWith(report.culprits[0]!)).toEqual([4])
  })

  it('name reasoning that is dropped (responses)', async () => {
    const bodies = clean.map((body, turn) => {
      const responses = toResponses(body)
      const input = responses.input.flatMap((item, index) => {
        const isCall = (item as Block)['type'] === 'function_call'
        return isCall && turn < 5
          ? [
              {
                type: 'reasoning',
                id: `rs_${index}`,
                summary: [],
                encrypted_content: `gAAAA${'bWluZA'.repeat(40)}${index}`,
              },
              item,
            ]
          : [item]
      })
      return { ...responses, input }
    })
    const report = await audited(calls(bodies), { api: 'responses' })
    expect(onlyCulprit(report).kind).toBe('thinking-dropped')
    expect(turnsWith(report.culprits[0]!)).toEqual([5])
  })

  it('join bodies that carry only what is new (responses)', async () => {
    const whole = volatile.map((body) => toResponses(body))
    const chained = whole.map((body, turn) => {
      if (turn === 0) return body
      const { messages } = volatile[turn] as Body
      return { ...body, previous_response_id: `resp_${turn - 1}`, input: messages.slice(-1).flatMap(toResponsesItems) }
    })
    const answers = (turn: number): object => ({
      id: `resp_${turn}`,
      object: 'response',
      model: 'gpt-5.4',
      output: toResponsesItems(
        (volatile.at(-1) as Body).messages[turn * 2 + 1] ?? { role: 'assistant', content: 'Done.' },
      ),
      usage: { input_tokens: 4000 + turn * 600, input_tokens_details: { cached_tokens: 0 }, output_tokens: 120 },
    })
    const report = await audited(
      calls(chained, (turn) => ({ response: answers(turn) })),
      { api: 'responses' },
    )
    expect(report.streams).toHaveLength(1)
    expect(onlyCulprit(report).kind).toBe('clock')
    expect(turnsOf(report)[5]?.predicted?.uncached).toBeGreaterThan(5000)
  })
})
