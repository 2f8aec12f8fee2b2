/** Bodies of every format for properties, and what may be done to a body without touching its prompt. */
import fc from 'fast-check'
import type { RequestFormat } from '../../src/cache/layout/types.ts'

/** A body, or a part of one. */
export interface Body {
  readonly [key: string]: unknown
}

/** How one format looks in tests. */
export interface TestFormat {
  /** Valid, unmarked, and recognised. */
  readonly body: fc.Arbitrary<Body>
  /** One more element for the conversation. */
  readonly message: fc.Arbitrary<Body>
  readonly conversation: string
  /** Parameters that are no part of the prompt. */
  readonly beside: Body
  /** Where a mark may be put, and how; nothing for formats without marks. */
  readonly marks?: TestMarks
  /** Type of a text in a list that stands for a string; nothing where the format has no such strings. */
  readonly textType?: (message: Body) => string
}

/** Marks that are keys of blocks, or blocks of their own. */
export type TestMarks =
  | { readonly key: string; readonly value: Body; readonly types: readonly string[] }
  | { readonly block: Body; readonly lists: readonly string[] }

const text = fc.string({ minLength: 1, maxLength: 12 })
const json = fc.dictionary(text, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 })
const name = fc.constantFrom('read_file', 'write_file')
const id = fc.constantFrom('call_1', 'call_2')
const list = <T>(item: fc.Arbitrary<T>): fc.Arbitrary<readonly T[]> => fc.array(item, { maxLength: 3 })
const some = <T>(item: fc.Arbitrary<T>): fc.Arbitrary<readonly T[]> => fc.array(item, { minLength: 1, maxLength: 4 })
const constant = <T>(value: T): fc.Arbitrary<T> => fc.constant(value)
const block = (type: string, rest: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<Body> =>
  fc.record({ type: constant(type), ...rest })
const content = (blocks: fc.Arbitrary<Body>): fc.Arbitrary<unknown> => fc.oneof(text, some(blocks))

const claudeText = block('text', { text })
const claudeSays = fc.record({
  role: constant('assistant'),
  content: content(fc.oneof(claudeText, block('tool_use', { id, name, input: json }))),
})
const claudeHears = fc.record({
  role: constant('user'),
  content: content(
    fc.oneof(
      claudeText,
      block('image', { source: constant({ type: 'url', url: 'https://example.com/a.png' }) }),
      block('tool_result', { tool_use_id: id, content: fc.oneof(text, some(claudeText)) }),
    ),
  ),
})
const claudeMessage = fc.oneof(claudeSays, claudeHears)

const chatText = block('text', { text })
const chatCall = block('function', { id, function: fc.record({ name, arguments: text }) })
const chatMessage: fc.Arbitrary<Body> = fc.oneof(
  fc.record({
    role: constant('user'),
    content: content(fc.oneof(chatText, block('image_url', { image_url: fc.record({ url: text }) }))),
  }),
  fc.record({ role: constant('assistant'), content: content(chatText), tool_calls: list(chatCall) }),
  fc.record({ role: constant('tool'), tool_call_id: id, content: content(chatText) }),
)
const chatInstruction = fc.record({ role: fc.constantFrom('system', 'developer'), content: content(chatText) })

const inputText = block('input_text', { text })
const responsesItem: fc.Arbitrary<Body> = fc.oneof(
  fc.record({ role: fc.constantFrom('user', 'developer'), content: content(inputText) }),
  block('message', { role: constant('assistant'), content: content(block('output_text', { text })) }),
  block('function_call', { call_id: id, name, arguments: text }),
  block('function_call_output', { call_id: id, output: content(inputText) }),
  block('reasoning', { summary: constant([]), encrypted_content: text }),
)

const part: fc.Arbitrary<Body> = fc.oneof(
  fc.record({ text }),
  fc.record({ functionCall: fc.record({ name, args: json }) }),
  fc.record({ functionResponse: fc.record({ name, response: json }) }),
)
const geminiContent = fc.record({ role: fc.constantFrom('user', 'model'), parts: some(part) })

const converseText = fc.record({ text })
const converseMessage = fc.record({
  role: fc.constantFrom('user', 'assistant'),
  content: some(
    fc.oneof(
      converseText,
      fc.record({ toolUse: fc.record({ toolUseId: id, name, input: json }) }),
      fc.record({ toolResult: fc.record({ toolUseId: id, content: some(converseText) }) }),
    ),
  ),
})

/** Every format. */
export const testFormats: Record<RequestFormat, TestFormat> = {
  anthropic: {
    body: fc.record({
      model: fc.constantFrom('claude-opus-5', 'claude-sonnet-4-5'),
      max_tokens: constant(100),
      tools: list(fc.record({ name, description: text, input_schema: json })),
      system: content(claudeText),
      messages: some(claudeMessage),
    }),
    message: claudeMessage,
    conversation: 'messages',
    beside: { temperature: 0.5, stream: true, metadata: { user_id: 'a' } },
    marks: { key: 'cache_control', value: { type: 'ephemeral' }, types: ['text', 'tool_use', 'tool_result'] },
    textType: () => 'text',
  },
  'openai-chat': {
    body: fc.record({
      model: fc.constantFrom('gpt-5.6-sol', 'deepseek-flash', 'openai/gpt-4o-mini'),
      tools: list(block('function', { function: fc.record({ name, parameters: json }) })),
      messages: fc.tuple(list(chatInstruction), some(chatMessage)).map((parts) => parts.flat()),
    }),
    message: chatMessage,
    conversation: 'messages',
    beside: { temperature: 0.5, stream: true, metadata: { user: 'a' }, max_tokens: 5, tool_choice: 'none' },
    marks: { key: 'prompt_cache_breakpoint', value: { mode: 'explicit' }, types: ['text', 'image_url'] },
    textType: () => 'text',
  },
  'openai-responses': {
    body: fc.record({
      model: fc.constantFrom('gpt-5.6-sol', 'grok-4.7'),
      instructions: text,
      tools: list(block('function', { name, parameters: json })),
      input: some(responsesItem),
    }),
    message: responsesItem,
    conversation: 'input',
    beside: { temperature: 0.5, stream: true, metadata: { user: 'a' }, max_output_tokens: 5, tool_choice: 'none' },
    marks: { key: 'prompt_cache_breakpoint', value: { mode: 'explicit' }, types: ['input_text'] },
    textType: ({ role }) => (role === 'assistant' ? 'output_text' : 'input_text'),
  },
  gemini: {
    body: fc.record({
      systemInstruction: fc.record({ parts: some(fc.record({ text })) }),
      tools: list(fc.record({ functionDeclarations: some(fc.record({ name, parameters: json })) })),
      contents: some(geminiContent),
    }),
    message: geminiContent,
    conversation: 'contents',
    beside: { generationConfig: { temperature: 0.5 }, safetySettings: [], labels: { a: 'b' } },
  },
  'bedrock-converse': {
    body: fc.record({
      system: some(converseText),
      toolConfig: fc.record({ tools: some(fc.record({ toolSpec: fc.record({ name, inputSchema: json }) })) }),
      messages: some(converseMessage),
    }),
    message: converseMessage,
    conversation: 'messages',
    beside: { inferenceConfig: { temperature: 0.5 }, requestMetadata: { a: 'b' } },
    marks: { block: { cachePoint: { type: 'default' } }, lists: ['system', 'tools', 'content'] },
  },
}

/** The body with its conversation grown by one. */
export function append(body: Body, format: TestFormat, message: Body): Body {
  return { ...body, [format.conversation]: [...(body[format.conversation] as readonly unknown[]), message] }
}

/** The body with marks at the places that `choose` takes, one call for each place. */
export function withMarks(body: Body, marks: TestMarks, choose: () => boolean): Body {
  // What a tool takes or gives is content, whatever it looks like.
  const opaque = new Set(['input', 'inputSchema', 'input_schema', 'parameters', 'toolUse', 'toolResult', 'source'])
  const visit = (value: unknown, key: string): unknown => {
    if (Array.isArray(value)) {
      const items = value.map((item) => visit(item, ''))
      if ('key' in marks || !marks.lists.includes(key)) return items
      return items.flatMap((item) => (choose() ? [item, marks.block] : [item]))
    }
    if (typeof value !== 'object' || value === null || opaque.has(key)) return value
    const copy = Object.fromEntries(Object.entries(value).map(([field, inner]) => [field, visit(inner, field)]))
    if ('key' in marks && marks.types.includes(copy['type'] as string) && choose()) copy[marks.key] = marks.value
    return copy
  }
  return visit(body, '') as Body
}

/** The body with every string that stands for a list of blocks written out as that list. */
export function withLists(body: Body, format: TestFormat): Body {
  const { textType } = format
  if (textType === undefined) return body
  const expand = (message: Body, key: string): Body =>
    typeof message[key] === 'string'
      ? { ...message, [key]: [{ type: textType(message), text: message[key] }] }
      : message
  const conversation = (body[format.conversation] as readonly Body[]).map((message) => {
    return expand(expand(message, 'content'), 'output')
  })
  return expand({ ...body, [format.conversation]: conversation }, 'system')
}

/** The body with one value, somewhere in it, replaced (or, by `undefined`, taken out). */
export function withDamage(body: Body, at: number, value: unknown): unknown {
  const copy = structuredClone({ body })
  const places: (readonly [holder: Record<string, unknown>, key: string])[] = []
  const visit = (holder: Record<string, unknown>): void => {
    for (const key of Object.keys(holder)) {
      places.push([holder, key])
      const inner = holder[key]
      if (typeof inner === 'object' && inner !== null) visit(inner as Record<string, unknown>)
    }
  }
  visit(copy)
  const place = places[at % places.length]
  if (place === undefined) return body
  const [holder, key] = place
  if (value === undefined && !Array.isArray(holder)) delete holder[key]
  else holder[key] = value ?? null
  return copy.body
}
