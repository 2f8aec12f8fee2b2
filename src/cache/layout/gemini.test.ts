import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { RequestUnreadableError } from './errors.ts'
import { layout } from './layout.ts'
import { lines, openings, scope } from '../../../test/support/layout-lines.ts'

const hi = { role: 'user', parts: [{ text: 'Hi' }] }

describe('generateContent', () => {
  const request = {
    systemInstruction: { parts: [{ text: 'Be terse.' }, { text: 'Use tools.' }] },
    tools: [
      { functionDeclarations: [{ name: 'look', parameters: { b: {}, a: {} } }, { name: 'say' }] },
      { googleSearch: {} },
    ],
    toolConfig: { functionCallingConfig: { mode: 'AUTO' } },
    generationConfig: { thinkingConfig: { thinkingBudget: 0 }, responseSchema: {} },
    contents: [
      { role: 'user', parts: [{ text: 'What is this?' }, { inlineData: { mimeType: 'image/png', data: 'AAAA' } }] },
      {
        role: 'model',
        parts: [
          { text: 'Look.', thought: true },
          { text: 'I look.', thoughtSignature: 'c2ln' },
          { functionCall: { name: 'look', args: { b_c: 1, a: 2 } }, thoughtSignature: 'c2ln' },
        ],
      },
      { role: 'user', parts: [{ functionResponse: { name: 'look', response: { result: 'A cat' } } }] },
    ],
  }

  it('are the system instruction, one segment per function, and the parts of the contents', () => {
    expect(lines(request)).toEqual([
      'systemInstruction.parts[0] system/system text Be terse.',
      'systemInstruction.parts[1] system/system text Use tools.',
      'tools[0].functionDeclarations[0] tools/tool tool {"name":"look","parameters":{"b":{},"a":{}}}',
      'tools[0].functionDeclarations[1] tools/tool tool {"name":"say"}',
      'tools[1] tools/tool tool {"googleSearch":{}}',
      'contents[0].parts[0] messages/user text What is this?',
      'contents[0].parts[1] messages/user inlineData {"inlineData":{"mimeType":"image/png","data":"AAAA"}}',
      'contents[1].parts[0] messages/model thought {"text":"Look.","thought":true}',
      'contents[1].parts[1] messages/model text {"text":"I look.","thoughtSignature":"c2ln"}',
      'contents[1].parts[2] messages/model functionCall {"functionCall":{"name":"look","args":{"b_c":1,"a":2}},"thoughtSignature":"c2ln"}',
      'contents[2].parts[0] messages/user functionResponse {"functionResponse":{"name":"look","response":{"result":"A cat"}}}',
    ])
    expect(openings(request)).toEqual(['contents[0].parts[0]', 'contents[1].parts[0]', 'contents[2].parts[0]'])
  })

  it('are the same in snake case', () => {
    const snake = {
      system_instruction: request.systemInstruction,
      tools: [{ function_declarations: request.tools[0]?.functionDeclarations }, { google_search: {} }],
      generation_config: {},
      contents: [
        { role: 'user', parts: [{ text: 'What is this?' }, { inline_data: { mime_type: 'image/png', data: 'AAAA' } }] },
        {
          role: 'model',
          parts: [
            { text: 'Look.', thought: true },
            { text: 'I look.', thought_signature: 'c2ln' },
            { function_call: { name: 'look', args: { b_c: 1, a: 2 } }, thought_signature: 'c2ln' },
          ],
        },
        { role: 'user', parts: [{ function_response: { name: 'look', response: { result: 'A cat' } } }] },
      ],
    }
    expect(layout(snake, { format: 'gemini' })).toEqual(layout(request))
  })

  it('take null for not set', () => {
    const body = {
      contents: [{ parts: [{ text: 'Hi', thought: null, thoughtSignature: null }] }],
      tools: [
        { functionDeclarations: [{ name: 'look', parameters: null }], codeExecution: null },
        { googleSearch: null },
      ],
    }
    expect(lines(body)).toEqual([
      'tools[0].functionDeclarations[0] tools/tool tool {"name":"look"}',
      'contents[0].parts[0] messages/user text Hi',
    ])
  })

  it('may have an element in place of a list of one, and leave out the role of the user', () => {
    const short = { system_instruction: { parts: { text: 'Be terse.' } }, contents: { parts: { text: 'Hi' } } }
    const long = { systemInstruction: { parts: [{ text: 'Be terse.' }] }, contents: [hi] }
    expect(layout(short)).toEqual(layout(long))
  })

  it('are scoped by the model, with or without its path', () => {
    expect(scope({ contents: [hi] })).toEqual({ model: null })
    expect(scope({ contents: [hi] }, { model: 'gemini-4-argon' })).toEqual({ model: 'gemini-4-argon' })
    expect(scope({ contents: [hi], model: 'models/gemini-4-argon' })).toEqual({ model: 'gemini-4-argon' })
  })

  it('count pictures and files by the rule', () => {
    const file = { fileData: { fileUri: 'https://example.com/'.padEnd(500, 'a') } }
    expect(layout({ contents: [{ parts: [file] }] }).tokens).toBe(258)
  })
})

