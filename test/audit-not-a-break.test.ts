/**
 * What differs between requests and breaks no cache: nothing of it is ever a culprit, and nothing is lost by it. Notes may
 * say that it was seen.
 */
import { describe, expect, it } from 'vitest'
import type { AuditReport } from '../src/audit/index.ts'
import type { Api } from './support/audit/apis.ts'
import {
  blocksOf,
  conversation,
  mapBlocks,
  mark,
  markedAtEnd,
  rulesOf,
  toolOf,
  toolsOf,
  type Block,
  type Body,
  type Message,
  type Scene,
} from './support/audit/coding-agent.ts'
import { auditOf, type Call, type LogOptions } from './support/audit/log.ts'
import { toChat, toGemini, toResponses } from './support/audit/other-apis.ts'
import { expectSound, lengthsOf, turnsOf, verdictsOf } from './support/audit/readings.ts'
import { byTime, calls, TURNS } from './support/audit/scenes.ts'
import { subAgent, titleBody } from './support/audit/side-agents.ts'

/** Audits, and expects that nobody is accused and nothing is lost. */
async function expectInnocent(log: readonly Call[], options?: LogOptions): Promise<AuditReport> {
  const report = await auditOf(log, options)
  expectSound(report)
  expect(report.culprits).toEqual([])
  expect(report.totals.lost.tokens).toBe(0)
  expect(report.counterfactual.steps.filter(({ remedy }) => remedy.type === 'culprits')).toEqual([])
  return report
}

/** One stream whose turns each go on from the one before. */
function expectAppended(report: AuditReport): void {
  expect(report.streams).toHaveLength(1)
  const [first, ...others] = verdictsOf(report)
  expect(first).toBe('first')
  expect(new Set(others)).toEqual(new Set(['appended']))
}

async function expectInnocentScene(scene: Omit<Scene, 'turns'>): Promise<AuditReport> {
  const report = await expectInnocent(calls(conversation({ turns: TURNS, ...scene })))
  expectAppended(report)
  return report
}

/** The first text of a message, instead of a list of one. */
function asString(message: Message): Message {
  const blocks = blocksOf(message)
  return blocks.length === 1 && blocks[0]?.['type'] === 'text'
    ? { ...message, content: String(blocks[0]['text']) }
    : message
}

describe('a breakpoint', () => {
  it('that moves with the conversation is no break', async () => {
    await expectInnocentScene({})
  })

  it('that is one of two rolling ones is none', async () => {
    await expectInnocentScene({
      over: (turn, { messages }) => ({
        messages: turn === 0 ? messages : [...markedAtEnd(messages.slice(0, -2)), ...messages.slice(-2)],
      }),
    })
  })

  it('that comes to the tools, or goes from the rules, is none', async () => {
    await expectInnocentScene({
      tools: (turn) =>
        toolsOf().map((tool, index, all) => (turn > 3 && index === all.length - 1 ? { ...tool, ...mark } : tool)),
      over: (turn, { system }) => ({
        system: turn > 5 ? system.map((block) => ({ type: 'text', text: block['text'] })) : system,
      }),
    })
  })

  it('that asks for another lifetime is none', async () => {
    await expectInnocentScene({
      over: (turn, body) =>
        turn < 4
          ? body
          : (JSON.parse(JSON.stringify(body).replaceAll('"ephemeral"', '"ephemeral","ttl":"5m"')) as Body),
    })
  })

  it('that the provider places itself is none', async () => {
    await expectInnocentScene({ marksMessages: false, over: () => mark })
  })
})

