import { describe, expect, it } from 'vitest'
import type { Exchange } from '../exchange.ts'
import { exchangeOf, wholeFidelity } from '../test-turns.ts'
import { Recorder } from '../record/recorder.ts'
import { Linker } from './linker.ts'
import {
  conversation,
  instructions,
  link,
  linkBodies,
  numbers,
  parents,
  tool,
  type Body,
  type Call,
} from './test-conversation.ts'

const user = (content: unknown): Body['messages'][number] => ({ role: 'user', content })
const assistant = (content: unknown): Body['messages'][number] => ({ role: 'assistant', content })
const body = (messages: Body['messages'], over: Partial<Body> = {}): Body => ({
  model: 'claude-opus-4-6',
  max_tokens: 1000,
  tools: ['read', 'write', 'run'].map(tool),
  system: instructions,
  messages,
  ...over,
})
const inSession = (session: string, bodies: readonly unknown[], over: Partial<Exchange> = {}): Call[] =>
  bodies.map((one) => ({ body: one, over: { ...over, ids: { session, ...over.ids } } }))

describe('one conversation', () => {
  it('links each turn to the one before', () => {
    const { linked, streams } = linkBodies(conversation('caches', 5))
    expect(parents(linked)).toEqual([null, 0, 1, 2, 3])
    expect(numbers(streams)).toEqual([[0, 1, 2, 3, 4]])
    expect(linked.some(({ repeats }) => repeats)).toBe(false)
  })

  it('stays one stream without ids while a clock ticks, a tool is added and the model is switched', () => {
    const bodies = conversation('caches', 6, { system: (turn) => `It is 14:0${turn}:1${turn}. ${instructions}` })
    const changed = bodies.map((one, turn) => ({
      ...one,
      model: turn < 2 ? one.model : 'claude-sonnet-4-6',
      tools: turn < 4 ? one.tools : [...one.tools, tool('search')],
    }))
    const { linked, streams } = linkBodies(changed)
    expect(parents(linked)).toEqual([null, 0, 1, 2, 3, 4])
    expect(streams).toHaveLength(1)
  })

  it('stays one stream when each call has a session of its own, as a trace id is', () => {
    const calls = conversation('caches', 5).map((one, turn) => ({
      body: one,
      over: { ids: { session: `trace-${turn}` } },
    }))
    expect(numbers(link(calls).streams)).toEqual([[0, 1, 2, 3, 4]])
  })

  it('stays one stream when the instructions are nothing but the time, in words', () => {
    const words = ['quarter past nine', 'ten to ten', 'nearly noon', 'late']
    const { streams } = linkBodies(conversation('caches', 4, { tools: [], system: (turn) => words[turn] ?? '' }))
    expect(numbers(streams)).toEqual([[0, 1, 2, 3]])
  })

  it('stays one stream when the first message tells the time', () => {
    const bodies = conversation('caches', 5).map((one, turn) => {
      const [first, ...rest] = one.messages
      return {
        ...one,
        messages: [user(`<context>Now: 2026-11-01T10:0${turn}:00Z</context> ${String(first?.content)}`), ...rest],
      }
    })
    expect(parents(linkBodies(bodies).linked)).toEqual([null, 0, 1, 2, 3])
  })

  it('stays one stream when a reminder moves to the newest message', () => {
    const reminder = {
      type: 'text',
      text: '<system-reminder>Do not forget the list of things to do.</system-reminder>',
    }
    const bodies = conversation('caches', 4).map((one) => ({
      ...one,
      messages: one.messages.map((message, index) =>
        index < one.messages.length - 1
          ? message
          : { ...message, content: [{ type: 'text', text: message.content }, reminder] },
      ),
    }))
    expect(parents(linkBodies(bodies).linked)).toEqual([null, 0, 1, 2])
  })

  it('stays one stream when every call id is minted anew', () => {
    const turn = (count: number): Body =>
      body([
        user('Look around.'),
        ...Array.from({ length: count }, (_, index) => {
          const id = `toolu_${count}${index}abcdef`
          return [
            assistant([{ type: 'tool_use', id, name: 'read', input: { path: `file-${index}.ts` } }]),
            user([{ type: 'tool_result', tool_use_id: id, content: `The ${index}th file, which is not long.` }]),
          ]
        }).flat(),
      ])
    const { linked, streams } = linkBodies([0, 1, 2, 3, 4, 5].map(turn))
    expect(parents(linked)).toEqual([null, 0, 1, 2, 3, 4])
    expect(streams).toHaveLength(1)
  })

  it('stays one stream when an old result is cleared and thinking is dropped', () => {
    const long = 'a line of output\n'.repeat(200)
    const call = [
      assistant([
        { type: 'thinking', thinking: 'What is in there?', signature: 'sig' },
        { type: 'tool_use', id: 'toolu_1', name: 'read', input: {} },
      ]),
      user([{ type: 'tool_result', tool_use_id: 'toolu_1', content: long }]),
    ]
    const cleared = [
      assistant([{ type: 'tool_use', id: 'toolu_1', name: 'read', input: {} }]),
      user([{ type: 'tool_result', tool_use_id: 'toolu_1', content: '[cleared]' }]),
    ]
    const start = [user('Look around.')]
    const { linked, streams } = linkBodies([
      body(start),
      body([...start, ...call]),
      body([...start, ...cleared, assistant('Nothing.'), user('Again?')]),
      body([...start, ...cleared, assistant('Nothing.'), user('Again?'), assistant('Still nothing.'), user('Thanks.')]),
    ])
    expect(parents(linked)).toEqual([null, 0, 1, 2])
    expect(streams).toHaveLength(1)
  })

  it('begins without a parent where the log begins', () => {
    const { linked, streams } = linkBodies(conversation('caches', 9).slice(5))
    expect(parents(linked)).toEqual([null, 0, 1, 2])
    expect(streams).toHaveLength(1)
  })

  it('takes a long prompt with a doubled question for what it is', () => {
    const said = [user('continue'), assistant('Done.'), user('continue'), assistant('Done.'), user('continue')]
    const { linked } = linkBodies([1, 3, 5].map((length) => body(said.slice(0, length))))
    expect(parents(linked)).toEqual([null, 0, 1])
  })
})

