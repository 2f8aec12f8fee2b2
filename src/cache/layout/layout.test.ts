/**
 * What holds for every format. The bodies come from `test/support/layout-bodies.ts`; what a format's own body becomes is pinned in the
 * test of that format.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { freezeDeep } from '../../base/json.ts'
import { RequestUnreadableError } from './errors.ts'
import { layout, type LayoutOptions } from './layout.ts'
import { formatReaders, recogniseFormat } from './read-items.ts'
import {
  append,
  testFormats,
  withDamage,
  withLists,
  withMarks,
  type TestFormat,
} from '../../../test/support/layout-bodies.ts'
import type { RequestFormat, Segment } from './types.ts'

const formats = Object.entries(testFormats) as [RequestFormat, TestFormat][]

/** What a provider compares. */
function contents(request: unknown, options?: LayoutOptions): readonly string[] {
  return layout(request, options).segments.map(({ section, role, type, content }) =>
    JSON.stringify([section, role, type, content]),
  )
}

function withoutBreakpoints(segments: readonly Segment[]): readonly Omit<Segment, 'breakpoint'>[] {
  return segments.map(({ breakpoint: _breakpoint, ...rest }) => rest)
}

/** Lays out whatever it is, and fails on any error but the one that says why it is no request. */
function verifyReadable(request: unknown, options: LayoutOptions): void {
  try {
    layout(request, options)
  } catch (error) {
    expect(error).toBeInstanceOf(RequestUnreadableError)
  }
}

describe.each(formats)('%s bodies', (id, format) => {
  it('are recognised, and by one reader only', () => {
    fc.assert(
      fc.property(format.body, (body) => {
        expect(recogniseFormat(body)).toBe(id)
        expect(formatReaders.filter((reader) => reader.recognises(body))).toHaveLength(1)
      }),
    )
  })

  it('are the same with a text and with a list of that one text', () => {
    fc.assert(
      fc.property(format.body, (body) => {
        expect(layout(withLists(body, format))).toEqual(layout(body))
      }),
    )
  })

  it('are the same content wherever breakpoints stand', () => {
    const choices = fc.infiniteStream(fc.boolean())
    fc.assert(
      fc.property(format.body, choices, (body, places) => {
        if (format.marks === undefined) return
        const marked = layout(
          withMarks(body, format.marks, () => places.next().value ?? false),
          { format: id },
        )
        const plain = layout(body, { format: id })
        const strip = id === 'bedrock-converse' ? withoutPaths : withoutBreakpoints
        expect(strip(marked.segments)).toEqual(strip(plain.segments))
        expect(marked.scope).toEqual(plain.scope)
      }),
    )
  })

  it('carry the marks that were put on them', () => {
    fc.assert(
      fc.property(format.body, (body) => {
        if (format.marks === undefined) return
        let placed = 0
        const { segments } = layout(
          withMarks(body, format.marks, () => ++placed > 0),
          { format: id },
        )
        const found = segments.filter(({ breakpoint }) => breakpoint !== null)
        expect(found.every(({ breakpoint }) => breakpoint?.kind === 'explicit')).toBe(true)
        expect(found.length > 0).toBe(placed > 0)
      }),
    )
  })

  it('are the same whatever is asked of sampling, streaming and record keeping', () => {
    fc.assert(
      fc.property(format.body, (body) => {
        const { segments, scope } = layout({ ...body, ...format.beside }, { format: id })
        const plain = layout(body, { format: id })
        expect(segments).toEqual(plain.segments)
        expect(scope.filter(({ name }) => name !== 'tool_choice')).toEqual(
          plain.scope.filter(({ name }) => name !== 'tool_choice'),
        )
      }),
    )
  })

  it('keep their segments as a prefix when the conversation grows', () => {
    fc.assert(
      fc.property(format.body, format.message, (body, message) => {
        const before = contents(body)
        expect(contents(append(body, format, message), { format: id }).slice(0, before.length)).toEqual(before)
      }),
    )
  })

  it('have a path of its own for every segment', () => {
    fc.assert(
      fc.property(format.body, (body) => {
        const paths = layout(body).segments.map(({ path }) => path)
        expect(new Set(paths).size).toBe(paths.length)
      }),
    )
  })

  it('are not touched', () => {
    fc.assert(
      fc.property(format.body, (body) => {
        const copy = structuredClone(body)
        layout(freezeDeep(body))
        expect(body).toEqual(copy)
      }),
    )
  })

  it('that are damaged anywhere are read or refused, never anything else', () => {
    const damage = fc.option(fc.jsonValue({ maxDepth: 3 }), { nil: undefined })
    fc.assert(
      fc.property(format.body, fc.nat(), damage, (body, at, value) => {
        const damaged = withDamage(body, at, value)
        verifyReadable(damaged, { format: id })
        verifyReadable(damaged, {})
      }),
      { numRuns: 1000 },
    )
  })

  it('are refused or read when they are no request at all', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom('messages', 'input', 'contents', 'system', 'tools'), (value, key) => {
        verifyReadable(value, { format: id })
        verifyReadable({ [key]: value }, { format: id })
        verifyReadable({ [key]: [value] }, { format: id })
        verifyReadable({ [key]: [{ role: 'user', content: [value], parts: [value] }] }, { format: id })
      }),
      { numRuns: 500 },
    )
  })
})

