import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startEmulator, type Emulator } from '../index.ts'

let strict: Emulator
let lenient: Emulator

beforeAll(async () => {
  strict = await startEmulator({ strict: true })
  lenient = await startEmulator()
})

afterAll(async () => {
  await Promise.all([strict.close(), lenient.close()])
})

type Headers = { readonly [name: string]: string }

async function post(emulator: Emulator, body: object, headers: Headers = {}, path = '/v1/messages'): Promise<Response> {
  return fetch(emulator.url + path, { method: 'POST', body: JSON.stringify(body), headers })
}

async function refusal(body: object, headers?: Headers, path?: string): Promise<string | null> {
  const response = await post(strict, body, headers, path)
  const answer = (await response.json()) as { error?: { type: string; message: string }; request_id?: string }
  if (response.ok) return null
  expect(response.status).toBe(400)
  expect(answer).toMatchObject({ type: 'error', error: { type: 'invalid_request_error' } })
  expect(answer.request_id).toBe(response.headers.get('request-id'))
  return answer.error?.message ?? ''
}

const user = (content: unknown = 'Go on') => ({ role: 'user', content })
const assistant = (content: unknown = 'Done') => ({ role: 'assistant', content })
const system = (content: unknown = 'The branch is main.', more = {}) => ({ role: 'system', content, ...more })
const text = (value = 'Some text', more = {}) => ({ type: 'text', text: value, ...more })
const mark = (ttl?: string) => ({ cache_control: { type: 'ephemeral', ...(ttl === undefined ? {} : { ttl }) } })
const call = (id: string) => ({ type: 'tool_use', id, name: 'look', input: {} })
const result = (id: string, content: unknown = 'ok', more = {}) => ({
  type: 'tool_result',
  tool_use_id: id,
  content,
  ...more,
})
const tool = (name = 'look', more = {}) => ({ name, input_schema: { type: 'object' }, ...more })
const thinking = { type: 'thinking', thinking: 'Hm.', signature: 'c2lnbmVk' }
const withMessages = (...messages: unknown[]) => ({ model: 'claude-opus-5-5', max_tokens: 64, messages })
const request = (more: object = {}) => ({ ...withMessages(user()), ...more })

const clearAt = { 'anthropic-beta': 'mid-conversation-system-clear-at-2026-08-21' }
const outputConfig = { 'anthropic-beta': 'mid-conversation-output-config-2026-07-01' }

const toolChanges = { 'anthropic-beta': 'mid-conversation-tool-changes-2026-07-01' }
const inlineTools = { 'anthropic-beta': 'inline-tools-2026-09-15' }
const remove = (name: string) => ({ type: 'tool_removal', tool: { type: 'tool_reference', name } })
const add = (name: string) => ({ type: 'tool_addition', tool: { type: 'tool_reference', name } })
const define = (name: string, more = {}) => ({
  type: 'tool_addition',
  tool: { type: 'tool_definition', definition: tool(name) },
  ...more,
})
const withTools = (...messages: unknown[]) => ({ ...withMessages(...messages), tools: [tool()] })

const afterTools = 'Note that blocks are processed in the following order: `tools`, `system`, `messages`.'
const anywhere = 'the directive-only form (content: [] with output_config) is accepted at any position'
const without = '`tool_use` ids were found without `tool_result` blocks immediately after'
const each = 'Each `tool_use` block must have a corresponding `tool_result` block in the next message.'
const unexpected = 'unexpected `tool_use_id` found in `tool_result` blocks'
const empty = 'all messages must have non-empty content except for the optional final assistant message'