describe('conversations beside each other', () => {
  const agent = {
    tools: ['read', 'search'],
    system: () => 'You explore. Answer with a list of files, and nothing else at all.',
  }
  const title = (text: string): Body =>
    body([user(text)], { tools: [], system: 'Write a title of five words for what the user says.' })

  it('tells a main loop, two sub-agents and titles of one session apart', () => {
    const main = conversation('caches', 4)
    const [one, two] = [conversation('tests', 3, agent), conversation('docs', 3, agent)]
    const log = [
      main[0],
      title(String(main[0]?.messages[0]?.content)),
      main[1],
      one[0],
      two[0],
      one[1],
      two[1],
      title('More of it.'),
      two[2],
      one[2],
      main[2],
      main[3],
    ]
    const { linked, streams } = link(inSession('s', log))
    expect(numbers(streams)).toEqual([
      [0, 2, 10, 11],
      [1, 7],
      [3, 5, 9],
      [4, 6, 8],
    ])
    expect(parents(linked)).toEqual([null, null, 0, null, null, 3, 4, null, 6, 5, 2, 10])
    const [family, titles, first, second] = streams.map((stream) => stream.family)
    expect(first).toBe(second)
    expect(new Set([family, titles, first]).size).toBe(3)
  })

  it('keeps agents apart by what the client says, even with one prompt', () => {
    const calls = conversation('caches', 2).flatMap((one) => [
      { body: one, over: { ids: { session: 's', agent: 'main', isSubagent: false } } },
      { body: one, over: { ids: { session: 's', agent: 'explore', isSubagent: true } } },
    ])
    const { linked, streams } = link(calls)
    expect(parents(linked)).toEqual([null, null, 0, 1])
    expect(numbers(streams)).toEqual([
      [0, 2],
      [1, 3],
    ])
  })

  it('begins a stream of the same family for another question to the same agent', () => {
    const { streams } = linkBodies([...conversation('caches', 2), ...conversation('tests', 2)])
    expect(numbers(streams)).toEqual([
      [0, 1],
      [2, 3],
    ])
    expect(streams[0]?.family).toBe(streams[1]?.family)
  })

  it('does not take a common reminder for a conversation', () => {
    const reminder = { type: 'text', text: 'These are the rules of the house, which are told to everyone. '.repeat(20) }
    const ask = (text: string): Body => body([user([reminder, { type: 'text', text }])])
    const { linked } = linkBodies([ask('Where is the cache?'), ask('Write a poem on the sea.'), ask('Why?')])
    expect(parents(linked)).toEqual([null, null, null])
  })

  it('tells questions between two reminders apart, and follows each', () => {
    const [head, tail] = ['These are the rules of the house. ', 'Do not forget the list. '].map((text) => ({
      type: 'text',
      text: text.repeat(30),
    }))
    const ask = (text: string): Body['messages'] => [user([head, { type: 'text', text }, tail])]
    const [one, two] = [ask('Where is the cache?'), ask('Where is the chart?')]
    const more = [assistant('It is there.'), user('Go on.')]
    const { linked } = linkBodies([body(one), body(two), body([...two, ...more]), body([...one, ...more])])
    expect(parents(linked)).toEqual([null, null, 1, 0])
  })

  it('does not take common examples for a conversation', () => {
    const examples = [user('2 + 2'), assistant('4'), user('3 + 3'), assistant('6')]
    const { linked } = linkBodies(['5 + 8', '9 - 1', '7 * 6'].map((question) => body([...examples, user(question)])))
    expect(parents(linked)).toEqual([null, null, null])
  })

  it('links twenty interleaved conversations with one opening reminder', () => {
    const reminder = user('These are the rules of the house, which are told to everyone. '.repeat(20))
    const all = Array.from({ length: 20 }, (_, index) =>
      conversation(`topic ${index}`, 6).map((one) => ({ ...one, messages: [reminder, ...one.messages] })),
    )
    const log = Array.from({ length: 6 }, (_, turn) => all.map((bodies) => bodies[turn])).flat()
    const { linked, streams } = linkBodies(log)
    expect(streams).toHaveLength(20)
    expect(parents(linked)).toEqual(log.map((_, index) => (index < 20 ? null : index - 20)))
  })

  it('finds its own turn when a hundred sessions open with the same words', () => {
    const log = Array.from({ length: 2 }, (_, turn) =>
      Array.from({ length: 100 }, (__, session) =>
        inSession(`s${session}`, [
          body([user('hi'), assistant(`Hello ${session}.`), user('Go on.')].slice(0, 1 + turn * 2)),
        ]),
      ),
    ).flat(2)
    const { linked } = link(log)
    expect(parents(linked)).toEqual(log.map((_, index) => (index < 100 ? null : index - 100)))
  })

  it('leaves calls that only count or only make a cache out of every stream', () => {
    const [first, second] = conversation('caches', 2)
    const { linked, streams } = link([
      { body: first },
      { body: second, over: { kind: 'count-tokens' } },
      { body: first, over: { kind: 'create-cache' } },
      { body: second },
    ])
    expect(parents(linked)).toEqual([null, null, null, 0])
    expect(numbers(streams)).toEqual([[0, 3]])
  })
})