describe('an explicit cache', () => {
  const name = 'cachedContents/abc'
  const known = {
    model: 'models/gemini-3.8-flash',
    system_instruction: { parts: [{ text: 'Be terse.' }] },
    tools: [{ functionDeclarations: [{ name: 'look' }] }],
    contents: [{ role: 'user', parts: [{ text: 'A long book.' }] }],
    ttl: '600s',
  }

  it('is one segment of unknown size at the head', () => {
    const { segments } = layout({ cachedContent: name, contents: [hi] })
    expect(segments[0]).toEqual({
      path: 'cachedContent',
      section: 'system',
      role: 'system',
      type: 'cached_content',
      content: name,
      tokens: 0,
      breakpoint: null,
    })
    expect(layout({ cached_content: name, contents: [hi] }).segments).toEqual(segments)
  })

  it('is what it was made of where that is known', () => {
    const cachedContent = (asked: string): unknown => (asked === name ? known : undefined)
    expect(lines({ cachedContent: name, contents: [hi] }, { cachedContent })).toEqual([
      'cachedContent.systemInstruction.parts[0] system/system text Be terse.',
      'cachedContent.tools[0].functionDeclarations[0] tools/tool tool {"name":"look"}',
      'cachedContent.contents[0].parts[0] messages/user text A long book.',
      'contents[0].parts[0] messages/user text Hi',
    ])
    expect(lines({ cachedContent: 'cachedContents/other', contents: [hi] }, { cachedContent })).toHaveLength(2)
  })

  it('is read like a request when it is made', () => {
    expect(lines(known)).toEqual([
      'systemInstruction.parts[0] system/system text Be terse.',
      'tools[0].functionDeclarations[0] tools/tool tool {"name":"look"}',
      'contents[0].parts[0] messages/user text A long book.',
    ])
  })

  it('is read or refused whatever it is said to be made of', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        for (const made of [value, { contents: value }, { systemInstruction: value }, { tools: value }]) {
          try {
            layout({ cachedContent: name, contents: [hi] }, { cachedContent: () => made })
          } catch (error) {
            expect(error).toBeInstanceOf(RequestUnreadableError)
          }
        }
      }),
    )
  })
})

describe('malformed generateContent', () => {
  it.each<[string, object]>([
    ['contents is missing; expected a list of contents.', {}],
    ['contents is the string "Hi"; expected a list of contents.', { contents: 'Hi' }],
    ['contents[0] is the string "Hi"; expected a content.', { contents: ['Hi'] }],
    ['contents[0].role is the number 5; expected a role.', { contents: [{ role: 5, parts: [] }] }],
    ['contents[0].parts is missing; expected a list of parts.', { contents: [{ role: 'user' }] }],
    ['contents[0].parts[0] is the string "Hi"; expected a part.', { contents: [{ parts: ['Hi'] }] }],
    ['contents[0].parts[0].text is the number 5; expected a string.', { contents: [{ parts: [{ text: 5 }] }] }],
    ['contents[0].parts[0] is an object with no keys; expected a part with content.', { contents: [{ parts: [{}] }] }],
    [
      'systemInstruction is the string "Hi"; expected a content with parts.',
      { systemInstruction: 'Hi', contents: [hi] },
    ],
    ['systemInstruction.parts is missing; expected a list of parts.', { systemInstruction: {}, contents: [hi] }],
    ['tools[0] is null; expected a tool.', { tools: [null], contents: [hi] }],
    ['cachedContent is the number 5; expected the name of a cache.', { cachedContent: 5, contents: [hi] }],
  ])('say: %s', (message, request) => {
    expect(() => layout(request, { format: 'gemini' })).toThrow(message)
  })
})
