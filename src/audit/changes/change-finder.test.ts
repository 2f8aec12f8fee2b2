import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { turnsOf } from '../test-turns.ts'
import { briefly, changesIn, changesOf, noted, streamOf } from './test-changes.ts'
import { blocksOf, conversation, toolNamed, type Plan } from './test-conversation.ts'

const start = Date.UTC(2026, 10, 1, 23, 52)

/** A prompt in which much changes, each at its own turns. */
function system(turn: number, date = true): string {
  const now = new Date(start + turn * 30_000).toISOString()
  const status = turn < 6 ? 'clean' : turn < 15 ? ' M src/a.ts' : ' M src/a.ts\n?? notes.md'
  return [
    'You are a coding agent.\nFollow the rules of the house and be careful with files.',
    `Time: ${now.slice(11, 19)}`,
    ...(date ? [`Today's date: ${now.slice(0, 10)}`] : []),
    `Git branch: ${turn < 9 || turn >= 20 ? 'main' : 'zürich'}`,
    `Status:\n${status}`,
    '\nBe brief, and always test what you change before you say that it works.',
  ].join('\n')
}

const busy: Plan = {
  body: (turn) => {
    const tools = ['bash', 'edit', 'grep', 'read', ...(turn < 12 ? [] : ['web'])].map((name) => toolNamed(name))
    const isTurned = turn === 17 || turn >= 22
    return { system: system(turn), tools: isTurned ? [...tools.slice(1), tools[0]] : tools }
  },
  message: (message, index, turn) => {
    const isPruned = (turn >= 14 && index < 7) || (turn >= 25 && index < 17)
    const isNew = turn >= 19 && index < 11
    return {
      ...message,
      content: blocksOf(message).map((block) => ({
        ...block,
        ...(isNew && block['type'] === 'tool_use' && { id: `${String(block['id'])}_new` }),
        ...(block['type'] === 'tool_result' && {
          tool_use_id: isNew ? `${String(block['tool_use_id'])}_new` : block['tool_use_id'],
          content: isPruned ? '[Old tool result content cleared]' : block['content'],
        }),
      })),
    }
  },
}

const all = Array.from({ length: 29 }, (_, index) => index + 1).join()