describe('forks, repeats and failures', () => {
  const start = [user('Question one, which is about caches.')]
  const answered = [...start, assistant('The first answer, at some length.')]

  it('begins a fork for a second turn that goes on from the same one', () => {
    const { linked, streams } = linkBodies([
      body(start),
      body([...answered, user('Go left, please.')]),
      body([...answered, user('Go left, please.'), assistant('Left it is.'), user('And then?')]),
      body([...answered, user('No: what lies to the right of the house?')]),
      body([...answered, user('No: what lies to the right of the house?'), assistant('A lake.'), user('Deep?')]),
    ])
    expect(parents(linked)).toEqual([null, 0, 1, 0, 3])
    expect(numbers(streams)).toEqual([
      [0, 1, 2],
      [3, 4],
    ])
    expect(streams[1]?.parent).toEqual({ stream: streams[0]?.id, turn: 0 })
    expect(streams[0]?.family).toBe(streams[1]?.family)
  })

  it('takes the same task, run again with other call ids, for a repeat and what follows it', () => {
    const call = (id: string, result: string): Body['messages'][number][] => [
      assistant([{ type: 'tool_use', id, name: 'read', input: {} }]),
      user([{ type: 'tool_result', tool_use_id: id, content: result }]),
    ]
    const run = (id: string): Body[] => [body(start), body([...start, ...call(id, 'A line, and one more.')])]
    const { linked, streams } = linkBodies([...run('toolu_1234'), ...run('toolu_5678')])
    expect(parents(linked)).toEqual([null, 0, 0, 2])
    expect(numbers(streams)).toEqual([[0, 1, 2], [3]])
  })

  it('follows its own question when another conversation got the same feedback', () => {
    const feedback = user(
      'User feedback: great work! Use this feedback to make the next output better, and do not repeat it.',
    )
    const answer = (words: string): Body['messages'][number] =>
      assistant(`I can give a great answer. ${words.repeat(200)}`)
    const { linked } = linkBodies([
      body([user('Write on sailing.')]),
      body([user('Write on sailing.'), answer('Sails are. '), feedback]),
      body([user('Write on the great deserts of this world.')]),
      body([user('Write on the great deserts of this world.'), answer('Sands are. '), feedback]),
    ])
    expect(parents(linked)).toEqual([null, 0, null, 2])
  })

  it('follows a fork of which every word is said elsewhere too', () => {
    const bland = [assistant('Done.'), user('continue')]
    const { linked } = linkBodies([
      ...['x', 'y', 'z'].map((letter) => body([user(letter), ...bland])),
      body(start),
      body([...answered, user('Go left, please.')]),
      body([...start, ...bland]),
      body([...start, ...bland, assistant('Fine.'), user('So?')]),
    ])
    expect(parents(linked)).toEqual([null, null, null, null, 3, 3, 5])
  })

  it('keeps an equal prompt in the stream as a repeat', () => {
    const { linked, streams } = linkBodies([body(start), body(start), body([...answered, user('Go on.')]), body(start)])
    expect(linked.map(({ repeats }) => repeats)).toEqual([false, true, false, true])
    expect(parents(linked)).toEqual([null, 0, 1, 1])
    expect(numbers(streams)).toEqual([[0, 1, 2, 3]])
  })

  it('does not call it a repeat when another session asks the same', () => {
    const { linked, streams } = link([...inSession('a', [body(start)]), ...inSession('b', [body(start)])])
    expect(parents(linked)).toEqual([null, null])
    expect(streams).toHaveLength(2)
  })

  it('goes on from the last call that was answered when one failed', () => {
    const second = body([...answered, user('Go on.')])
    const { linked, streams } = link([
      { body: body(start) },
      { body: second, over: { status: 529 } },
      { body: second },
      { body: body([...second.messages, assistant('Sure.'), user('More.')]) },
    ])
    expect(parents(linked)).toEqual([null, 0, 0, 2])
    expect(linked.map(({ repeats }) => repeats)).toEqual([false, false, false, false])
    expect(numbers(streams)).toEqual([[0, 1, 2, 3]])
  })

  it('keeps a retry beside the failed first call, and calls it no repeat', () => {
    const { linked, streams } = link([{ body: body(start), over: { status: 500 } }, { body: body(start) }])
    expect(parents(linked)).toEqual([null, 0])
    expect(linked[1]?.repeats).toBe(false)
    expect(numbers(streams)).toEqual([[0, 1]])
  })

  it('gives the place in the stream to the main loop when a summary was asked for in between', () => {
    const second = [...answered, user('Go on.')]
    const { streams } = linkBodies([
      body(start),
      body([...answered, user('Summarise all of this.')], {
        system: 'You write summaries, and nothing else.',
        tools: [],
      }),
      body(second),
      body([...second, assistant('Sure.'), user('More.')]),
    ])
    expect(numbers(streams)).toEqual([[0, 2, 3], [1]])
  })
})

