/** Whatever JSON arrives, the endpoints of OpenAI and Google refuse it or answer it; they do not fall over. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { fields } from './fields.ts'
import { gemini } from './gemini/gemini.ts'
import { openaiChat } from './openai/chat.ts'
import { openaiResponses } from './openai/responses.ts'
import { testPrediction, testRequest } from './test-request.ts'
import type { Endpoint } from './types.ts'

const odd = fc.jsonValue({ maxDepth: 2 }).map((value): unknown => JSON.parse(JSON.stringify(value)))

/** Objects with some of these keys, as odd as the values are. */
function some(keys: readonly string[], value: fc.Arbitrary<unknown> = odd): fc.Arbitrary<Record<string, unknown>> {
  return fc.record(Object.fromEntries(keys.map((key) => [key, value])), { requiredKeys: [] })
}

const mark = fc.oneof(odd, fc.constant({ mode: 'explicit' }))
const block = fc.oneof(odd, some(['type', 'text', 'prompt_cache_breakpoint', 'functionCall', 'functionResponse'], mark))
const item = fc.oneof(
  odd,
  fc.record(
    {
      role: fc.oneof(odd, fc.constantFrom('user', 'assistant', 'tool', 'model')),
      type: fc.oneof(odd, fc.constantFrom('message', 'function_call', 'function_call_output', 'item_reference')),
      content: fc.oneof(odd, fc.array(block)),
      parts: fc.oneof(odd, fc.array(block)),
      id: odd,
      call_id: odd,
      tool_call_id: odd,
      tool_calls: fc.oneof(odd, fc.array(odd)),
      output: fc.oneof(odd, fc.array(block)),
    },
    { requiredKeys: [] },
  ),
)
const items = fc.oneof(odd, fc.array(item))
const options = some(['mode', 'ttl', 'prewarm', 'comparison_response_id'])
const bodies = fc.record(
  {
    messages: items,
    input: items,
    contents: items,
    tools: fc.oneof(odd, fc.array(block)),
    instructions: odd,
    text: fc.oneof(odd, some(['format', 'verbosity'])),
    reasoning: fc.oneof(odd, some(['effort', 'summary'])),
    include: odd,
    stream_options: odd,
    store: odd,
    cachedContent: odd,
    generationConfig: odd,
    previous_response_id: fc.oneof(odd, fc.constant('resp_a')),
    prompt_cache_retention: odd,
    prompt_cache_options: fc.oneof(odd, options, fc.constant({ comparison_response_id: 'resp_a' })),
  },
  { requiredKeys: [] },
)

const endpoints: readonly [string, () => Endpoint][] = [
  ['Chat Completions', openaiChat],
  ['Responses', openaiResponses],
  ['generateContent', gemini],
]

it.each(endpoints)('%s answers or refuses any body', (_, create) => {
  const answer = { text: 'a', thinking: 'b', toolCalls: [{ name: 'look', input: {} }] }
  const prediction = testPrediction({ total: 10 })
  fc.assert(
    fc.property(bodies, bodies, fc.constantFrom('gpt-5.6-sol', 'gpt-4o', 'other'), (first, second, model) => {
      const endpoint = create()
      for (const [body, id] of [
        [first, 'req_a'],
        [second, 'req_b'],
      ] as const) {
        const request = testRequest({ ...body, model }, { id })
        const refusal = endpoint.check(request)
        if (refusal !== null) expect(fields(fields(refusal.body)['error'])['message']).toEqual(expect.any(String))
        endpoint.edit?.(request)
        const whole = endpoint.answer(request, answer, prediction)
        expect(JSON.parse(JSON.stringify(whole))).toEqual(whole)
        expect(endpoint.stream(request, answer, prediction).length).toBeGreaterThan(0)
      }
    }),
    { numRuns: 300 },
  )
})