describe('ChangeFinder', () => {
  it('finds eight things at once, each with its turns, and nothing else', () => {
    const changes = changesIn(conversation(30, busy), (turn) => ({ startedAt: start + turn * 30_000 }))
    expect(briefly(changes)).toEqual([
      `clock system[0] ${all}`,
      'date system[0] 16',
      'git system[0] 6,15',
      'git system[0] 9,20',
      'pruned-result messages[*].content[0] 14,25',
      'tool-added tools[web] 12',
      'tool-call-ids messages[*].content[*] 19',
      'tool-reordered tools 17,18,22',
    ])
    expect(noted(changes)).toEqual([])
  })

  it('says of a span where it is, what it was, and what stands around it', () => {
    const { culprits } = changesIn(conversation(30, busy), (turn) => ({ startedAt: start + turn * 30_000 }))
    const branch = culprits.find(({ occurrences }) => occurrences.map(({ turn }) => turn.number).join() === '9,20')
    expect(branch).toMatchObject({
      kind: 'git',
      section: 'system',
      scope: 'within',
      values: ['main', 'zürich', 'main'],
      anchor: { before: '\nGit branch: ', after: '\nStatus:\n' },
      offset: system(9).indexOf('zürich'),
    })
    expect(branch?.occurrences.map(({ before, after }) => [before, after])).toEqual([
      ['main', 'zürich'],
      ['zürich', 'main'],
    ])
  })

  it('tells every part of an alignment whose it is', () => {
    const { alignments, culprits } = changesIn(conversation(30, busy))
    const ids = new Set(culprits.map(({ id }) => id))
    expect(ids.size).toBe(culprits.length)
    for (const { steps } of alignments.values()) {
      for (const step of steps) {
        if (step.type === 'edited') for (const { culprit } of step.hunks) expect(ids).toContain(culprit)
        if ('culprit' in step) expect(ids).toContain(step.culprit)
      }
    }
  })

  it('says the same in every run', () => {
    const [one, other] = [1, 2].map(() => changesIn(conversation(30, busy)).culprits.map(({ id, kind }) => [id, kind]))
    expect(one).toEqual(other)
  })

  it('names a value by one id in all streams that have it', () => {
    const bodies = conversation(6, { body: (turn) => ({ system: system(turn) }) })
    const other = bodies.map((body) => ({
      ...body,
      messages: [{ role: 'user', content: 'Something else.' }, ...(body['messages'] as object[])],
    }))
    const turns = turnsOf([...bodies, ...other])
    const changes = changesOf([streamOf(turns.slice(0, 6), { id: 'one' }), streamOf(turns.slice(6), { id: 'other' })])
    const ids = [...changes.values()].map(({ culprits }) => culprits.map(({ id }) => id))
    expect(ids[0]).toHaveLength(1)
    expect(ids[0]).toEqual(ids[1])
  })

  it('finds what differs between sessions only, and says so', () => {
    const inFolder = (folder: string): Record<string, unknown>[] =>
      conversation(3, {
        body: () => ({
          system: `You are a coding agent, and careful.\nWorking directory: ${folder}\nBe brief, please.`,
        }),
      })
    const turns = turnsOf([...inFolder('/home/ann/one'), ...inFolder('/home/ann/two')])
    const streams = [streamOf(turns.slice(0, 3), { id: 'one' }), streamOf(turns.slice(3), { id: 'two' })]
    const changes = changesOf(streams)
    expect(changes.get('one')?.culprits).toEqual([])
    expect(changes.get('two')?.culprits).toMatchObject([
      { kind: 'path', scope: 'between', values: ['/home/ann/one', '/home/ann/two'], occurrences: [{ turn: turns[3] }] },
    ])
    const [one, two] = streams
    const strangers = changesOf([one as (typeof streams)[0], { ...(two as (typeof streams)[0]), family: 'another' }])
    expect(strangers.get('two')?.culprits).toEqual([])
  })

  it('says of a value that changes in sessions and between them that it does both', () => {
    const bodies = [0, 10].flatMap((first) =>
      conversation(3, {
        body: (turn) => ({ system: `You are careful, and kind.\nIteration ${first + turn}\nBe brief, please.` }),
      }),
    )
    const turns = turnsOf(bodies)
    const changes = changesOf([streamOf(turns.slice(0, 3), { id: 'one' }), streamOf(turns.slice(3), { id: 'two' })])
    expect(changes.get('two')?.culprits).toMatchObject([{ kind: 'counter', scope: 'both' }])
    expect(briefly(changes.get('two') ?? { alignments: new Map(), culprits: [] })).toEqual(['counter system[0] 4,5'])
  })

  it('does not blame a fork for what it was made for', () => {
    const bodies = conversation(4)
    const forked = {
      ...bodies[3],
      messages: [
        ...((bodies[3]?.['messages'] ?? []) as object[]).slice(0, 4),
        { role: 'user', content: 'No, do it in another way.' },
      ],
    }
    const turns = turnsOf([...bodies, forked])
    const last = turns.at(-1)
    const parent = turns[3]
    if (last === undefined || parent === undefined) throw new Error('no turns')
    const fork = {
      id: 'fork',
      parent: { stream: 'stream', turn: 3 },
      family: 'family',
      turns: [{ turn: last, parent, repeats: false }],
    }
    expect(changesOf([streamOf(turns.slice(0, 4)), fork]).get('fork')?.culprits).toEqual([])
  })

  it('takes a verdict for a compaction from those who know more', () => {
    const plan: Plan = { message: (message, index, turn) => (turn >= 4 && index > 0 && index < 3 ? null : message) }
    const bodies = conversation(6, plan)
    const plain = changesIn(bodies)
    expect(briefly(plain)).toEqual(['pruned-result messages[*].content[*] 4'])
    const [turn] = turnsOf(bodies).slice(4)
    const verdict = { turn, verdict: 'compacted' } as never
    expect(changesIn(bodies, undefined, { verdicts: new Map([[4, verdict]]) }).culprits).toEqual([])
  })

  it('tells the lines of a git block from the rules behind it and the mode in front of it', () => {
    const bodies = conversation(10, {
      body: (turn) => ({
        system: [
          'You are a coding agent.',
          `The mode is "${turn < 2 ? 'plan' : 'build'}".`,
          '',
          '<text source="git">',
          `The work tree is on branch "${turn < 3 ? 'main' : 'review-1'}" at commit ${turn < 1 ? '50c4696c0b92' : '6d38f8f290c5'}.`,
          ...(turn === 5 || turn === 6
            ? ['Changed or untracked paths: 1 (from the top of the work tree)', '?? "REVIEW.md"']
            : ['The git work tree is clean.']),
          '</text>',
          ...(turn < 8
            ? [
                '\n<text source="rules">\nRules of AGENTS.md:',
                '- Commit subjects are in the imperative, and short.',
                ...(turn < 7 ? [] : ['- A review names the files that it left out.']),
                '</text>',
              ]
            : []),
        ].join('\n'),
      }),
    })
    const changes = changesIn(bodies)
    expect(briefly(changes)).toEqual([
      'git system[0] 1,3',
      'git system[0] 5,7',
      'rules-text system[0] 7,8',
      'unknown system[0] 2',
    ])
    const values = (turn: number, kind: string): readonly string[] | undefined =>
      changes.culprits.find((one) => one.kind === kind && one.occurrences.some((each) => each.turn.number === turn))
        ?.values
    expect(values(3, 'git')?.slice(2)).toEqual(['main" at commit 6d38f8f290c5', 'review-1" at commit 6d38f8f290c5'])
    expect(values(5, 'git')).toEqual([
      'The git work tree is clean.',
      'Changed or untracked paths: 1 (from the top of the work tree)\n?? "REVIEW.md"',
      'The git work tree is clean.',
    ])
    expect(values(7, 'rules-text')?.slice(0, 2)).toEqual(['', '- A review names the files that it left out.'])
    expect(values(2, 'unknown')).toEqual(['plan', 'build'])
  })

  it.each(['system', 'first message'])(
    'matches short remarks that are made again in order, behind a clock in the %s',
    (at) => {
      const bodies = Array.from({ length: 6 }, (_, turn) => {
        const clock = `It is 09:${10 + turn}:07 on the wall clock.`
        const asked = at === 'system' ? 'Is it ready?' : `Is it ready? ${clock}`
        return {
          model: 'claude-sonnet-5',
          max_tokens: 9,
          system: at === 'system' ? `You wait with the user, and are patient. ${clock}` : 'You wait with the user.',
          messages: Array.from({ length: 2 * turn + 1 }, (__, index) =>
            index % 2 === 1
              ? { role: 'assistant', content: 'Not yet.' }
              : { role: 'user', content: index === 0 ? asked : 'And now?' },
          ),
        }
      })
      const changes = changesIn(bodies)
      expect(briefly(changes)).toEqual([`clock ${at === 'system' ? 'system[0]' : 'messages[0].content[0]'} 1,2,3,4,5`])
      expect(noted(changes)).toEqual([])
    },
  )

  it('still says where something changed when the texts are gone', () => {
    const turns = turnsOf(
      conversation(3, {
        body: (turn) => ({ system: system(turn), tools: [toolNamed('bash', { description: `${turn}` })] }),
      }),
    )
    for (const { places } of turns) for (const { raw } of places) for (const block of raw.blocks) block.text = null
    const changes = changesOf([streamOf(turns)]).get('stream')
    expect(changes?.culprits.map(({ path, occurrences }) => [path, occurrences.length])).toContainEqual([
      'system[0]',
      2,
    ])
    expect(changes?.alignments.get(1)?.steps.some(({ type }) => type === 'edited')).toBe(true)
  })

  it('has nothing to say of turns without bodies, and of hostile ones', () => {
    const bodies = [
      undefined,
      {},
      { messages: 'x' },
      { model: 'claude-sonnet-5', max_tokens: 1, messages: [] },
      { messages: [null] },
    ]
    expect(changesIn(bodies).culprits).toEqual([])
    const strange = ['\u0000', '{"a":', '\ud800', '"\\u', 'a'.repeat(100_000), '\n'.repeat(5000)]
    const texts = strange.flatMap((text) => [`${text} 1`, `${text} 2`])
    expect(() =>
      changesIn(
        texts.map((text) => ({
          model: 'claude-sonnet-5',
          max_tokens: 1,
          system: text,
          messages: [{ role: 'user', content: 'x' }],
        })),
      ),
    ).not.toThrow()
  })

  it('finds each of a few planted values in any of their turns, in any format', () => {
    const turns = 8
    const changing = fc.uniqueArray(fc.integer({ min: 1, max: turns - 1 }), { minLength: 1, maxLength: turns - 1 })
    fc.assert(
      fc.property(changing, changing, fc.constantFrom(...formats), (first, second, format) => {
        const version = (list: readonly number[], turn: number): number => list.filter((one) => one <= turn).length
        const bodies = Array.from({ length: turns }, (_, turn) =>
          format(
            `You are careful.\nBranch: b${version(first, turn)}\nFollow these rules, please.\nPlan: ${'xyz'.repeat(1 + version(second, turn))}.\nEnd of it.`,
            turn,
          ),
        )
        const found = changesIn(bodies).culprits.map(({ occurrences }) =>
          occurrences.map(({ turn }) => turn.number).join(),
        )
        const planted = [first, second].map((list) => list.toSorted((one, other) => one - other).join())
        expect(found.toSorted()).toEqual(planted.toSorted())
      }),
      { numRuns: 40 },
    )
  })
})

