/** What is streamed is the whole answer in pieces, for every answer. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fields, list, text } from '../fields.ts'
import { testPrediction, testRequest } from '../test-request.ts'
import type { Answer } from '../types.ts'
import { openaiChat } from './chat.ts'
import { openaiResponses } from './responses.ts'

const answers: fc.Arbitrary<Answer> = fc.record(
  {
    text: fc.string({ unit: 'grapheme', maxLength: 60 }),
    thinking: fc.string({ maxLength: 40 }),
    toolCalls: fc.array(
      fc.record(
        { name: fc.string({ minLength: 1 }), input: fc.dictionary(fc.string(), fc.string()), id: fc.string() },
        { requiredKeys: ['name', 'input'] },
      ),
      { maxLength: 3 },
    ),
  },
  { requiredKeys: [] },
)
const prediction = testPrediction({ total: 2000, read: 1500 })

describe('a streamed chat completion', () => {
  it.each(['gpt-5.6-sol', 'deepseek-flash', 'openai/gpt-oss-120b'])('adds up to the whole one for %s', (model) => {
    const request = testRequest({ model, messages: [], stream_options: { include_usage: true } })
    fc.assert(
      fc.property(answers, (answer) => {
        const whole = fields(openaiChat().answer(request, answer, prediction))
        const events = openaiChat().stream(request, answer, prediction)
        expect(events.at(-1)).toEqual({ data: '[DONE]', bare: true })
        const chunks = events.slice(0, -1).map(({ data }) => fields(data))
        const { message, finish_reason: finish } = fields(list(whole['choices'])[0])
        const added = addUp(chunks)
        expect(added.finish).toBe(finish)
        expect(added.message).toEqual({ ...fields(message), annotations: undefined })
        expect(chunks.at(-1)).toMatchObject({ choices: [], usage: whole['usage'] })
        expect(new Set(chunks.map(({ id }) => id))).toEqual(new Set([whole['id']]))
      }),
    )
  })
})

/** The message as a client puts it together. */
function addUp(chunks: readonly { readonly [key: string]: unknown }[]): { message: object; finish: unknown } {
  const message: Record<string, unknown> = { annotations: undefined }
  const calls: Record<string, unknown>[] = []
  let finish: unknown = null
  for (const { choices } of chunks) {
    const choice = fields(list(choices)[0])
    finish = choice['finish_reason'] ?? finish
    for (const [key, value] of Object.entries(fields(choice['delta']))) {
      if (key === 'tool_calls') continue
      message[key] = typeof value === 'string' && key !== 'role' ? (text(message[key]) ?? '') + value : value
    }
    for (const delta of list(fields(choice['delta'])['tool_calls'])) {
      const { index, function: called, ...rest } = fields(delta)
      const before = calls[Number(index)]
      const { arguments: input = '', ...name } = fields(called)
      const former = fields(before?.['function'])
      const joined = `${text(former['arguments']) ?? ''}${text(input) ?? ''}`
      calls[Number(index)] = { ...before, ...rest, function: { ...former, ...name, arguments: joined } }
    }
  }
  if (calls.length > 0) message['tool_calls'] = calls
  return { message, finish }
}

describe('a streamed response', () => {
  it('ends with the whole one, whose items and texts came before', () => {
    const request = testRequest({ input: 'Hello', reasoning: { summary: 'auto' } })
    fc.assert(
      fc.property(answers, (answer) => {
        const endpoint = openaiResponses()
        const whole = fields(endpoint.answer(request, answer, prediction))
        const events = endpoint.stream(request, answer, prediction).map(({ event, data }) => {
          expect(event).toBe(fields(data)['type'])
          return fields(data)
        })
        expect(events.map((event) => event['sequence_number'])).toEqual(events.map((_, index) => index))
        expect(events.at(-1)).toMatchObject({ type: 'response.completed', response: whole })
        const done = events.filter(({ type }) => type === 'response.output_item.done').map(({ item }) => item)
        expect(done).toEqual(whole['output'])
        const joined = (type: string): string =>
          events
            .filter((event) => event['type'] === type)
            .map(({ delta }) => text(delta))
            .join('')
        expect(joined('response.reasoning_summary_text.delta')).toBe(answer.thinking ?? '')
        expect(joined('response.output_text.delta')).toBe(answer.text ?? '')
        expect(joined('response.function_call_arguments.delta')).toBe(
          (answer.toolCalls ?? []).map(({ input }) => JSON.stringify(input)).join(''),
        )
      }),
    )
  })
})