describe('what a client says', () => {
  it('takes the named request for the parent, where it is alike at all', () => {
    const [first, second, third] = conversation('caches', 3)
    const { linked } = link([
      { body: first, over: { ids: { request: 'r1' } } },
      { body: second, over: { ids: { request: 'r2' } } },
      { body: third, over: { ids: { request: 'r3', previousRequest: 'r1' } } },
      { body: third, over: { ids: { request: 'r4', previousRequest: 'unknown' } } },
    ])
    expect(parents(linked)).toEqual([null, 0, 0, 2])
  })

  it('does not believe a name that leads to another agent', () => {
    const other = conversation('docs', 1, { tools: ['search'], system: () => 'Answer with a list.' })
    const { linked } = link([
      { body: other[0], over: { ids: { request: 'r1' } } },
      { body: conversation('caches', 1)[0], over: { ids: { previousRequest: 'r1' } } },
    ])
    expect(parents(linked)).toEqual([null, null])
  })

  it('follows a response id into a body that holds only what is new', () => {
    const { linked } = link([
      { body: { model: 'gpt-5.6', input: 'Hello.' }, over: { response: { id: 'resp_1' } } },
      { body: { model: 'gpt-5.6', input: 'More.' }, over: { ids: { previousResponse: 'resp_1' } } },
    ])
    expect(parents(linked)).toEqual([null, 0])
  })

  it('goes on in another session only from all of the one before', () => {
    const bodies = conversation('caches', 5)
    const resumed = bodies.slice(3)
    const { linked, streams } = link([...inSession('a', bodies.slice(0, 3)), ...inSession('b', resumed)])
    expect(parents(linked)).toEqual([null, 0, 1, 2, 3])
    expect(streams).toHaveLength(1)
    const cut = resumed.map((one) => ({ ...one, messages: one.messages.slice(2) }))
    const apart = link([...inSession('a', bodies.slice(0, 3)), ...inSession('b', cut)])
    expect(parents(apart.linked)).toEqual([null, 0, 1, null, 3])
  })
})