describe('a text as a string and as a list of one', () => {
  it('is one text in messages', async () => {
    await expectInnocentScene({
      answer: (turn, usual) => (turn % 2 === 0 ? usual.slice(0, 1) : usual),
      history: (messages, turn) => (turn % 2 === 0 ? messages.map(asString) : messages),
    })
  })

  it('is one text where the client marks it only at the end', async () => {
    await expectInnocentScene({
      history: (messages) =>
        messages.map((message, index) => (index < messages.length - 1 ? asString(message) : message)),
    })
  })

  it('is one text in the result of a tool', async () => {
    const report = await expectInnocentScene({
      history: (messages, turn) =>
        mapBlocks(messages, (block) =>
          block['type'] === 'tool_result' && turn > 3
            ? { ...block, content: [{ type: 'text', text: block['content'] }] }
            : block,
        ),
    })
    expect(turnsOf(report)[4]?.divergence).toBeNull()
  })

  it('is one text in the system prompt', async () => {
    await expectInnocentScene({
      marksMessages: true,
      over: (turn, { system }) => {
        const text = String(system[0]?.['text'])
        return { system: turn < 4 ? text : [{ type: 'text', text }] }
      },
    })
  })

  it('is one text in Chat Completions', async () => {
    const bodies = conversation({ turns: TURNS }).map((body, turn) => {
      const chat = toChat(body)
      const inParts = (message: Block): Block => ({ ...message, content: [{ type: 'text', text: message['content'] }] })
      return turn < 4
        ? chat
        : { ...chat, messages: chat.messages.map((each) => (each['role'] === 'tool' ? each : inParts(each))) }
    })
    expectAppended(await expectInnocent(calls(bodies), { api: 'chat' }))
  })

  it('is one text in Responses', async () => {
    const bodies = conversation({ turns: TURNS }).map((body, turn) => {
      const responses = toResponses(body)
      if (turn < 4) return responses
      const input = responses.input.map((item) => {
        const { role, content } = item as { role?: string; content?: { text: string }[] }
        return role === undefined ? item : { role, content: content?.[0]?.text }
      })
      return { ...responses, input }
    })
    expectAppended(await expectInnocent(calls(bodies), { api: 'responses' }))
  })
})

describe('parameters', () => {
  it.each<[string, (turn: number) => object]>([
    ['temperature', (turn) => ({ temperature: turn / 10 })],
    ['top_p and top_k', (turn) => ({ top_p: 1 - turn / 20, top_k: 40 + turn })],
    ['the most tokens of an answer', (turn) => ({ max_tokens: 1000 + turn * 100 })],
    ['stop sequences', (turn) => ({ stop_sequences: [`</stop${turn}>`] })],
    ['streaming', (turn) => ({ stream: turn % 2 === 0 })],
    ['metadata', (turn) => ({ metadata: { user_id: `request ${turn}` } })],
  ])('of sampling and delivery break nothing: %s', async (_, over) => {
    await expectInnocentScene({ over })
  })

  it.each<[Api, (body: Body) => object, (turn: number) => object]>([
    [
      'chat',
      toChat,
      (turn) => ({
        temperature: turn / 10,
        seed: turn,
        max_completion_tokens: 900 + turn,
        stream_options: { include_usage: turn % 2 === 0 },
      }),
    ],
    [
      'responses',
      toResponses,
      (turn) => ({ temperature: turn / 10, max_output_tokens: 900 + turn, metadata: { turn: String(turn) } }),
    ],
    [
      'gemini',
      toGemini,
      (turn) => ({ generationConfig: { temperature: turn / 10, topK: 40 + turn, maxOutputTokens: 900 + turn } }),
    ],
  ])('of sampling break nothing elsewhere (%s)', async (api, convert, over) => {
    const bodies = conversation({ turns: TURNS, rules: () => longRules }).map((body, turn) => ({
      ...convert(body),
      ...over(turn),
    }))
    expectAppended(await expectInnocent(calls(bodies), { api }))
  })

  it('that choose a tool lose neither tools nor system on Claude', async () => {
    const bodies = conversation({
      turns: TURNS,
      marksMessages: false,
      over: (turn) => ({ tool_choice: turn % 2 === 0 ? { type: 'auto' } : { type: 'tool', name: 'search' } }),
    })
    const report = await auditOf(calls(bodies))
    expectSound(report)
    expect(report.culprits).toEqual([])
    // The conversation is not marked, and that is all there is to say.
    for (const { verdict, tokens } of turnsOf(report).slice(1)) {
      expect(verdict).not.toBe('scope')
      expect(tokens.read).toBeGreaterThan(2000)
    }
  })

  const longRules = conversation({ turns: 1 })[0]!
    .system.map((block) => String(block['text']))
    .join('\n')
    .repeat(2)
})