describe('what goes over the wire', () => {
  const answer: Answer = { text: 'Rain.', toolCalls: [{ name: 'look', input: { at: 'sky' } }] }

  it('is a chat completion', () => {
    const request = testRequest({ messages: [{ role: 'user', content: 'Hello' }] })
    expect(openaiChat().answer(request, answer, prediction)).toMatchInlineSnapshot(`
      {
        "choices": [
          {
            "finish_reason": "tool_calls",
            "index": 0,
            "logprobs": null,
            "message": {
              "annotations": [],
              "content": "Rain.",
              "refusal": null,
              "role": "assistant",
              "tool_calls": [
                {
                  "function": {
                    "arguments": "{"at":"sky"}",
                    "name": "look",
                  },
                  "id": "call_abcdef012345678900",
                  "type": "function",
                },
              ],
            },
          },
        ],
        "created": 1796040000,
        "id": "chatcmpl-abcdef0123456789",
        "model": "gpt-5.6-sol",
        "object": "chat.completion",
        "service_tier": "default",
        "system_fingerprint": null,
        "usage": {
          "completion_tokens": 6,
          "completion_tokens_details": {
            "accepted_prediction_tokens": 0,
            "audio_tokens": 0,
            "reasoning_tokens": 0,
            "rejected_prediction_tokens": 0,
          },
          "prompt_tokens": 2000,
          "prompt_tokens_details": {
            "audio_tokens": 0,
            "cache_write_tokens": 0,
            "cached_tokens": 1500,
          },
          "total_tokens": 2006,
        },
      }
    `)
  })

  it('is a response', () => {
    const request = testRequest({ input: 'Hello' })
    expect(openaiResponses().answer(request, answer, prediction)).toMatchInlineSnapshot(`
      {
        "access_programs": null,
        "background": false,
        "completed_at": 1796040000,
        "created_at": 1796040000,
        "error": null,
        "id": "resp_abcdef0123456789",
        "incomplete_details": null,
        "instructions": null,
        "max_output_tokens": null,
        "max_tool_calls": null,
        "metadata": {},
        "model": "gpt-5.6-sol",
        "object": "response",
        "output": [
          {
            "content": [
              {
                "annotations": [],
                "logprobs": [],
                "text": "Rain.",
                "type": "output_text",
              },
            ],
            "id": "msg_abcdef012345678900",
            "role": "assistant",
            "status": "completed",
            "type": "message",
          },
          {
            "arguments": "{"at":"sky"}",
            "call_id": "call_abcdef012345678901",
            "id": "fc_abcdef012345678901",
            "name": "look",
            "status": "completed",
            "type": "function_call",
          },
        ],
        "parallel_tool_calls": true,
        "previous_response_id": null,
        "prompt_cache_key": null,
        "prompt_cache_options": {
          "mode": "implicit",
          "ttl": "30m",
        },
        "prompt_cache_retention": null,
        "reasoning": {
          "effort": null,
          "summary": null,
        },
        "safety_identifier": null,
        "service_tier": "default",
        "status": "completed",
        "store": true,
        "temperature": 1,
        "text": {
          "format": {
            "type": "text",
          },
          "verbosity": "medium",
        },
        "tool_choice": "auto",
        "tools": [],
        "top_logprobs": 0,
        "top_p": 1,
        "truncation": "disabled",
        "usage": {
          "input_tokens": 2000,
          "input_tokens_details": {
            "cache_write_tokens": 0,
            "cached_tokens": 1500,
          },
          "output_tokens": 6,
          "output_tokens_details": {
            "reasoning_tokens": 0,
          },
          "total_tokens": 2006,
        },
        "user": null,
      }
    `)
  })

  it('is chunks, the choices byte for byte', () => {
    const request = testRequest({ messages: [] })
    const events = openaiChat().stream(request, answer, prediction)
    const lines = events.map(({ data, bare }) => (bare ? String(data) : JSON.stringify(fields(data)['choices'])))
    expect(lines.join('\n')).toMatchInlineSnapshot(`
      "[{"index":0,"delta":{"role":"assistant","content":"","refusal":null},"logprobs":null,"finish_reason":null}]
      [{"index":0,"delta":{"content":"Rain."},"logprobs":null,"finish_reason":null}]
      [{"index":0,"delta":{"tool_calls":[{"index":0,"id":"call_abcdef012345678900","type":"function","function":{"name":"look","arguments":""}}]},"logprobs":null,"finish_reason":null}]
      [{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{\\"at\\":\\"sky\\"}"}}]},"logprobs":null,"finish_reason":null}]
      [{"index":0,"delta":{},"logprobs":null,"finish_reason":"tool_calls"}]
      [DONE]"
    `)
  })
})
