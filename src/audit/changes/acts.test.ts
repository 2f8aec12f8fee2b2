import { describe, expect, it } from 'vitest'
import { briefly, changesIn, noted } from './test-changes.ts'
import { blocksOf, conversation, mark, toolNamed, type Plan, type TestMessage } from './test-conversation.ts'

function culpritsIn(plan: Plan, read?: (turn: number) => number): string[] {
  return briefly(changes(plan, read))
}

function changes(plan: Plan, read?: (turn: number) => number): ReturnType<typeof changesIn> {
  const bodies = conversation(6, plan)
  return changesIn(bodies, (turn) => (read === undefined ? {} : { usage: { total: 2000, read: read(turn) } }))
}

/** Every block of a message, replaced. */
function withBlocks(
  message: TestMessage,
  replace: (block: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>,
): TestMessage {
  return { ...message, content: blocksOf(message).map(replace) }
}

const marked: Plan['message'] = (message, index, turn) =>
  index === 2 * turn ? withBlocks(message, (block) => ({ ...block, ...mark })) : message

describe('what is no break', () => {
  it.each<[name: string, plan: Plan]>([
    ['a plain conversation', {}],
    ['a breakpoint that moves', { message: marked }],
    [
      'a text as a string and as a list of one',
      {
        message: (message, index, turn) => (index === 0 && turn > 2 ? withBlocks(message, (block) => block) : message),
      },
    ],
    ['sampling parameters', { body: (turn) => ({ temperature: turn / 10, top_p: 0.5, stop_sequences: [`${turn}`] }) }],
    [
      'another tool choice where only the system prompt is marked',
      { body: (turn) => ({ tool_choice: { type: turn === 3 ? 'any' : 'auto' } }) },
    ],
    [
      'keys of a block in another order',
      { message: (message, _, turn) => (turn % 2 === 0 ? message : turned(message)) },
    ],
  ])('%s', (_, plan) => {
    expect(culpritsIn(plan)).toEqual([])
  })

  it.each<[name: string, ends: readonly (readonly object[])[]]>([
    [
      'an appended system message',
      [[said('user', 'a')], [said('assistant', 'b'), said('system', 'Be brief.'), said('user', 'c')]],
    ],
    ['an answer that was begun for the model', [[said('user', 'a'), said('assistant', 'It')], [said('user', 'c')]]],
    ['the last message, asked again in other words', [[said('user', 'Do it.')], []]],
  ])('%s', (_, [first = [], second = []]) => {
    const rest = second.length === 0 ? [said('user', 'Do it well.')] : [...first, ...second]
    const later = rest.map((message, index) =>
      index === 1 && first.length === 2 ? said('assistant', 'It is done.') : message,
    )
    const bodies = [first, later].map((messages) => ({ model: 'claude-opus-5', max_tokens: 9, messages }))
    expect(briefly(changesIn(bodies))).toEqual([])
  })

  it('notes a text that is written in another way', () => {
    const { alignments } = changes({
      message: (message, index, turn) => (index === 0 && turn > 2 ? withBlocks(message, (block) => block) : message),
    })
    expect([...alignments.values()].flatMap(({ notes }) => notes)).toEqual([
      'Written in another way, with the same content: messages[0].',
    ])
  })
})

function said(role: string, content: string): object {
  return { role, content }
}

function turned(message: TestMessage): TestMessage {
  return { ...message, content: blocksOf(message).map((block) => Object.fromEntries(Object.entries(block).reverse())) }
}

describe('tools', () => {
  const reads = (over: Record<string, unknown>): Plan => ({
    body: (turn) => ({ tools: [toolNamed('bash'), toolNamed('read', turn < 3 ? {} : over)] }),
  })
  const otherKeys = reads({
    input_schema: { properties: { depth: { type: 'number' }, path: { type: 'string' } }, type: 'object' },
  })

  it('names one whose definition was edited, however often in it', () => {
    expect(
      culpritsIn(reads({ description: 'Reads files in the project, and folders too, up to ten at once.' })),
    ).toEqual(['tool-edited tools[read] 3'])
  })

  it('names a date in a definition by what it is', () => {
    const plan: Plan = {
      body: (turn) => ({ tools: [toolNamed('bash', { description: `Runs. Today is 2026-11-0${turn < 3 ? 1 : 2}.` })] }),
    }
    expect(culpritsIn(plan)).toEqual(['date tools[bash] 3'])
  })

  it('tells added from removed, with names', () => {
    const plan: Plan = {
      body: (turn) => ({
        tools: turn === 3 ? [toolNamed('bash')] : ['bash', 'read', 'grep'].map((name) => toolNamed(name)),
      }),
    }
    expect(culpritsIn(plan)).toEqual(['tool-added tools[read, grep] 4', 'tool-removed tools[read, grep] 3'])
  })

  it('tells reordered from edited', () => {
    const plan: Plan = {
      body: (turn) => ({ tools: (turn < 4 ? ['a', 'b', 'c'] : ['b', 'c', 'a']).map((name) => toolNamed(name)) }),
    }
    const { culprits } = changes(plan)
    expect(culprits.map(({ kind, values }) => [kind, values])).toEqual([['tool-reordered', ['a, b, c', 'b, c, a']]])
  })

  it('counts another order of keys only where reads were lost', () => {
    expect(culpritsIn(otherKeys)).toEqual([])
    expect(noted(changes(otherKeys))).toEqual(['schema-key-order tools[read] 3'])
    expect(culpritsIn(otherKeys, () => 1900)).toEqual([])
    expect(culpritsIn(otherKeys, (turn) => (turn === 3 ? 0 : 1900))).toEqual(['schema-key-order tools[read] 3'])
  })
})

describe('the header block', () => {
  const plan: Plan = {
    body: (turn) => ({
      system: [
        {
          type: 'text',
          text: `x-anthropic-billing-header: cc_version=2.1.${turn}; cch=${(turn * 7919).toString(16)};`,
        },
        { type: 'text', text: 'You are a coding agent.', ...mark },
      ],
    }),
  }

  it('is the finding where reads end at it, and a note where they go on or nothing tells', () => {
    expect(culpritsIn(plan, () => 0)).toEqual(['header-block system[0] 1,2,3,4,5'])
    expect(noted(changes(plan, () => 1900))).toEqual(['header-block system[0] 1,2,3,4,5'])
    const [unknown] = changes(plan).culprits
    expect(unknown).toMatchObject({ kind: 'header-block', counts: false, confidence: 0.3 })
  })
})

describe('the conversation', () => {
  const answers = (
    change: (block: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>> | null,
  ): Plan => ({
    message: (message, index, turn) =>
      turn >= 4 && index < 4
        ? {
            ...message,
            content: blocksOf(message).flatMap<Readonly<Record<string, unknown>>>((block) => change(block) ?? []),
          }
        : message,
  })

  it.each<[name: string, plan: Plan, expected: readonly string[]]>([
    [
      'thinking that was dropped',
      answers((block) => (block['type'] === 'thinking' ? null : block)),
      ['thinking-dropped messages[*].content[0] 4'],
    ],
    [
      'thinking that lost its signature',
      answers((block) => (block['type'] === 'thinking' ? { ...block, signature: '' } : block)),
      ['thinking-dropped messages[*].content[0] 4'],
    ],
    [
      'results that were cleared',
      answers((block) =>
        block['type'] === 'tool_result' ? { ...block, content: '[Old tool result content cleared]' } : block,
      ),
      ['pruned-result messages[2].content[0] 4'],
    ],
    [
      'calls with new ids',
      answers((block) => ({
        ...block,
        ...(block['type'] === 'tool_use' && { id: `${String(block['id'])}x` }),
        ...(block['type'] === 'tool_result' && { tool_use_id: `${String(block['tool_use_id'])}x` }),
      })),
      ['tool-call-ids messages[*].content[*] 4'],
    ],
    [
      'an old result that says something else',
      answers((block) =>
        block['type'] === 'tool_result'
          ? { ...block, content: String(block['content']).replace('line', 'row') }
          : block,
      ),
      ['unknown messages[2].content[0] 4'],
    ],
  ])('names %s', (_, plan, expected) => {
    expect(culpritsIn(plan)).toEqual(expected)
  })

  it('notes arguments in another order of keys, and counts them where reads were lost', () => {
    const plan = answers((block) =>
      block['type'] === 'tool_use' ? { ...block, input: reversed(block['input']) } : block,
    )
    expect(noted(changes(plan))).toEqual(['argument-order messages[*].content[2] 4'])
    expect(culpritsIn(plan, (turn) => (turn === 4 ? 20 : 1900))).toEqual(['argument-order messages[*].content[2] 4'])
  })

  it('names a picture that gave way to text, and the parameter that follows from it as part of it', () => {
    const picture = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0K'.repeat(90) } }
    const plan: Plan = {
      message: (message, index, turn) => {
        const last = index === 2 * turn ? mark : {}
        if (index !== 2) return withBlocks(message, (block) => ({ ...block, ...last }))
        const block: Readonly<Record<string, unknown>> =
          turn < 4 ? { ...picture, ...last } : { type: 'text', text: '[image]' }
        return { ...message, content: [...blocksOf(message), block] }
      },
    }
    expect(culpritsIn(plan)).toEqual(['image-replaced messages[2].content[1] 4', 'parameter parameter images 1'])
  })

  it('names a picture in a result that was encoded again, apart from what changed beside it', () => {
    const picture = (letters: string): object => ({
      type: 'image',
      source: { type: 'base64', media_type: 'image/png', data: `iVBORw0K${letters.repeat(300)}` },
    })
    const result = (text: (turn: number) => string): Plan => ({
      message: (message, index, turn) =>
        index === 2
          ? withBlocks(message, (block) => ({
              ...block,
              content: [{ type: 'text', text: text(turn) }, picture(turn < 4 ? 'ab1/' : 'cd2/')],
            }))
          : message,
    })
    const { culprits } = changes(result(() => 'The page:'))
    expect(culprits.filter(({ path }) => path.startsWith('messages'))).toMatchObject([
      { kind: 'image-replaced', path: 'messages[2].content[0]' },
    ])
    expect(culprits.find(({ kind }) => kind === 'image-replaced')?.values).toEqual([
      expect.stringMatching(/^image [0-9a-f]{8} \(906 bytes\)$/),
      expect.stringMatching(/^image [0-9a-f]{8} \(906 bytes\)$/),
    ])
    const both = culpritsIn(result((turn) => `The page at 09:0${turn}:11 on the clock:`))
    expect(both.filter((one) => one.includes('messages'))).toEqual([
      'clock messages[2].content[0] 2,3,4,5',
      'image-replaced messages[2].content[0] 4',
    ])
  })

  it('names a reminder that leaves where it was read and then goes on with the newest as one habit', () => {
    const plan: Plan = {
      message: (message, index, turn) => {
        if (index !== (turn < 3 ? 0 : 2 * turn)) return message
        return { ...message, content: [...blocksOf(message), { ...reminder, ...mark }] }
      },
    }
    expect(culpritsIn(plan)).toEqual(['moved-block messages[*].content[1] 3,4,5'])
  })

  it('names thoughts that are items or members of calls, and not those that left with their calls', () => {
    const signed = (turn: number, lost: boolean): object => ({
      model: 'gemini-3-pro',
      contents: [
        { role: 'user', parts: [{ text: 'Fix the parser.' }] },
        ...Array.from({ length: turn }, (_, step) => [
          {
            role: 'model',
            parts: [
              {
                functionCall: { name: 'read', args: { path: `src/${step}.ts` } },
                ...(!lost && { thoughtSignature: `c2ln${step}bmVk` }),
              },
            ],
          },
          { role: 'user', parts: [{ functionResponse: { name: 'read', response: { output: `text of ${step}` } } }] },
        ]).flat(),
      ],
    })
    const gemini = changesIn([1, 2, 3, 4].map((turn) => signed(turn, turn > 2)))
    expect(gemini.culprits).toMatchObject([{ kind: 'thinking-dropped', occurrences: [{}] }])
    const reasoned = (turn: number, from: number, thinks: boolean): object => ({
      model: 'gpt-5.6',
      input: [
        { role: 'user', content: 'Fix the parser.' },
        ...Array.from({ length: turn }, (_, step) =>
          step < from
            ? []
            : [
                ...(thinks
                  ? [{ type: 'reasoning', id: `rs_${step}`, summary: [], encrypted_content: `gA${step}`.repeat(9) }]
                  : []),
                { type: 'function_call', call_id: `call_${step}`, name: 'read', arguments: `{"path":"${step}.ts"}` },
                { type: 'function_call_output', call_id: `call_${step}`, output: `The text of file ${step}.` },
              ],
        ).flat(),
      ],
    })
    expect(changesIn([1, 2, 3, 4].map((turn) => reasoned(turn, 0, turn < 3))).culprits).toMatchObject([
      { kind: 'thinking-dropped', occurrences: [{}] },
    ])
    const slid = changesIn([1, 2, 3, 4].map((turn) => reasoned(turn, turn < 4 ? 0 : 1, true)))
    expect(slid.culprits).toMatchObject([{ kind: 'pruned-result', occurrences: [{}] }])
  })

  it('names a reminder that moves from the front of one message to the next', () => {
    const plan: Plan = {
      message: (message, index, turn) =>
        index === 2 * turn ? { ...message, content: [reminder, ...blocksOf(message)] } : message,
    }
    expect(culpritsIn(plan)).toEqual(['moved-block messages[*].content[0] 1,2,3,4,5'])
  })

  it('only notes one that moves from the end to the end, unless the breakpoint stands on it', () => {
    const plan = (block: Readonly<Record<string, unknown>>): Plan => ({
      message: (message, index, turn) =>
        index === 2 * turn ? { ...message, content: [...blocksOf(message), block] } : message,
    })
    expect(culpritsIn(plan(reminder))).toEqual([])
    expect(noted(changes(plan(reminder)))).toEqual(['moved-block messages[*].content[1] 1,2,3,4,5'])
    expect(culpritsIn(plan({ ...reminder, ...mark }))).toEqual(['breakpoint-wasted messages[*].content[1] 1,2,3,4,5'])
  })

  it('names what stands in the newest message only', () => {
    const plan: Plan = {
      message: (message, index, turn) =>
        index === 2 * turn && turn > 0
          ? withBlocks(message, (block) => ({
              ...block,
              content: `<meta call="${turn}">\n${String(block['content'])}`,
            }))
          : message,
    }
    expect(culpritsIn(plan)).toEqual(['counter messages[*].content[0] 2,3,4,5'])
  })

  it('names messages that fall out of a window as one', () => {
    const plan: Plan = { message: (message, index, turn) => (index > 0 && index < 2 * (turn - 2) + 1 ? null : message) }
    expect(culpritsIn(plan)).toEqual(['pruned-result messages[*].content[*] 3,4,5'])
  })

  it('blames nobody for a compaction', () => {
    const summary: TestMessage = {
      role: 'user',
      content: 'This session is being continued from a previous conversation. We fixed it.',
    }
    const plan: Plan = {
      message: (message, index, turn) => (turn < 5 ? message : index === 0 ? summary : index < 8 ? null : message),
    }
    expect(changes(plan).culprits).toEqual([])
  })
})

describe('a breakpoint on a block that changes each turn', () => {
  it('is noted beside the value that changes', () => {
    const plan: Plan = {
      body: (turn) => ({
        system: [
          { type: 'text', text: 'You are a coding agent.' },
          { type: 'text', text: `Iteration ${turn}`, ...mark },
        ],
      }),
    }
    expect(culpritsIn(plan)).toEqual(['counter system[1] 1,2,3,4,5'])
    expect(noted(changes(plan))).toEqual(['breakpoint-wasted system[1] 1,2,3,4,5'])
  })
})

describe('parameters', () => {
  it('names one whose change loses what was cached', () => {
    expect(culpritsIn({ body: (turn) => ({ model: turn < 3 ? 'claude-sonnet-5' : 'claude-opus-5' }) })).toEqual([
      'parameter parameter model 3',
    ])
    const choice: Plan = {
      body: (turn) => ({ tool_choice: { type: turn === 3 ? 'any' : 'auto' } }),
      message: marked ?? ((one) => one),
    }
    expect(culpritsIn(choice)).toEqual(['parameter parameter tool_choice 3,4'])
  })
})

const reminder = { type: 'text', text: '<system-reminder>Remember to be kind to all people.</system-reminder>' }

function reversed(value: unknown): unknown {
  return Object.fromEntries(Object.entries(value as object).reverse())
}
