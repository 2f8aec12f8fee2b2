import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { PreparedRequest } from '../../cache/layout/prepared.ts'
import { FrozenRequests } from './frozen-requests.ts'
import { groupsOf } from './group.ts'
import { inputOf, type Blame } from './test-changes.ts'
import type { UpdatePolicy } from './update-text.ts'

const mark = { cache_control: { type: 'ephemeral' } }

interface Body {
  readonly tools?: readonly string[]
  readonly system?: readonly string[]
  readonly asked?: readonly string[]
  readonly model?: string
  readonly tail?: boolean
}

/** A body for Claude, marked at the last tool, the last system block and the end. */
function claude({
  tools = ['read', 'write'],
  system = ['Rules.'],
  asked = ['Hi'],
  model = 'claude-opus-5',
}: Body): object {
  const last = (items: readonly object[]): object[] =>
    items.map((item, at) => (at === items.length - 1 ? { ...item, ...mark } : { ...item }))
  return {
    model,
    tools: last(tools.map((name) => ({ name, input_schema: { type: 'object' } }))),
    system: last(system.map((text) => ({ type: 'text', text }))),
    messages: asked.map((text, at) => ({
      role: at % 2 === 0 ? 'user' : 'assistant',
      content: [{ type: 'text', text, ...(at === asked.length - 1 && mark) }],
    })),
  }
}

const said = (turn: number): readonly string[] =>
  Array.from({ length: turn * 2 + 1 }, (_, at) => (at % 2 === 0 ? `ask${at}` : `say${at}`))

/** The frozen requests of a conversation; each turn is on top of the one before. */
function frozen(
  bodies: readonly unknown[],
  blame: Blame,
  ids: readonly string[],
  options: { readonly updates?: UpdatePolicy; readonly forget?: boolean } = {},
): readonly PreparedRequest[] {
  const input = inputOf(bodies, blame)
  if (options.forget === true) {
    for (const turn of input.turns) for (const { raw } of turn.places) for (const block of raw.blocks) block.text = null
  }
  const { streams, judgement, changes, countTokens } = input
  const [group] = groupsOf(streams, changes, judgement.scopes)
  if (group === undefined) throw new Error('There is no group.')
  const culprits = group.culprits.filter(({ id }) => ids.includes(id))
  const requests = new FrozenRequests(group, judgement.requests, {
    culprits,
    updates: options.updates ?? 'values',
    countTokens,
  })
  return group.turns.map((turn) => requests.of(turn, false))
}

/** Texts and marks; a tool is its name. */
function shown({ items }: PreparedRequest): readonly string[] {
  return items.flatMap(({ raw, role }) =>
    raw.textSegments.map(({ text, content, mark: at, type }) => {
      const said = text === '' ? content : (text ?? content)
      const name = /"name":"(\w+)"\}+$/.exec(said)?.[1] ?? said
      return `${type === 'text' ? '' : `${type} `}${role === 'assistant' || role === 'user' ? '' : `${role}: `}${name}${at === null ? '' : ' *'}`
    }),
  )
}

const byWord: Blame = ({ type, after }) => (type === 'word' ? (/^\d/.test(after) ? 'clock' : 'git') : null)

