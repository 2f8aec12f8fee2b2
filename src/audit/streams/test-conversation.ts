/** Conversations for tests: the bodies that a simple agent sends, one for each of its turns. */
import type { Exchange } from '../exchange.ts'
import type { Turn } from '../record/types.ts'
import { turnsOf } from '../test-turns.ts'
import { Linker } from './linker.ts'
import type { LinkedTurn, Stream } from './types.ts'

/** A body of the Messages API, as far as it matters here. */
export interface Body {
  readonly model: string
  readonly max_tokens: number
  readonly tools: readonly unknown[]
  readonly system: string
  readonly messages: readonly { readonly role: string; readonly content: unknown }[]
}

/** How a conversation is led. */
export interface Agent {
  readonly model?: string
  readonly tools?: readonly string[]
  /** Its instructions in a turn. */
  readonly system?: (turn: number) => string
}

/** A tool by its name. */
export function tool(name: string): unknown {
  return {
    name,
    description: `Does ${name}.`,
    input_schema: { type: 'object', properties: { path: { type: 'string' } } },
  }
}

/** What a coding agent is told, long enough that a few words more or less do not matter. */
export const instructions = `You are an agent that works in a repository. Read before you write, keep changes small,
run the tests after each change, and say what you did in two sentences. Never invent a file. Ask when a request is unclear.`

/** The bodies of a conversation about `topic`: what was said is in each, followed by one more question. */
export function conversation(topic: string, turns: number, agent: Agent = {}): Body[] {
  const { model = 'claude-opus-4-6', tools = ['read', 'write', 'run'], system = () => instructions } = agent
  const said: Body['messages'][number][] = []
  return Array.from({ length: turns }, (_, turn) => {
    if (turn > 0) said.push({ role: 'assistant', content: `Answer ${turn} on ${topic}: it was found, and done.` })
    said.push({ role: 'user', content: `Question ${turn + 1} on ${topic}: what of ${topic} is next?` })
    return { model, max_tokens: 1000, tools: tools.map(tool), system: system(turn), messages: [...said] }
  })
}

/** One call of a log. */
export interface Call {
  readonly body: unknown
  readonly over?: Partial<Exchange>
}

/** Links the calls of a log. */
export function link(calls: readonly Call[]): {
  readonly turns: readonly Turn[]
  readonly linked: readonly LinkedTurn[]
  readonly streams: readonly Stream[]
} {
  const linker = new Linker()
  const turns = turnsOf(
    calls.map(({ body }) => body),
    (index) => calls[index]?.over ?? {},
  )
  const linked = turns.map((turn) => linker.add(turn))
  return { turns, linked, streams: linker.finish() }
}

/** The same, of bodies without anything beside them. */
export function linkBodies(bodies: readonly unknown[]): ReturnType<typeof link> {
  return link(bodies.map((body) => ({ body })))
}

/** The turn numbers of each stream. */
export function numbers(streams: readonly Stream[]): number[][] {
  return streams.map(({ turns }) => turns.map(({ turn }) => turn.number))
}

/** Per turn the number of its parent. */
export function parents(linked: readonly LinkedTurn[]): (number | null)[] {
  return linked.map(({ parent }) => parent?.number ?? null)
}