const refused: [what: string, message: string, body: object, headers?: Headers][] = [
  ['two tools of one name', 'tools: Tool names must be unique.', request({ tools: [tool(), tool()] })],
  [
    'a tool whose name has a blank',
    "tools.1.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'",
    request({ tools: [tool(), tool('look up')] }),
  ],
  [
    'less thinking than there can be',
    'thinking.enabled.budget_tokens: Input should be greater than or equal to 1024',
    request({ max_tokens: 4_096, thinking: { type: 'enabled', budget_tokens: 512 } }),
  ],
  [
    'as much thinking as there is answer',
    '`max_tokens` must be greater than `thinking.budget_tokens`',
    request({ max_tokens: 2_048, thinking: { type: 'enabled', budget_tokens: 2_048 } }),
  ],
  ['no model', 'model: Field required', { max_tokens: 1, messages: [user()] }],
  ['no max_tokens', 'max_tokens: Field required', { model: 'claude-opus-5-5', messages: [user()] }],
  ['half a token', 'max_tokens: Input should be a valid integer', request({ max_tokens: 0.5 })],
  ['fewer tokens than none', 'max_tokens: Input should be greater than or equal to 0', request({ max_tokens: -1 })],
  ['no list of messages', 'messages: Field required', { model: 'claude-opus-5-5', max_tokens: 1 }],
  ['no messages', 'messages: at least one message is required', withMessages()],

  ['a streamed pre-warm', 'max_tokens: 0 cannot be combined with stream', request({ max_tokens: 0, stream: true })],
  [
    'a pre-warm that thinks',
    'max_tokens: 0 cannot be combined with thinking.type "enabled"',
    request({ max_tokens: 0, thinking: { type: 'enabled', budget_tokens: 1024 } }),
  ],
  [
    'a pre-warm with a format',
    'max_tokens: 0 cannot be combined with output_config.format',
    request({ max_tokens: 0, output_config: { format: { type: 'json_schema', schema: {} } } }),
  ],
  [
    'a pre-warm with a forced tool',
    'max_tokens: 0 cannot be combined with tool_choice.type "any"',
    request({ max_tokens: 0, tools: [tool()], tool_choice: { type: 'any' } }),
  ],

  [
    'a fifth breakpoint',
    'A maximum of 4 blocks with cache_control may be provided. Found 5.',
    request({
      tools: [tool('a', mark())],
      system: [text('a', mark()), text('b', mark())],
      messages: [user([text('c', mark()), text('d', mark())])],
    }),
  ],
  [
    'a fifth breakpoint that is the automatic one',
    'A maximum of 4 blocks with cache_control may be provided. Found 5.',
    request({
      ...mark(),
      tools: [tool('a', mark())],
      system: [text('a', mark()), text('b', mark()), text('c', mark())],
    }),
  ],
  [
    'a longer lifetime behind a shorter one',
    `system.1.cache_control.ttl: a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block. ${afterTools}`,
    request({ tools: [tool('a', mark('1h'))], system: [text('a', mark()), text('b', mark('1h'))] }),
  ],
  [
    'an automatic breakpoint that lives longer than one before it',
    `cache_control.ttl: a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block. ${afterTools}`,
    request({ ...mark('1h'), system: [text('a', mark())] }),
  ],
  [
    'an automatic breakpoint on a block that lives otherwise',
    "Top-level cache_control has ttl='5m' but the target block already has cache_control with ttl='1h'",
    request({ ...mark(), messages: [user([text('a', mark('1h'))])] }),
  ],
  [
    'a marked thinking block',
    'messages.1.content.0.thinking.cache_control: Extra inputs are not permitted',
    withMessages(user(), assistant([{ ...thinking, ...mark() }, text()]), user()),
  ],
  [
    'a mark inside a tool result',
    'messages.2.content.0.tool_result.content.0.text.cache_control: Extra inputs are not permitted',
    withMessages(user(), assistant([call('a')]), user([result('a', [text('x', mark())])])),
  ],
  [
    'a marked tool that waits to be found',
    "Tool 'far' cannot have both defer_loading=true and cache_control set. Tools with defer_loading cannot use prompt caching.",
    request({ tools: [tool(), tool('far', { defer_loading: true, ...mark() })] }),
  ],
  [
    'a marked system message of one turn',
    'messages.1.content.0: cache_control cannot be set in a system message with clear_at',
    withMessages(user(), system([text('a', mark())], { clear_at: 'next_user_message' })),
    clearAt,
  ],
  [
    'a lifetime that there is not',
    "messages.0.content.0.cache_control.ttl: Input should be '5m' or '1h'",
    withMessages(user([text('a', mark('2h'))])),
  ],
  ['a mark of no type', "cache_control.type: Input should be 'ephemeral'", request({ cache_control: {} })],

  [
    'an unknown role',
    "messages.1.role: Input should be 'user', 'assistant', 'system'",
    withMessages(user(), { role: 'tool', content: 'x' }),
  ],
  ['an answer first', 'messages: first message must use the "user" role', withMessages(assistant(), user())],
  [
    'a system message first',
    `messages.0: use the top-level 'system' parameter for the initial system prompt; ${anywhere}`,
    withMessages(system(), user()),
  ],
  [
    'a system message behind an answer',
    `messages.2: role 'system' must follow a 'user' message or an 'assistant' message ending in a server tool result; ${anywhere}`,
    withMessages(user(), assistant(), system(), assistant()),
  ],
  [
    'a system message before a user message',
    `messages.1: role 'system' must precede an 'assistant' message or end the array; ${anywhere}`,
    withMessages(user(), system(), user()),
  ],
  [
    'the first of two system messages that stand wrong together',
    `messages.1: role 'system' must precede an 'assistant' message or end the array; ${anywhere}`,
    withMessages(user(), system(), system(), user()),
  ],
  [
    'a system message between a call and its result',
    `messages.2: role 'system' must follow a 'user' message or an 'assistant' message ending in a server tool result; ${anywhere}`,
    withMessages(user(), assistant([call('a')]), system(), user([result('a')])),
  ],
  ...['claude-sonnet-5', 'claude-opus-4-7', 'claude-haiku-4-5-20251001', 'not-a-model'].map(
    (model) =>
      [
        `a system message on ${model}`,
        "messages.1: role 'system' is not supported on this model",
        { ...withMessages(user(), system()), model },
      ] as [string, string, object],
  ),
  [
    'a system message for one turn without its header',
    'messages.1.clear_at: Extra inputs are not permitted',
    withMessages(user(), system('a', { clear_at: 'next_user_message' })),
  ],
  [
    'effort for one message without its header',
    'messages.1.output_config: Extra inputs are not permitted',
    withMessages(user(), system([], { output_config: { effort: 'low' } })),
  ],
  [
    'a choice about bound blocks without its header',
    'thinking.adaptive.block_binding: Extra inputs are not permitted',
    request({ thinking: { type: 'adaptive', block_binding: { prefix_mismatch_behavior: 'drop_block' } } }),
  ],

  [
    'a change of tools without a header',
    'messages.1.content.1.type: Extra inputs are not permitted',
    withTools(user(), system([text(), remove('look')])),
  ],
  [
    'a definition under the header for references',
    'messages.1.content.0.tool_addition.tool.type: Input should be a reference to a tool',
    withTools(user(), system([define('find')])),
    toolChanges,
  ],
  [
    'the removal of a tool that nobody defined',
    "messages.1.content.0.tool_removal.tool: no tool named 'find' is defined in tools or in an earlier message",
    withTools(user(), system([remove('find')])),
    inlineTools,
  ],
  [
    'the addition by name of a tool that is defined later only',
    "messages.1.content.0.tool_addition.tool: no tool named 'find' is defined in tools or in an earlier message",
    withTools(user(), system([add('find'), define('find')])),
    inlineTools,
  ],
  [
    'the definition of a name that is taken',
    "messages.1.content.0.tool_addition.tool: a tool named 'look' is already defined. Remove it before defining it again.",
    withTools(user(), system([define('look')])),
    inlineTools,
  ],
  [
    'the definition of a name that an earlier message took',
    "messages.4.content.0.tool_addition.tool: a tool named 'find' is already defined. Remove it before defining it again.",
    withTools(user(), system([define('find')]), assistant(), user(), system([define('find')])),
    inlineTools,
  ],
  [
    'a removal that defines',
    'messages.1.content.0.tool_removal.tool.type: Input should be a reference to a tool',
    withTools(user(), system([{ ...define('find'), type: 'tool_removal' }])),
    inlineTools,
  ],
  [
    'a reference without a name',
    'messages.1.content.0.tool_addition.tool.name: Field required',
    withTools(user(), system([{ type: 'tool_addition', tool: { type: 'tool_reference' } }])),
    inlineTools,
  ],
  [
    'a change of tools by a user',
    'messages.0.content.1: tool_removal blocks are only allowed in system messages without clear_at',
    withTools(user([text(), remove('look')])),
    inlineTools,
  ],
  [
    'a change of tools on a model without them',
    'messages.1.content.0: tool_addition is not supported on this model',
    { ...withTools(user(), system([define('find')])), model: 'claude-fable-5-2' },
    inlineTools,
  ],

  ['a message without content', `messages.0: ${empty}`, withMessages(user([]))],
  ['an answer without content before the end', `messages.1: ${empty}`, withMessages(user(), assistant(''), user())],
  ['an empty text', 'messages: text content blocks must be non-empty', withMessages(user([text(''), text()]))],
  ['a blank text', 'messages: text content blocks must contain non-whitespace text', withMessages(user(' \n'))],
  ['a blank system block', 'system: text content blocks must be non-empty', request({ system: [text('')] })],
  [
    'an empty text inside a tool result',
    'messages: text content blocks must be non-empty',
    withMessages(user(), assistant([call('a')]), user([result('a', [text('')])])),
  ],
  [
    'an answer that ends in thinking',
    'messages.1: The final block in an assistant message cannot be `thinking`.',
    withMessages(user(), assistant([text(), thinking]), user()),
  ],

  [
    'calls without results',
    `messages.1: ${without}: b, c. ${each}`,
    withMessages(user(), assistant([call('a'), call('b'), call('c')]), user([result('a')])),
  ],
  ['a call at the end', `messages.1: ${without}: a. ${each}`, withMessages(user(), assistant([call('a')]))],
  [
    'a result behind a text',
    `messages.1: ${without}: a. ${each}`,
    withMessages(user(), assistant([call('a')]), user([text(), result('a')])),
  ],
  [
    'a result one turn late',
    `messages.1: ${without}: a. ${each}`,
    withMessages(user(), assistant([call('a')]), user(), assistant(), user([result('a')])),
  ],
  [
    'a result of no call',
    `messages.2.content.1: ${unexpected}: b. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`,
    withMessages(user(), assistant([call('a')]), user([result('a'), result('b')])),
  ],
  [
    'two results of one call',
    'messages.2.content.1: each tool_use must have a single result. Found multiple `tool_result` blocks with id: a',
    withMessages(user(), assistant([call('a')]), user([result('a'), result('a')])),
  ],
  [
    'two calls of one id',
    'messages.3: `tool_use` ids must be unique',
    withMessages(user(), assistant([call('a')]), user([result('a')]), assistant([call('a')]), user([result('a')])),
  ],
]