describe('calls beside a conversation', () => {
  const main = conversation({ turns: TURNS })

  it('that make titles are streams of their own', async () => {
    const log = calls(main).flatMap((call, turn) =>
      turn % 3 === 1 ? [call, { body: titleBody(turn), at: call.at + 5 }] : [call],
    )
    const report = await auditOf(log)
    expectSound(report)
    expect(report.culprits).toEqual([])
    const stream = report.streams.find(({ turns }) => turns.length === TURNS)
    expect(stream?.turns.slice(1).map(({ verdict }) => verdict)).toEqual(
      Array.from({ length: TURNS - 1 }, () => 'appended'),
    )
    expect(stream?.culprits).toEqual([])
  })

  const beside = (agents: readonly (readonly object[])[], record?: Call['record']): Call[] =>
    byTime(
      [calls(main), ...agents.map((bodies, at) => calls(bodies, (turn) => ({ at: 130 + at * 60 + turn * 12 })))].flat(),
    ).map((call) => (record === undefined ? call : { ...call, record }))
  it('of sub-agents are streams of their own', async () => {
    const report = await expectInnocent(beside([subAgent(21), subAgent(22)]))
    expect(lengthsOf(report)).toEqual([4, 4, TURNS])
  })

  it.each<[string, object, Call['record']]>([
    ['one session', {}, { session_id: 'session-1' }],
    [
      'one session that Claude Code names',
      { metadata: { user_id: 'user_1_account__session_5a5ed1c2-77aa-4e1b-8c57-0a4a5d3c1b2e' } },
      undefined,
    ],
  ])('of sub-agents with the rules of the main one are no break between sessions, in %s', async (_, over, record) => {
    const rules = `${rulesOf()}\n\nYou were called by another agent. Report what you found.`
    const log = beside([subAgent(21, over, rules), subAgent(22, over, rules)], record).map((call) => ({
      ...call,
      body: { ...call.body, ...over },
    }))
    const report = await expectInnocent(log)
    expect(lengthsOf(report)).toEqual([4, 4, TURNS])
  })

  it('that only count tokens are no turns', async () => {
    const log = calls(main).flatMap((call) => {
      const { max_tokens: _, ...counted } = call.body as Body
      const count = {
        body: counted,
        at: call.at - 2,
        took: 1,
        url: 'https://api.anthropic.com/v1/messages/count_tokens',
        response: { input_tokens: 4700 },
      }
      return [count, call]
    })
    const report = await expectInnocent(log)
    expectAppended(report)
    expect(report.totals.turns).toBe(TURNS)
  })

  it('of another task with the same prompt are another conversation', async () => {
    const log = [1, 2, 3].flatMap((seed) =>
      calls(conversation({ turns: 3, seed }), (turn) => ({ at: seed * 200 + turn * 50 })),
    )
    const report = await expectInnocent(log)
    expect(report.streams).toHaveLength(3)
    expect(verdictsOf(report).filter((verdict) => verdict === 'first')).toHaveLength(3)
  })
})