describe('freezing', () => {
  it('makes of nothing the requests that were sent, by reference', () => {
    const bodies = [0, 1, 2].map((turn) => claude({ system: [`It is ${turn} .`], asked: said(turn) }))
    const input = inputOf(bodies, byWord)
    const requests = frozen(bodies, byWord, [])
    for (const [at, { items, scope }] of requests.entries()) {
      expect(items.map(({ raw }) => raw.segments)).toEqual(input.turns[at]?.places.map(({ raw }) => raw.segments))
      expect(scope).toEqual(input.turns[at]?.scope)
    }
  })

  it('keeps the first form of a value, and lets others in the same text change', () => {
    const bodies = [0, 1, 2].map((turn) =>
      claude({ system: [`It is ${turn} on ${turn < 2 ? 'main' : 'topic'} now.`], asked: said(turn) }),
    )
    const systems = (ids: readonly string[]): readonly (string | undefined)[] =>
      frozen(bodies, byWord, ids).map((request) => shown(request)[2])
    expect(systems(['clock'])).toEqual(
      ['It is 0 on main now.', 'It is 0 on main now.', 'It is 0 on topic now.'].map(system),
    )
    expect(systems(['git'])).toEqual(
      ['It is 0 on main now.', 'It is 1 on main now.', 'It is 2 on main now.'].map(system),
    )
    expect(systems(['git', 'clock'])).toEqual(Array(3).fill(system('It is 0 on main now.')))
  })

  it('tells a change once, at the end of its turn, and keeps it there', () => {
    const bodies = [0, 1, 2, 3].map((turn) =>
      claude({ system: [turn < 2 ? 'On main .' : 'On topic .'], asked: said(turn) }),
    )
    const update = 'system: The git work tree is now on branch "topic".'
    const after = frozen(bodies, byWord, ['git']).map((request) => shown(request).slice(3))
    expect(after[1]).toEqual(['ask0', 'say1', 'ask2 *'])
    expect(after[2]).toEqual(['ask0', 'say1', 'ask2', 'say3', 'ask4', `${update} *`])
    expect(after[3]).toEqual(['ask0', 'say1', 'ask2', 'say3', 'ask4', update, 'say5', 'ask6 *'])
  })

  it('tells it in a tag where the model takes no message of the system', () => {
    const bodies = [0, 1].map((turn) =>
      claude({ model: 'claude-sonnet-4-5', system: [turn < 1 ? 'On main .' : 'On topic .'], asked: said(turn) }),
    )
    const last = shown(frozen(bodies, byWord, ['git'])[1] as PreparedRequest).at(-1)
    expect(last).toMatch(
      /^<system-reminder id="[^"]+">\nThe git work tree is now on branch "topic"\.\n<\/system-reminder> \*$/,
    )
  })

  it('tells clocks when asked', () => {
    const bodies = [0, 1].map((turn) => claude({ system: [`It is ${turn} .`], asked: said(turn) }))
    expect(shown(frozen(bodies, byWord, ['clock'])[1] as PreparedRequest).at(-1)).toBe('ask2 *')
    const told = frozen(bodies, byWord, ['clock'], { updates: 'all' })[1] as PreparedRequest
    expect(shown(told).at(-1)).toBe('system: The current time is now 1. *')
  })

  it('holds tools in their first order, with the mark on the last of them', () => {
    const orders = ['abcd', 'dabc', 'dcab', 'abcd', 'bacd']
    const bodies = orders.map((order, turn) => claude({ tools: order.split(''), asked: said(turn) }))
    const blame: Blame = ({ type }) => (type === 'moved' ? 'tool-reordered' : null)
    for (const request of frozen(bodies, blame, ['tool-reordered'])) {
      expect(shown(request).slice(0, 4)).toEqual(['tool a', 'tool b', 'tool c', 'tool d *'].map(asTool))
    }
  })

  it('puts a tool that came later into the conversation, and edits of it go on there', () => {
    const tools = [['read'], ['read', 'search'], ['read', 'search']]
    const bodies = tools.map((names, turn) => claude({ tools: names, asked: said(turn) }))
    const blame: Blame = ({ type }) => (type === 'inserted' ? 'tool-added' : null)
    const [, second, third] = frozen(bodies, blame, ['tool-added']).map(shown)
    expect(second).toEqual([
      'tool tool: read *',
      'system: Rules. *',
      'ask0',
      'say1',
      'ask2',
      'tool_addition system: search *',
    ])
    expect(third?.slice(2)).toEqual(['ask0', 'say1', 'ask2', 'tool_addition system: search', 'say3', 'ask4 *'])
  })

  it('leaves a tool in front where no model takes it later', () => {
    const tools = [['read'], ['read', 'search']]
    const bodies = tools.map((names, turn) => claude({ model: 'claude-sonnet-4-5', tools: names, asked: said(turn) }))
    const blame: Blame = ({ type }) => (type === 'inserted' ? 'tool-added' : null)
    expect(shown(frozen(bodies, blame, ['tool-added'])[1] as PreparedRequest).slice(0, 2)).toEqual([
      'tool tool: read',
      'tool tool: search *',
    ])
  })

  it('keeps a tool that was taken away, and has it once when it comes back', () => {
    const tools = [
      ['a', 'b', 'c'],
      ['a', 'c'],
      ['a', 'b', 'c'],
    ]
    const bodies = tools.map((names, turn) => claude({ tools: names, asked: said(turn) }))
    const blame: Blame = ({ type }) => (type === 'removed' ? 'tool-removed tools[b]' : null)
    const requests = frozen(bodies, blame, ['tool-removed tools[b]']).map(shown)
    for (const request of requests) expect(request.slice(0, 3)).toEqual(['tool a', 'tool b', 'tool c *'].map(asTool))
    expect(requests[1]?.at(-1)).toBe('system: The tool "b" is no longer available: calls to it will fail. *')
  })

  it('keeps a result that was pruned, until another takes its place', () => {
    const asked = [
      ['ask0', 'say1', 'ask2', 'say3', 'ask4'],
      ['ask0', 'cut1', 'ask2', 'say3', 'ask4', 'say5', 'ask6'],
      ['Summary', 'say7', 'ask8'],
    ]
    const bodies = asked.map((texts) => claude({ asked: texts }))
    const blame: Blame = ({ type, after }) => (type === 'word' && after === 'cut1' ? 'pruned-result' : null)
    const [, second, third] = frozen(bodies, blame, ['pruned-result']).map((request) => shown(request).slice(3))
    expect(second).toEqual(['ask0', 'say1', 'ask2', 'say3', 'ask4', 'say5', 'ask6 *'])
    expect(third).toEqual(['Summary', 'say7', 'ask8 *'])
  })

  it('keeps the ids of calls in the calls and in what answers them', () => {
    const call = (id: string): object => ({ type: 'tool_use', id, name: 'read', input: {} })
    const result = (id: string): object => ({ type: 'tool_result', tool_use_id: id, content: 'text' })
    const body = (id: string, more: readonly object[]): object => ({
      model: 'claude-opus-5',
      system: 'Rules.',
      messages: [
        { role: 'user', content: 'ask0' },
        { role: 'assistant', content: [call(id)] },
        { role: 'user', content: [result(id)] },
        ...more,
      ],
    })
    const later = (id: string): readonly object[] => [
      { role: 'assistant', content: 'say3' },
      { role: 'user', content: [result(id)] },
    ]
    const bodies = [body('call_one', []), body('call_two', later('call_two')), body('call_six', later('call_six'))]
    const blame: Blame = ({ type }) => (type === 'word' ? 'tool-call-ids' : null)
    for (const request of frozen(bodies, blame, ['tool-call-ids'])) {
      expect(shown(request).join(' ')).toContain('call_one')
      expect(shown(request).join(' ')).not.toMatch(/call_two|call_six/)
    }
  })

  it('knows what is the same where texts are not kept any more', () => {
    const bodies = [0, 1, 2, 3].map((turn) =>
      claude({ system: [`It is ${turn} on ${turn < 2 ? 'main' : 'topic'} now.`], asked: said(turn) }),
    )
    const identity = (request: PreparedRequest): string | undefined => request.items[2]?.raw.segments[0]?.content
    const requests = frozen(bodies, byWord, ['clock'], { forget: true })
    const [first, second, third, fourth] = requests.map(identity)
    expect(second).toBe(first)
    expect(third).not.toBe(first)
    expect(fourth).toBe(third)
    const both = frozen(bodies, byWord, ['clock', 'git'], { forget: true }).map(identity)
    expect(new Set(both).size).toBe(1)
  })

  it('gives, where every change is frozen and none is told, what a log without them gives', () => {
    const turn = fc.record({
      clock: fc.nat(3),
      order: fc.shuffledSubarray(['a', 'b', 'c'], { minLength: 3 }),
      id: fc.nat(2),
    })
    const blame: Blame = ({ type }) => (type === 'moved' ? 'tool-reordered' : type === 'word' ? 'clock' : null)
    fc.assert(
      fc.property(fc.array(turn, { minLength: 2, maxLength: 6 }), (turns) => {
        const bodiesOf = (at: (index: number) => (typeof turns)[number] | undefined): object[] =>
          turns.map((_, index) =>
            claude({
              tools: at(index)?.order ?? [],
              system: [`It is ${at(index)?.clock} .`, `Run ${at(index)?.id} of it.`],
              asked: said(index),
            }),
          )
        const played = frozen(
          bodiesOf((index) => turns[index]),
          blame,
          ['clock', 'tool-reordered'],
        )
        const clean = frozen(
          bodiesOf(() => turns[0]),
          blame,
          [],
        )
        expect(played.map(shown)).toEqual(clean.map(shown))
        const contents = ({ items }: PreparedRequest): unknown =>
          items.flatMap(({ raw }) => raw.segments.map(({ content }) => content))
        expect(played.map(contents)).toEqual(clean.map(contents))
      }),
      { numRuns: 60 },
    )
  })
})

function system(text: string): string {
  return `system: ${text} *`
}

function asTool(text: string): string {
  return text.replace('tool ', 'tool tool: ')
}