const accepted: [what: string, body: object, headers?: Headers][] = [
  [
    'four breakpoints',
    request({ tools: [tool('a', mark('1h'))], system: [text('a', mark('1h')), text('b', mark())], ...mark() }),
  ],
  [
    'an automatic breakpoint on a block that has the same',
    request({
      ...mark(),
      system: [text('a', mark()), text('b', mark()), text('c', mark())],
      messages: [user([text('d', mark())])],
    }),
  ],
  ['a cache_control that is null', request({ cache_control: null, system: [text('a', { cache_control: null })] })],
  ['a system message after results', withMessages(user(), assistant([call('a')]), user([result('a')]), system())],
  ['system messages in a row', withMessages(user(), system(), system(), assistant(), user())],
  [
    'a system message after a server tool result',
    withMessages(
      user(),
      assistant([
        { type: 'server_tool_use', id: 's', name: 'web_search', input: {} },
        { type: 'web_search_tool_result', tool_use_id: 's', content: [] },
      ]),
      system(),
      assistant(),
      user(),
    ),
  ],
  [
    'effort for one message anywhere',
    withMessages(user(), assistant(), system([], { output_config: { effort: 'low' } }), user()),
    outputConfig,
  ],
  [
    'a system message for one turn',
    withMessages(user(), system('a', { clear_at: 'next_user_message' }), assistant(), user()),
    clearAt,
  ],
  [
    'tools that come and go by name',
    withTools(user(), system([remove('look')]), assistant(), user(), system([text(), add('look')])),
    toolChanges,
  ],
  [
    'tools by value, marked, and a definition that takes the place of another',
    withTools(
      user(),
      system([text(), define('find', mark())]),
      assistant(),
      user(),
      system([remove('find'), define('find'), remove('look'), define('look')]),
    ),
    inlineTools,
  ],
  ['two user messages in a row', withMessages(user(), user())],
  [
    'results spread over two messages',
    withMessages(user(), assistant([call('a'), call('b')]), user([result('a')]), user([result('b'), text()])),
  ],
  [
    'marks on what tools of the provider leave, and on a summary',
    withMessages(
      assistant([{ type: 'compaction', content: 'So far.', ...mark() }]),
      user(),
      assistant([
        { type: 'server_tool_use', id: 's', name: 'web_search', input: {}, ...mark() },
        { type: 'web_search_tool_result', tool_use_id: 's', content: [], ...mark() },
      ]),
      user(),
    ),
  ],
  ['an empty answer to go on from', withMessages(user(), assistant(''))],
  ['what is null as what is left out', withMessages(user(), system('a', { clear_at: null }))],
  ['an empty tool result', withMessages(user(), assistant([call('a')]), user([result('a', '')]))],
  ['the start of the answer', withMessages(user(), assistant('Well,'))],
  ['a pre-warm', request({ max_tokens: 0, ...mark() })],
  ['a signature from elsewhere', withMessages(user(), assistant([thinking, text()]), user())],
]

