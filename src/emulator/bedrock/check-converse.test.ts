import { describe, expect, it } from 'vitest'
import { checkConverse } from './check-converse.ts'

const user = (...content: object[]) => ({ role: 'user', content })
const answer = (...content: object[]) => ({ role: 'assistant', content })
const text = { text: 'Hello' }
const call = (toolUseId: string, more: object = {}) => ({ toolUse: { toolUseId, name: 'read', input: {}, ...more } })
const result = (toolUseId: string) => ({ toolResult: { toolUseId, content: [{ text: 'ok' }] } })
const mark = (ttl?: string) => ({ cachePoint: { type: 'default', ...(ttl !== undefined && { ttl }) } })
const read = { toolSpec: { name: 'read', inputSchema: { json: {} } } }
const toolConfig = { tools: [read] }
const thought = { reasoningContent: { reasoningText: { text: 'Hm.', signature: 's' } } }

describe('checkConverse', () => {
  it.each<[string, object]>([
    ['one message', { messages: [user(text)] }],
    [
      'a conversation',
      { system: [text, mark('1h')], messages: [user(text, mark()), answer(thought, text), user(text)] },
    ],
    [
      'a loop of tools',
      {
        toolConfig: { tools: [read, mark('1h')] },
        messages: [user(text), answer(text, call('a'), call('b')), user(result('b'), result('a'), text, mark())],
      },
    ],
    ['calls that nobody has answered yet', { toolConfig, messages: [user(text), answer(call('a'))] }],
    [
      'a tool that the service runs',
      {
        toolConfig,
        messages: [user(text), answer(call('s', { type: 'server_tool_use' }), result('s'), text), user(text)],
      },
    ],
    ['a document with text', { messages: [user(text, { document: { format: 'pdf' } }, mark())] }],
  ])('accepts %s', (_, body) => {
    expect(checkConverse(body)).toEqual([])
  })

  it.each<[string, object, string]>([
    ['no messages', { messages: [] }, 'must start with a user message'],
    ['an answer first', { messages: [answer(text)] }, 'must start with a user message'],
    ['two messages of the user', { messages: [user(text), user(text)] }, 'messages.1: A conversation must alternate'],
    ['a system message', { messages: [user(text), { role: 'system', content: [text] }] }, 'the role "system"'],
    ['an empty message', { messages: [user()] }, 'at messages.0 is empty'],
    ['a message that is only marked', { messages: [user(mark())] }, 'at messages.0 is empty'],
    ['blank text', { messages: [user(text, { text: ' \n' })] }, 'at messages.0.content.1 is blank'],
    [
      'blank text in a result',
      {
        toolConfig,
        messages: [user(text), answer(call('a')), user({ toolResult: { toolUseId: 'a', content: [{ text: '' }] } })],
      },
      'at messages.2.content.0.toolResult.content.0 is blank',
    ],
    ['blank system text', { system: [{ text: '' }], messages: [user(text)] }, 'at system.0 is blank'],
    ['two things in one block', { messages: [user({ ...text, image: {} })] }, 'must set exactly one key'],
    [
      'a picture of the model',
      { messages: [user(text), answer({ image: {} })] },
      'only allowed in messages of the user',
    ],
    ['a document alone', { messages: [user({ document: {} })] }, 'A text block must be included'],
    [
      'a call without its result',
      { toolConfig, messages: [user(text), answer(call('a'), call('b')), user(result('a'))] },
      'at messages.2.content for the following Ids: b',
    ],
    [
      'a result without a call',
      { toolConfig, messages: [user(text), answer(call('a')), user(result('a'), result('b'))] },
      'exceeds the number of toolUse blocks',
    ],
    [
      'a result twice',
      { toolConfig, messages: [user(text), answer(call('a')), user(result('a'), result('a'))] },
      'exceeds the number of toolUse blocks',
    ],
    [
      'a result behind text',
      { toolConfig, messages: [user(text), answer(call('a')), user(text, result('a'))] },
      'must come before all other content',
    ],
    [
      'calls without tools',
      { messages: [user(text), answer(call('a')), user(result('a'))] },
      'The toolConfig field must be defined',
    ],
    ['an empty list of tools', { toolConfig: { tools: [] }, messages: [user(text)] }, 'at least one tool'],
    ['a tool twice', { toolConfig: { tools: [read, read] }, messages: [user(text)] }, 'The tool "read"'],
    [
      'a tool that is marked in itself',
      { toolConfig: { tools: [{ ...read, ...mark() }] }, messages: [user(text)] },
      'can only set one of the following keys',
    ],
    [
      'five breakpoints',
      {
        toolConfig: { tools: [read, mark()] },
        system: [text, mark(), text, mark()],
        messages: [user(text, mark(), text, mark())],
      },
      'A maximum of 4 blocks',
    ],
    ['a breakpoint first', { messages: [user(text), answer(text), user(mark(), text)] }, 'nothing available to cache'],
    ['a breakpoint behind another', { messages: [user(text, mark(), mark())] }, 'may not follow another'],
    ['a breakpoint behind reasoning', { messages: [user(text), answer(thought, mark())] }, 'after reasoning block'],
    [
      'a breakpoint behind a document that is no PDF',
      { messages: [user(text, { document: { format: 'md' } }, mark())] },
      'messages.0.content.2.type: Field required',
    ],
    [
      'a long breakpoint behind a short one',
      { system: [text, mark()], messages: [user(text, mark('1h'))] },
      'must not come after',
    ],
    ['a lifetime that there is not', { messages: [user(text, mark('2h'))] }, '"2h" is not one of'],
  ])('refuses %s', (_, body, problem) => {
    expect(checkConverse(body)).toContainEqual(expect.stringContaining(problem))
  })
})
