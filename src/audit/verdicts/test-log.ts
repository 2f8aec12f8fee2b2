/** Small logs for the tests of verdicts: conversations with Claude, recorded and linked each to the call before. */
import type { Exchange } from '../exchange.ts'
import { Recorder } from '../record/recorder.ts'
import type { Turn } from '../record/types.ts'
import type { LinkedTurn, Stream } from '../streams/types.ts'
import { exchangeOf, testStart } from '../test-turns.ts'
import { judge, type Judgement } from './judge.ts'
import type { Verdict } from './types.ts'

/** A call of a test. */
export interface Call {
  readonly body?: unknown
  /** Seconds since the start of the test. */
  readonly at?: number
  readonly over?: Partial<Exchange>
  /** As Anthropic reports: read, written for 5 minutes, uncached. */
  readonly usage?: readonly [read: number, written: number, uncached: number]
  /** The index of the call that it goes on from, where it is not the one before; null for the first of a conversation. */
  readonly parent?: number | null
  readonly repeats?: boolean
}

/** Some 1,800 tokens by the guess of lengths: enough for every model here to be cached. */
export const rules: string = 'Be brief, be right, and say what you did about it. '.repeat(150)

/** A mark of the caller. */
export const mark = { cache_control: { type: 'ephemeral' } } as const

/** A user message with a mark. */
export function user(text: string, marked = true): object {
  return { role: 'user', content: [{ type: 'text', text, ...(marked && mark) }] }
}

/** An answer of the model. */
export function answer(text: string): object {
  return { role: 'assistant', content: [{ type: 'text', text }] }
}

/** A body for Claude: marked at the system prompt, and as the messages are. */
export function claude(messages: readonly unknown[], over: object = {}): object {
  return {
    model: 'claude-opus-5',
    max_tokens: 1000,
    system: [{ type: 'text', text: rules, ...mark }],
    messages,
    ...over,
  }
}

/** `count` bodies that each go on from the one before, marked at the end, with a long message in each. */
export function conversation(count: number, over: (index: number) => object = () => ({})): readonly object[] {
  return Array.from({ length: count }, (_, index) => {
    const messages = Array.from({ length: index + 1 }, (_each, at) => [
      ...(at === 0 ? [] : [answer(`Answer ${at}`)]),
      user(`Question ${at}. ${'Look at it again. '.repeat(40)}`, at === index),
    ])
    return claude(messages.flat(), over(index))
  })
}

/** Judges calls as one stream, or as several where they name their parents so. Calls are 30 seconds apart unless they say. */
export function judged(calls: readonly Call[]): Judgement & { readonly list: readonly Verdict[] } {
  const recorder = new Recorder()
  const turns = calls.map((call, index) => recorder.record(exchangeFor(call, index)))
  const streams = streamsOf(calls, turns)
  const judgement = judge(streams, { countTokens: recorder.countTokens })
  return { ...judgement, list: turns.map(({ number }) => judgement.verdicts.get(number) as Verdict) }
}

/** Each body a call, with no more said. */
export function callsOf(bodies: readonly unknown[], over: (index: number) => Omit<Call, 'body'> = () => ({})): Call[] {
  return bodies.map((body, index) => ({ body, ...over(index) }))
}

function exchangeFor({ body, at, over, usage }: Call, index: number): Exchange {
  const startedAt = testStart + (at ?? index * 30) * 1000
  return exchangeOf(body, {
    startedAt,
    endedAt: startedAt + 2000,
    source: { file: 'test.jsonl', line: index + 1 },
    response:
      usage &&
      ({
        id: `msg_${index}`,
        usage: { input_tokens: usage[2], cache_read_input_tokens: usage[0], cache_creation_input_tokens: usage[1] },
      } as const),
    ...over,
  })
}

function streamsOf(calls: readonly Call[], turns: readonly Turn[]): readonly Stream[] {
  const streams: { id: string; turns: LinkedTurn[] }[] = []
  const ofTurn = new Map<number, { id: string; turns: LinkedTurn[] }>()
  for (const [index, turn] of turns.entries()) {
    const { parent = index === 0 ? null : index - 1, repeats = false } = calls[index] ?? {}
    const stream = parent === null ? { id: `stream ${index}`, turns: [] } : ofTurn.get(parent)
    if (stream === undefined) throw new Error('A call goes on from a later one.')
    if (parent === null) streams.push(stream)
    ofTurn.set(index, stream)
    stream.turns.push({ turn, parent: parent === null ? null : (turns[parent] ?? null), repeats })
  }
  return streams.map((stream) => ({ ...stream, parent: null, family: 'family' }))
}