/** A mark that is a block of its own moves the places of those behind it. */
function withoutPaths(segments: readonly Segment[]): readonly object[] {
  return segments.map(({ path: _path, breakpoint: _breakpoint, ...rest }) => rest)
}

describe('recognition', () => {
  const user = { role: 'user', content: 'Hi' }
  const marked = { role: 'user', content: [{ type: 'text', text: 'Hi', cache_control: { type: 'ephemeral' } }] }

  it.each<[string, object, RequestFormat | undefined]>([
    ['a system prompt beside the messages', { model: 'x', system: 'Be terse.', messages: [user] }, 'anthropic'],
    [
      'a system message at the head',
      { model: 'claude-opus-5', messages: [{ ...user, role: 'system' }] },
      'openai-chat',
    ],
    ['Claude by its own id', { model: 'claude-opus-5', max_tokens: 1, messages: [user] }, 'anthropic'],
    ['Claude through a gateway', { model: 'anthropic/claude-opus-5', messages: [marked] }, 'openai-chat'],
    ['a body for InvokeModel', { anthropic_version: 'bedrock-2023-05-31', messages: [user] }, 'anthropic'],
    [
      'marks on Chat messages that answer tools',
      { model: 'anthropic/claude-opus-5', messages: [marked, { role: 'tool', tool_call_id: 'a', content: 'b' }] },
      'openai-chat',
    ],
    [
      'marks beside functions as tools',
      { model: 'claude-opus-5', tools: [{ type: 'function', function: { name: 'a' } }], messages: [marked] },
      'openai-chat',
    ],
    ['a tool of the provider', { tools: [{ type: 'bash_20250124', name: 'bash' }], messages: [user] }, 'anthropic'],
    ['marks where the URL names the model', { max_tokens: 1, messages: [marked] }, 'anthropic'],
    ['another model', { model: 'qwen3.7-max', messages: [marked] }, 'openai-chat'],
    ['thinking without a budget', { model: 'glm-5.3', thinking: { type: 'enabled' }, messages: [user] }, 'openai-chat'],
    ['thinking with a budget', { model: 'glm-5.3', thinking: { budget_tokens: 9 }, messages: [user] }, 'anthropic'],
    ['a reasoning effort', { reasoning_effort: 'low', messages: [user] }, 'openai-chat'],
    ['blocks without a type', { messages: [{ role: 'user', content: [{ text: 'Hi' }] }] }, 'bedrock-converse'],
    ['an inference configuration', { messages: [], inferenceConfig: {} }, 'bedrock-converse'],
    ['a bare conversation', { messages: [user] }, undefined],
    ['an input text', { model: 'x', input: 'Hi' }, 'openai-responses'],
    ['a response to go on from', { previous_response_id: 'resp_1' }, 'openai-responses'],
    ['contents', { contents: [] }, 'gemini'],
    ['a cache in the making', { system_instruction: { parts: { text: 'Hi' } }, ttl: '60s' }, 'gemini'],
    ['nothing', {}, undefined],
  ])('takes %s', (_, body, format) => {
    expect(recogniseFormat(body)).toBe(format)
  })

  it.each([undefined, null, 'text', 5, []])('takes %j for no body', (request) => {
    expect(recogniseFormat(request)).toBeUndefined()
    expect(() => layout(request)).toThrow(/^The request body is .*; expected a request body \(a JSON object\)\.$/)
  })

  it('says which formats there are when it knows none', () => {
    expect(() => layout({ prompt: 'Hi' })).toThrow(
      'The request body is an object with prompt; expected one of anthropic, openai-chat, openai-responses, gemini, bedrock-converse (with `messages`, `input` or `contents`).',
    )
  })
})

describe('layout', () => {
  it('counts with the counter that it is given, and sums up', () => {
    const request = {
      model: 'gpt-5.6-sol',
      messages: [
        { role: 'user', content: 'four' },
        { role: 'user', content: 'x' },
      ],
    }
    const { segments, tokens } = layout(request, { countTokens: (text) => text.length })
    expect(segments.map((segment) => segment.tokens)).toEqual([4, 1])
    expect(tokens).toBe(5)
  })

  it('follows the given format, whatever the body looks like', () => {
    const request = { messages: [{ role: 'user', content: 'Hi' }] }
    expect(layout(request, { format: 'anthropic' }).format).toBe('anthropic')
    expect(layout(request, { format: 'openai-chat' }).format).toBe('openai-chat')
    expect(() => layout(request, { format: 'bedrock-converse' })).toThrow(
      'messages[0].content is the string "Hi"; expected a list of content blocks.',
    )
  })
})