describe('a strict emulator', () => {
  it.each(refused)('refuses %s', async (_, message, body, headers) => {
    expect(await refusal(body, headers)).toBe(message)
  })

  it('tells no cache of what it refuses', async () => {
    await refusal({ ...request({ max_tokens: -1 }), system: 'word '.repeat(4_000), ...mark() })
    expect(strict.requests().at(-1)).toMatchObject({ status: 400, prediction: null, error: { type: 'error' } })
    expect(strict.caches().flatMap(({ entries }) => entries)).toEqual([])
  })

  it.each(accepted)('takes %s', async (_, body, headers) => {
    expect(await refusal(body, headers)).toBeNull()
  })

  it('counts tokens by the same rules, but for max_tokens', async () => {
    const path = '/v1/messages/count_tokens'
    const { max_tokens: _, ...counted } = request()
    expect(await refusal(counted, {}, path)).toBeNull()
    expect(await refusal({ ...counted, messages: [assistant()] }, {}, path)).toBe(
      'messages: first message must use the "user" role',
    )
  })
})

describe('an emulator that is not strict', () => {
  // What has no messages or no readable content cannot be counted, whoever asks.
  const unreadable = new Set(['no list of messages'])

  it.each(refused.filter(([what]) => !unreadable.has(what)))('takes %s', async (_, __, body, headers) => {
    expect((await post(lenient, body, headers)).status).toBe(200)
  })

  it('refuses what cannot be read', async () => {
    expect((await post(lenient, { model: 'claude-opus-5-5', max_tokens: 1 })).status).toBe(400)
  })
})