describe('the same again', () => {
  const main = conversation({ turns: TURNS })

  it('is a repeat', async () => {
    const log = calls(main).flatMap((call, turn) => (turn === 3 ? [call, { ...call, at: call.at + 20 }] : [call]))
    const report = await expectInnocent(log)
    expect(report.streams).toHaveLength(1)
    expect(verdictsOf(report)).toEqual([
      'first',
      'appended',
      'appended',
      'appended',
      'repeat',
      'appended',
      'appended',
      'appended',
      'appended',
    ])
  })

  it('after it failed goes on as if nothing had been', async () => {
    const overloaded = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }
    const log = calls(main).flatMap((call, turn) =>
      turn === 3
        ? [
            { ...call, status: 529, response: overloaded },
            { ...call, at: call.at + 20 },
          ]
        : [call],
    )
    const report = await expectInnocent(log)
    expect(report.streams).toHaveLength(1)
    expect(verdictsOf(report).filter((verdict) => verdict !== 'appended')).toEqual(['first', 'failed'])
  })

  it('to fill the cache beforehand is a prewarm', async () => {
    const [first] = main as [Body, ...Body[]]
    const log = [{ body: { ...first, max_tokens: 1 }, at: -30 }, ...calls(main)]
    const report = await expectInnocent(log)
    expect(verdictsOf(report).slice(0, 3)).toEqual(['prewarm', 'repeat', 'appended'])
  })
})

describe('what is said at the end', () => {
  it('as a system message is appended', async () => {
    const told = (turn: number): Message => ({
      role: 'system',
      content: [{ type: 'text', text: `The branch is now fix/${turn}.` }],
    })
    await expectInnocentScene({
      history: (messages, turn) =>
        messages.flatMap((message, index) =>
          message.role === 'user' && index >= 4 && index % 4 === 0 && index <= turn * 2
            ? [message, told(index)]
            : [message],
        ),
    })
  })

  it('as a tool that is added natively is appended', async () => {
    const added: Message = {
      role: 'system',
      content: [{ type: 'tool_addition', tool: { type: 'tool_definition', definition: toolOf('weigh') } }],
    }
    await expectInnocentScene({
      history: (messages, turn) => (turn < 4 ? messages : [...messages.slice(0, 9), added, ...messages.slice(9)]),
    })
  })

  it('as a clock in the newest message is appended where it stays', async () => {
    await expectInnocentScene({
      history: (messages) =>
        messages.map((message, index) =>
          message.role === 'user'
            ? {
                ...message,
                content: [...blocksOf(message), { type: 'text', text: `<now>2026-11-02T09:${10 + index}:00Z</now>` }],
              }
            : message,
        ),
    })
  })

  it('instead of a question that was taken back is a fork', async () => {
    const bodies = conversation({ turns: 5 })
    const { messages } = bodies[4] as Body
    const other = {
      ...bodies[4]!,
      messages: markedAtEnd([
        ...messages.slice(0, -1),
        { role: 'user', content: [{ type: 'text', text: 'Stop. Write the test first, and do it in another file.' }] },
      ]),
    }
    const report = await auditOf(calls([...bodies, other]))
    expectSound(report)
    expect(report.culprits).toEqual([])
    const [turn] = turnsOf(report).slice(5)
    expect(turn?.verdict).not.toBe('rewritten')
    expect(turn?.tokens.read).toBe(turnsOf(report)[4]?.tokens.read)
  })
})

describe('other differences that no model sees', () => {
  it('as keys of messages and blocks in another order are notes', async () => {
    const turned = (object: object): Block => Object.fromEntries(Object.entries(object).reverse())
    await expectInnocentScene({
      history: (messages, turn) =>
        turn < 4
          ? messages
          : messages.map(
              (message) => turned({ ...message, content: blocksOf(message).map(turned) }) as unknown as Message,
            ),
    })
  })

  it('as keys of the body in another order are none', async () => {
    const bodies = conversation({ turns: TURNS }).map((body, turn) =>
      turn < 4 ? body : Object.fromEntries(Object.entries(body).reverse()),
    )
    expectAppended(await expectInnocent(calls(bodies)))
  })

  it('as escapes in the text of the body are none', async () => {
    const bodies = conversation({ turns: TURNS, environment: () => 'Größe: 12 € in /home/ana' })
    expectAppended(await expectInnocent(calls(bodies)))
  })
})
