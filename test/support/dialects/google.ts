/** How Google's contents are written, for conversations through any format. */
import type { Content, Part } from '@google/genai'
import { gemini } from '../../../src/emulator/gemini/gemini.ts'
import { testRequest } from '../../../src/emulator/test-request.ts'
import { googleFormat, toGoogleContents } from '../../../src/wire/google/index.ts'
import { geminiBody } from '../gemini-body.ts'
import type { Dialect, Target } from '../wire-conversation.ts'

/**
 * Answers that think come as two contents, as streamed ones do, with a signature and calls with ids; the others make calls
 * without.
 */
export const googleDialect: Dialect<Content> = {
  name: 'google',
  format: googleFormat,
  user: (text) => ({ role: 'user', parts: [{ text }] }),
  answer(text, calls, thinking) {
    const parts: Part[] = [{ text }]
    for (const { id, name, input } of calls) {
      const args = input as Record<string, unknown>
      parts.push({ functionCall: { ...(thinking !== undefined && { id }), name, args } })
    }
    if (thinking === undefined) return [{ role: 'model', parts }]
    return [
      { role: 'model', parts: [{ text: thinking, thought: true }] },
      { role: 'model', parts: [...parts, { text: '', thoughtSignature: 'c2lnbmVk' }] },
    ]
  },
  results: (results) =>
    results.map(({ id, name, text }) => ({
      role: 'user',
      parts: [{ functionResponse: { ...(id.startsWith('call_') && { id }), name, response: { output: text } } }],
    })),
  tool: (name, description) => ({
    name,
    description,
    parametersJsonSchema: { type: 'object', properties: { input: { type: 'string' } } },
  }),
  targets: [target('gemini-3.8-flash', 'gemini'), target('gemini-2.5-pro', 'gemini-vertex')],
}

function target(model: string, platform: string): Target<Content> {
  const endpoint = gemini()
  return {
    model,
    platform,
    lower(turn) {
      const { body, headers, warnings } = toGoogleContents(turn, { model, config: { temperature: 0 } })
      return { body: geminiBody(body), headers, warnings }
    },
    check(body) {
      const refusal = endpoint.check(testRequest(body as Record<string, unknown>, { model }))
      return refusal === null ? [] : [JSON.stringify(refusal.body)]
    },
    layout: { format: 'gemini', model },
  }
}
