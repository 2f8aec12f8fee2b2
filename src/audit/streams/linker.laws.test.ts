import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  conversation,
  instructions,
  link,
  linkBodies,
  numbers,
  type Agent,
  type Body,
  type Call,
} from './test-conversation.ts'

/** What may change from turn to turn without making it another conversation. */
const agents: readonly Agent[] = [
  {},
  { system: (turn) => `Today is 2026-11-0${(turn % 9) + 1}. ${instructions}` },
  { system: (turn) => `${instructions}\nTurn ${turn} of 40 on branch zürich-${turn >> 1}.` },
  {
    tools: ['read', 'search', 'open'],
    system: () => 'You look things up in a library and answer with its words only.',
  },
]

/** Opens with the time of day, in the same block as the question. */
function withClock(bodies: readonly Body[]): Body[] {
  return bodies.map((body, turn) => {
    const [first, ...rest] = body.messages
    const content = `<now>1${turn % 10}:3${turn % 6}</now>\n${String(first?.content)}`
    return { ...body, messages: [{ role: 'user', content }, ...rest] }
  })
}

const scripts = fc.uniqueArray(
  fc.record({
    topic: fc.stringMatching(/^[a-z]{5,12}$/),
    turns: fc.integer({ min: 1, max: 6 }),
    agent: fc.constantFrom(...agents),
    clock: fc.boolean(),
  }),
  { selector: ({ topic }) => topic, minLength: 1, maxLength: 6 },
)

interface Told {
  readonly topic: string
  readonly turn: number
  readonly body: Body
}

const logs = fc.tuple(scripts, fc.infiniteStream(fc.nat())).map(([chosen, dice]) =>
  interleave(
    chosen.map(({ topic, turns, agent, clock }) => {
      const bodies = conversation(topic, turns, agent)
      return (clock ? withClock(bodies) : bodies).map((body, turn): Told => ({ topic, turn, body }))
    }),
    dice,
  ),
)

function interleave(all: readonly (readonly Told[])[], dice: Iterator<number>): Told[] {
  const left = all.map((bodies) => [...bodies])
  const log: Told[] = []
  for (;;) {
    const open = left.filter(({ length }) => length > 0)
    if (open.length === 0) return log
    const next = open[Number(dice.next().value) % open.length]?.shift()
    if (next !== undefined) log.push(next)
  }
}

describe('whatever runs beside it', () => {
  it('a conversation is linked as it is alone', () => {
    fc.assert(
      fc.property(logs, (log) => {
        const { linked, streams } = linkBodies(log.map(({ body }) => body))
        for (const { turn, parent } of linked) {
          const own = log[turn.number]
          const from = parent === null ? undefined : log[parent.number]
          expect(from?.turn).toBe(own?.turn === 0 ? undefined : (own?.turn ?? 0) - 1)
          if (from !== undefined) expect(from.topic).toBe(own?.topic)
        }
        expect(streams).toHaveLength(new Set(log.map(({ topic }) => topic)).size)
      }),
      { numRuns: 60 },
    )
  })

  it('every turn is in one stream, in order, and its parent in that stream or in the one it forked from', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ depth: fc.integer({ min: 1, max: 4 }), way: fc.nat(2), failed: fc.boolean() }), {
          maxLength: 20,
        }),
        (steps) => {
          const calls = steps.map(({ depth, way, failed }): Call => ({
            body: conversation(`path ${way}`, 4)[depth - 1],
            over: failed ? { status: 500 } : {},
          }))
          const { linked, streams } = link(calls)
          const placed = numbers(streams)
          expect(placed.flat().sort((one, other) => one - other)).toEqual(linked.map(({ turn }) => turn.number))
          for (const { turns, parent } of streams) {
            const own = turns.map(({ turn }) => turn.number)
            expect(own).toEqual(own.toSorted((one, other) => one - other))
            for (const { parent: from, repeats, turn } of turns) {
              if (from === null) continue
              expect(from.number).toBeLessThan(turn.number)
              const home = streams.find(({ turns: others }) => others.some((other) => other.turn === from))
              expect(own.includes(from.number) || home?.id === parent?.stream).toBe(true)
              if (repeats) expect(own).toContain(from.number)
            }
          }
        },
      ),
      { numRuns: 60 },
    )
  })

  it('ids and families are the same in every run and in every order of the conversations', () => {
    const told = (topics: readonly string[]): string[] => {
      const calls = topics.flatMap((topic) =>
        conversation(topic, 3).map((body, index): Call => ({
          body,
          over: { source: { file: `${topic}.jsonl`, line: index + 1 }, startedAt: 1_780_000_000_000 + index },
        })),
      )
      return link(calls)
        .streams.map(({ id, family }) => `${id} ${family}`)
        .sort()
    }
    const topics = ['caches', 'tests', 'docs', 'ports']
    fc.assert(
      fc.property(fc.shuffledSubarray(topics, { minLength: 4 }), (order) => {
        expect(told(order)).toEqual(told(topics))
      }),
      { numRuns: 12 },
    )
    expect(new Set(told(topics)).size).toBe(4)
  })
})
