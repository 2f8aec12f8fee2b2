import fc from 'fast-check'
import type { ResponseInputItem } from 'openai/resources/responses/responses'
import { describe, expect, it } from 'vitest'
import { linesOf } from '../../../../test/support/told.ts'
import { value } from '../../../sources/index.ts'
import { absent, combine, createSessions, defineSource, memoryStore } from '../../../index.ts'
import { openAIResponsesFormat, toOpenAIResponses, type OpenAIResponsesOptions } from '../index.ts'

type Item = ResponseInputItem

/** What happens before an answer: a source changes, a request is aborted, the session moves; and what the answer calls. */
const step = fc.record({
  value: fc.option(fc.constantFrom('a', 'b', absent)),
  aborted: fc.boolean(),
  moved: fc.boolean(),
  calls: fc.nat(2),
  tool: fc.boolean(),
})

describe('a chain of responses', () => {
  it('holds, request by request, what the whole conversation would send', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 2, maxLength: 10 }),
        fc.constantFrom<OpenAIResponsesOptions>({}, { updates: 'tagged' }, { tools: 'held' }),
        async (steps, options) => {
          await play(steps, options)
        },
      ),
      { numRuns: 100 },
    )
  })
})

describe('a chain of responses where the host keeps the history', () => {
  it('goes on from the turn that was answered', async () => {
    let branch = 'main'
    const session = createSessions<Item>({
      store: memoryStore(),
      format: openAIResponsesFormat,
      context: value('test/branch', () => branch),
    }).attach('host')
    const history: Item[] = [{ role: 'user', content: 'One' }]
    const first = await session.turn({ history })
    history.push({ role: 'assistant', content: 'Yes.' }, { role: 'user', content: 'Two' })
    branch = 'fix'
    const second = await session.turn({ history })
    const previous = { id: 'resp_1', revision: first.revision }
    expect(linesOf(toOpenAIResponses(second, { model: 'gpt-6.1-sol' }, { previous }).body.input))
      .toMatchInlineSnapshot(`
      "{"type":"message","role":"developer","content":"The setting \\"test/branch\\" is now \\"fix\\"."}
      {"role":"user","content":"Two"}"
    `)
    history.push({ role: 'assistant', content: 'Well.' }, { role: 'user', content: 'Three' })
    const third = await session.turn({ history })
    const { body } = toOpenAIResponses(
      third,
      { model: 'gpt-6.1-sol' },
      { previous: { id: 'resp_2', revision: second.revision } },
    )
    expect(linesOf(body.input)).toBe('{"role":"user","content":"Three"}')
  })
})

type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

async function play(steps: readonly Step[], options: OpenAIResponsesOptions): Promise<void> {
  const world: { value: string | typeof absent; tools: string[] } = { value: 'start', tools: ['read'] }
  const source = (key: string, authority: 'system' | 'user') =>
    defineSource<string>({
      key,
      authority,
      required: false,
      codec: { encode: (value) => value, decode: String },
      load: () => world.value,
      baseline: (current) => `${key} is ${current}.`,
      update: (_, current) => `${key} is now ${current}.`,
      removed: () => `${key} is gone.`,
    })
  const session = createSessions<Item>({
    store: memoryStore(),
    format: openAIResponsesFormat,
    context: combine(source('test/ours', 'system'), source('test/theirs', 'user')),
    tools: () => world.tools.map((name) => ({ type: 'function', name, strict: false, parameters: {} })),
    onToolAdded: 'append',
  }).open('chain')

  let held: string[] = []
  let epoch: number | undefined
  let previous: OpenAIResponsesOptions['previous']
  let pending: Item[] = []
  for (const [number, { value, aborted, moved, calls, tool }] of steps.entries()) {
    if (pending.length > 0) await session.append(pending)
    else await session.submit({ role: 'user', content: `Input ${number}` })
    if (moved && pending.length === 0) await session.move()
    if (value !== null) world.value = value
    if (aborted) {
      await session.turn()
      await session.submit({ role: 'user', content: `Again ${number}` })
    }
    if (tool) world.tools.push(`tool_${number}`)

    const turn = await session.turn()
    const params = { model: 'gpt-6.1-sol' }
    const whole = toOpenAIResponses(turn, params, options)
    const next = toOpenAIResponses(turn, params, { ...options, ...(previous && { previous }) })
    expect(next.chained).toBe(turn.epoch === epoch)
    const sent = linesOf(next.body.input).split('\n')
    const all = next.chained ? [...held, ...sent] : sent
    expect(all.join('\n')).toBe(linesOf(whole.body.input))
    expect(next.body.tools).toBe(whole.body.tools)
    expect(next.warnings.filter(({ type }) => type === 'tools-held')).toEqual(
      whole.warnings.filter(({ type }) => type === 'tools-held'),
    )

    const answer = answerOf(number, calls)
    const { revision } = await turn.answer(answer)
    held = [...all, ...answer.map((item) => JSON.stringify(item))]
    previous = { id: `resp_${number}`, revision }
    epoch = turn.epoch
    pending = answer.flatMap((item) =>
      item.type === 'function_call' ? [{ type: 'function_call_output', call_id: item.call_id, output: 'done' }] : [],
    )
  }
}

function answerOf(number: number, calls: number): Item[] {
  return [
    { type: 'reasoning', id: `rs_${number}`, summary: [], encrypted_content: 'opaque' },
    { type: 'message', role: 'assistant', content: `Answer ${number}`, phase: 'commentary' },
    ...Array.from({ length: calls }, (_, index): Item => {
      return { type: 'function_call', call_id: `call_${number}_${index}`, name: 'read', arguments: '{ }' }
    }),
  ]
}
