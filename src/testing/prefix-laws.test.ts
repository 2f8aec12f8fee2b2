/**
 * What no conversation changes about the checks: one that only grows passes, however it is interleaved with others, and one
 * in which anything was changed in front of an answer does not.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { expectStablePrefix } from './expect-stable-prefix.ts'
import type { SentRequest } from './sent-request.ts'

const numRuns = Number(process.env['LAWS_RUNS'] ?? 150)

const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 })
const words = fc
  .array(fc.stringMatching(/^[a-zé世]{1,9}$/), { minLength: 3, maxLength: 12 })
  .map((list) => `${list.join(' ')}.`)
const said = fc.oneof(words, words, text)

/** What an agent is made of, and what is said to it and by it in turn. */
interface Script {
  readonly system: string
  readonly tools: readonly string[]
  readonly said: readonly string[]
}

const script = fc.record<Script>({
  system: words,
  tools: fc.uniqueArray(fc.stringMatching(/^[a-z_]{3,12}$/), { maxLength: 4 }),
  said: fc
    .array(said, { minLength: 5, maxLength: 9 })
    .map((list) => list.slice(0, list.length - 1 + (list.length % 2))),
})

/** Bodies of one API. */
type Api = (script: Script, messages: readonly string[]) => object

const apis: Readonly<Record<string, Api>> = {
  anthropic: ({ system, tools }, messages) => ({
    model: 'claude-opus-5',
    system: [{ type: 'text', text: system, cache_control: { type: 'ephemeral' } }],
    tools: tools.map((name) => ({ name, input_schema: { type: 'object' } })),
    messages: messages.map((content, index) => ({ role: index % 2 === 0 ? 'user' : 'assistant', content })),
  }),
  chat: ({ system, tools }, messages) => ({
    model: 'gpt-6.1-sol',
    tools: tools.map((name) => ({ type: 'function', function: { name } })),
    messages: [
      { role: 'system', content: system },
      ...messages.map((content, index) => ({ role: index % 2 === 0 ? 'user' : 'assistant', content })),
    ],
  }),
  responses: ({ system, tools }, messages) => ({
    model: 'gpt-6.1-sol',
    instructions: system,
    tools: tools.map((name) => ({ type: 'function', name })),
    input: messages.map((content, index) => ({ role: index % 2 === 0 ? 'user' : 'assistant', content })),
  }),
  gemini: ({ system, tools }, messages) => ({
    systemInstruction: { parts: [{ text: system }] },
    tools: [{ functionDeclarations: tools.map((name) => ({ name })) }],
    contents: messages.map((content, index) => ({
      role: index % 2 === 0 ? 'user' : 'model',
      parts: [{ text: content }],
    })),
  }),
}

const api = fc.constantFrom(...Object.values(apis))

/** The request of each turn; `change` gives the script that it is made from. */
function requestsOf(make: Api, own: Script, change: (turn: number) => Script = () => own): object[] {
  const turns = (own.said.length + 1) / 2
  return Array.from({ length: turns }, (_, turn) => {
    const changed = change(turn)
    return make(changed, changed.said.slice(0, 2 * turn + 1))
  })
}

describe('expectStablePrefix', () => {
  it('passes every conversation that only grows', () => {
    fc.assert(
      fc.property(api, script, (make, own) => {
        const requests = requestsOf(make, own)
        const compared = requests.length - 1
        expect(expectStablePrefix(requests, { conversations: 'single' })).toEqual({ conversations: 1, compared })
        expect(expectStablePrefix(requests).compared).toBe(compared)
      }),
      { numRuns },
    )
  })

  it('passes conversations that only grow in any order of their requests', () => {
    fc.assert(
      fc.property(fc.tuple(api, script), fc.tuple(api, script), fc.infiniteStream(fc.boolean()), (one, two, coin) => {
        const queues = [requestsOf(...one), requestsOf(...two)] as const
        const requests: SentRequest[] = []
        while (queues.some(({ length }) => length > 0)) {
          const next =
            queues[coin.next().value === true ? 0 : 1].shift() ?? queues.find(({ length }) => length > 0)?.shift()
          if (next !== undefined) requests.push(next)
        }
        expect(expectStablePrefix(requests).compared).toBeGreaterThan(0)
      }),
      { numRuns },
    )
  })

  it('passes no conversation in which something in front of an answer is another from one turn on', () => {
    const place = fc.oneof(fc.constant('system' as const), fc.constant('tools' as const), fc.nat())
    fc.assert(
      fc.property(api, script, fc.nat(), place, words, (make, own, when, where, other) => {
        const turn = 1 + (when % ((own.said.length - 1) / 2))
        const changed = changeAt(own, where === 'system' || where === 'tools' ? where : where % (2 * turn), other)
        fc.pre(changed !== null)
        const requests = requestsOf(make, own, (at) => (at < turn ? own : (changed ?? own)))
        expect(() => expectStablePrefix(requests, { conversations: 'single' })).toThrow(/^Request/)
        // With another last question, a request may as well go on from the turn before: the user asked anew.
        const isFork = turn > 1 && typeof where === 'number' && where % (2 * turn) === 2 * turn - 2
        if (!isFork) expect(() => expectStablePrefix(requests)).toThrow(/^Request|^None of/)
      }),
      { numRuns },
    )
  })
})

/** The script with one of its parts replaced; null where it is the same. */
function changeAt(own: Script, where: 'system' | 'tools' | number, other: string): Script | null {
  if (where === 'system') return other === own.system ? null : { ...own, system: other }
  if (where === 'tools') return { ...own, tools: [`new_${own.tools.length}`, ...own.tools] }
  // What a request ends with before the change: the last answer is not in it.
  return where % 2 === 1 || own.said[where] === other ? null : { ...own, said: own.said.with(where, other) }
}
