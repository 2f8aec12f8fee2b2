import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions'
import type { ResponseInputItem } from 'openai/resources/responses/responses'
import { describe, expect, it } from 'vitest'
import { turnTold, type Told } from '../../../test/support/told.ts'
import { createSimulator, type Prediction } from '../../cache/index.ts'
import { toOpenAIChat, toOpenAIResponses, type OpenAIOptions } from './index.ts'

const model = 'gpt-6.1-sol'
const long = (text: string): string => `${text} ${'word '.repeat(400)}`
const head = { instructions: long('You review code.').repeat(4), baseline: long('Branch: main') }

interface Sent extends OpenAIOptions {
  readonly mode?: 'explicit'
}

/** What the cache makes of a conversation that is sent as far as each count goes, in turn; the last with `last` besides. */
type Play = (counts: readonly number[], options?: Sent, last?: Sent) => readonly Prediction[]

function playing<M extends object>(
  told: readonly Told<M>[],
  lower: (turn: ReturnType<typeof turnTold<M>>, params: { model: string }, options: OpenAIOptions) => { body: object },
): Play {
  return (counts, options = {}, last = {}) => {
    const simulator = createSimulator({ provider: 'openai' })
    return counts.map((count, index) => {
      const { mode, ...rest } = { ...options, ...(index === counts.length - 1 && last) }
      const params = { model, ...(mode && { prompt_cache_options: { mode } }) }
      return simulator.send(lower(turnTold(told.slice(0, count), head), params, rest).body)
    })
  }
}

const user = (text: string) => ({ role: 'user', content: long(text) }) as const
const said = { role: 'assistant', content: 'Yes.' } as const
const ours = { update: ['system'] } as const
const theirs = { update: ['user'] } as const

const chat = playing<ChatCompletionMessageParam>(
  [
    user('One'),
    theirs,
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'a', type: 'function', function: { name: 'read', arguments: '{}' } }],
    },
    { role: 'tool', tool_call_id: 'a', content: long('did a') },
    ours,
    said,
    user('Two'),
  ],
  toOpenAIChat,
)
const responses = playing<ResponseInputItem>(
  [
    user('One'),
    theirs,
    { type: 'function_call', call_id: 'a', name: 'read', arguments: '{}' },
    { type: 'function_call_output', call_id: 'a', output: long('did a') },
    ours,
    said,
    user('Two'),
  ],
  toOpenAIResponses,
)

const written = ({ usage }: Prediction): number => usage.write30m
/** All that the request before could have left in the cache. */
const left = ({ usage }: Prediction): number => usage.read + usage.write30m

describe.each([
  ['toOpenAIChat', chat],
  ['toOpenAIResponses', responses],
] as const)('what %s sends to GPT-5.6 and later', (_, play) => {
  it('is read up to the last answered request, in a tool loop with an update too', () => {
    const predictions = play([2, 5, 7])
    for (const [index, before] of predictions.slice(0, -1).entries()) {
      expect(predictions[index + 1]!.usage.read).toBe(left(before))
    }
    expect(predictions.map((prediction) => written(prediction) > 0)).toEqual([true, true, true])
  })

  it('is read up to the user message when it was aborted and an update comes with the next attempt', () => {
    const [first, second] = play([1, 2]) as [Prediction, Prediction]
    expect(second.usage.read).toBe(left(first))
  })

  it('is read as well in explicit mode', () => {
    const predictions = play([2, 5, 7], { mode: 'explicit' })
    expect(predictions.map(({ usage }) => usage.read)).toEqual(play([2, 5, 7]).map(({ usage }) => usage.read))
  })

  it('is read, and nothing is written, when nobody will come back', () => {
    const [, before, last] = play([2, 5, 7], {}, { expectedTurns: 1 }) as [Prediction, Prediction, Prediction]
    expect(last.usage.read).toBe(left(before))
    expect(written(last)).toBe(0)
  })

  it('leaves what other conversations share when it is the only request', () => {
    const [only] = play([1], {}, { expectedTurns: 1 }) as [Prediction]
    expect(only.usage.write30m).toBeGreaterThan(1_500)
    expect(only.usage.uncached).toBeGreaterThan(700)
  })
})