/** A conversation of `turn` answers behind a system prompt, as each format has it. */
const formats: readonly ((system: string, turn: number) => unknown)[] = [
  (text, turn) => ({
    model: 'claude-sonnet-5',
    max_tokens: 9,
    system: text,
    messages: said(turn).map(([role, content]) => ({ role, content })),
  }),
  (text, turn) => ({
    model: 'gpt-5.6',
    messages: [['system', text] as const, ...said(turn)].map(([role, content]) => ({ role, content })),
  }),
  (text, turn) => ({
    model: 'gpt-5.6',
    instructions: text,
    input: said(turn).map(([role, content]) => ({ role, content })),
  }),
  (text, turn) => ({
    model: 'gemini-3-pro',
    systemInstruction: { parts: [{ text }] },
    contents: said(turn).map(([role, content]) => ({
      role: role === 'user' ? 'user' : 'model',
      parts: [{ text: content }],
    })),
  }),
  (text, turn) => ({
    modelId: 'anthropic.claude-sonnet-5',
    system: [{ text }],
    messages: said(turn).map(([role, content]) => ({ role, content: [{ text: content }] })),
    inferenceConfig: { maxTokens: 9 },
  }),
]

function said(turn: number): (readonly [role: string, content: string])[] {
  return Array.from({ length: 2 * turn + 1 }, (_, index) =>
    index % 2 === 0
      ? (['user', `Question number ${index}`] as const)
      : (['assistant', `Answer number ${index}`] as const),
  )
}