describe('compaction', () => {
  const before = conversation('caches', 8)
  const tail = before[7]?.messages.slice(-3) ?? []
  const summary = user('<summary>We looked at caches, found seven things, and did them.</summary>')

  it('stays in the stream of its session', () => {
    const after = [body([summary]), body([summary, assistant('Understood.'), user('Go on.')])]
    const { linked, streams } = link(inSession('s', [...before, ...after]))
    expect(parents(linked).slice(-2)).toEqual([7, 8])
    expect(streams).toHaveLength(1)
  })

  it('stays in the stream without ids where the end was kept', () => {
    const { linked } = linkBodies([...before, body([summary, ...tail, assistant('It was done.'), user('And now?')])])
    expect(parents(linked).at(-1)).toBe(7)
  })

  it('stays in the stream when the first question was kept in front of the summary', () => {
    const first = before[0]?.messages ?? []
    const { linked } = link(
      inSession('s', [...before, body([...first, assistant('<summary>All was done.</summary>'), user('Go on.')])]),
    )
    expect(parents(linked).at(-1)).toBe(7)
  })

  it.each([
    'Something else: what is the weather?',
    'Write a summary of the report in docs/, please.',
    'Write summaries of these files. Summary first, then details.',
  ])('is not seen in a new conversation of the session: %s', (question) => {
    const { linked } = link(inSession('s', [...before, body([user(question)])]))
    expect(parents(linked).at(-1)).toBe(null)
  })

  it('is not seen in a summary without ids, nor in that of another session', () => {
    expect(parents(linkBodies([...before, body([summary])]).linked).at(-1)).toBe(null)
    expect(parents(link([...inSession('s', before), ...inSession('t', [body([summary])])]).linked).at(-1)).toBe(null)
  })

  it.each([
    'This session is being continued from a previous conversation that ran out of context.',
    '## Conversation Summary\nWe did much.',
    'Summary of the conversation so far: we did much.',
    'Previous messages were summarized to save space: we did much.',
    '<conversation-summary>We did much.</conversation-summary>',
  ])('is seen in what opens as: %s', (opening) => {
    const { linked } = link(inSession('s', [...before, body([user(opening)])]))
    expect(parents(linked).at(-1)).toBe(7)
  })

  it('is believed where the log has a record of it', () => {
    const { linked } = link([
      ...inSession('s', before),
      ...inSession('s', [body([user('Nous en étions là.')])], { events: [{ type: 'compaction' }] }),
    ])
    expect(parents(linked).at(-1)).toBe(7)
  })

  it('is a window that moves on as well', () => {
    const window = conversation('caches', 8).map((one) => ({ ...one, messages: one.messages.slice(-5) }))
    expect(numbers(linkBodies(window).streams)).toEqual([[0, 1, 2, 3, 4, 5, 6, 7]])
  })
})

