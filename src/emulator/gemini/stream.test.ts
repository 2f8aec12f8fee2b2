import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fields, list } from '../fields.ts'
import { testPrediction, testRequest } from '../test-request.ts'
import type { Answer } from '../types.ts'
import { gemini } from './gemini.ts'

const answers: fc.Arbitrary<Answer> = fc.record(
  {
    text: fc.string({ unit: 'grapheme', maxLength: 60 }),
    thinking: fc.string({ maxLength: 40 }),
    toolCalls: fc.array(
      fc.record({ name: fc.string({ minLength: 1 }), input: fc.dictionary(fc.string(), fc.string()) }),
      {
        maxLength: 3,
      },
    ),
  },
  { requiredKeys: [] },
)
const prediction = testPrediction({ total: 5000, read: 4500 })
const thoughtful = { contents: [], generationConfig: { thinkingConfig: { includeThoughts: true } } }

function candidateOf(data: unknown): { parts: readonly unknown[]; finish: unknown } {
  const { content, finishReason } = fields(list(fields(data)['candidates'])[0])
  return { parts: list(fields(content)['parts']), finish: finishReason }
}

describe('a streamed answer of Gemini', () => {
  it('adds up to the whole one, and says at its end alone why it ended', () => {
    const request = testRequest(thoughtful, { model: 'gemini-3.8-flash' })
    fc.assert(
      fc.property(answers, (answer) => {
        const whole = candidateOf(gemini().answer(request, answer, prediction))
        const chunks = gemini()
          .stream(request, answer, prediction)
          .map(({ data }) => candidateOf(data))
        const parts: Record<string, unknown>[] = []
        for (const part of chunks.flatMap((chunk) => chunk.parts).map(fields)) {
          const last = parts.at(-1)
          const continues =
            last !== undefined && 'text' in last && 'text' in part && last['thought'] === part['thought']
          if (continues) last['text'] = `${String(last['text'])}${String(part['text'])}`
          else parts.push({ ...part })
        }
        expect(parts).toEqual(whole.parts)
        expect(chunks.map(({ finish }) => finish)).toEqual([...chunks.slice(1).map(() => undefined), 'STOP'])
      }),
    )
  })
})

it('answers in the shape of Google', () => {
  const request = testRequest({ contents: [] }, { model: 'models/gemini-3.8-flash' })
  const answer = { text: 'Rain.', thinking: 'Clouds.', toolCalls: [{ name: 'look', input: { at: 'sky' } }] }
  expect(gemini().answer(request, answer, prediction)).toMatchInlineSnapshot(`
    {
      "candidates": [
        {
          "content": {
            "parts": [
              {
                "text": "Rain.",
              },
              {
                "functionCall": {
                  "args": {
                    "at": "sky",
                  },
                  "id": "234567890",
                  "name": "look",
                },
              },
            ],
            "role": "model",
          },
          "finishReason": "STOP",
          "index": 0,
        },
      ],
      "modelVersion": "gemini-3.8-flash",
      "responseId": "abcdef0123456789",
      "usageMetadata": {
        "cacheTokensDetails": [
          {
            "modality": "TEXT",
            "tokenCount": 4500,
          },
        ],
        "cachedContentTokenCount": 4500,
        "candidatesTokenCount": 6,
        "promptTokenCount": 5000,
        "promptTokensDetails": [
          {
            "modality": "TEXT",
            "tokenCount": 5000,
          },
        ],
        "thoughtsTokenCount": 2,
        "totalTokenCount": 5008,
      },
    }
  `)
})