describe('calls without messages', () => {
  it('follow each other in their session, agent and file', () => {
    const call = (session: string, file: string): Call => ({
      body: undefined,
      over: { ids: { session }, source: { file, line: 1 }, fidelity: { ...wholeFidelity, level: 'usage' } },
    })
    const { linked, streams } = link([call('a', 'x'), call('b', 'x'), call('a', 'x'), call('a', 'y'), call('b', 'x')])
    expect(numbers(streams)).toEqual([[0, 2], [1, 4], [3]])
    expect(parents(linked)).toEqual([null, null, 0, null, 1])
    expect(new Set(streams.map(({ id }) => id)).size).toBe(3)
  })

  it('are those whose body cannot be read, too', () => {
    const { streams } = linkBodies([{ nonsense: true }, { messages: 7 }, 'text', null])
    expect(numbers(streams)).toEqual([[0, 1, 2, 3]])
  })
})

describe('other formats', () => {
  it('links chat, Responses, Gemini and Converse conversations', () => {
    const said = ['One, please.', 'The first answer.', 'Two, please.', 'The second answer.', 'Three, please.']
    const shapes = [
      (texts: string[]): unknown => ({
        model: 'gpt-5.6',
        messages: [
          { role: 'system', content: instructions },
          ...texts.map((content, index) => ({ role: index % 2 === 0 ? 'user' : 'assistant', content })),
        ],
        tools: [{ type: 'function', function: { name: 'read', parameters: {} } }],
      }),
      (texts: string[]): unknown => ({
        model: 'gpt-5.6',
        instructions,
        input: texts.map((content, index) => ({ role: index % 2 === 0 ? 'user' : 'assistant', content })),
      }),
      (texts: string[]): unknown => ({
        contents: texts.map((text, index) => ({ role: index % 2 === 0 ? 'user' : 'model', parts: [{ text }] })),
        tools: [{ functionDeclarations: [{ name: 'read' }] }],
      }),
      (texts: string[]): unknown => ({
        modelId: 'm',
        system: [{ text: instructions }],
        messages: texts.map((text, index) => ({ role: index % 2 === 0 ? 'user' : 'assistant', content: [{ text }] })),
        inferenceConfig: {},
      }),
    ]
    const log = [1, 3, 5].flatMap((length) => shapes.map((shape) => shape(said.slice(0, length))))
    const { linked, streams } = linkBodies(log)
    expect(parents(linked)).toEqual([null, null, null, null, 0, 1, 2, 3, 4, 5, 6, 7])
    expect(streams).toHaveLength(4)
  })
})

it('works on texts that are no longer kept', () => {
  const recorder = new Recorder({ maxCharacters: 100 })
  const linker = new Linker()
  const bodies = conversation('caches', 4, { system: (turn) => `It is 14:0${turn}. ${instructions}` })
  const linked = bodies.map((one) => linker.add(recorder.record(exchangeOf(one))))
  expect(parents(linked)).toEqual([null, 0, 1, 2])
  expect(linker.finish()).toHaveLength(1)
})
