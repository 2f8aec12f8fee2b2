import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { PreparedRequest } from '../../cache/layout/prepared.ts'
import { FrozenRequests } from './frozen-requests.ts'
import { groupsOf, type Group } from './group.ts'
import { inputOf, type Blame } from './test-changes.ts'

const mark = { cache_control: { type: 'ephemeral' } }

/** What one turn has. */
interface Turn {
  readonly clock: number
  readonly branch: number
  readonly tools: string
  readonly reminder: number
  readonly results: number
  readonly isRetry: boolean
  readonly isMarked: boolean
}

const turn: fc.Arbitrary<Turn> = fc.record({
  clock: fc.nat(3),
  branch: fc.constantFrom(0, 0, 0, 1),
  tools: fc.constantFrom('ab', 'ab', 'ab', 'ba', 'abc'),
  reminder: fc.nat(2),
  results: fc.constantFrom(0, 0, 0, 1),
  isRetry: fc.boolean(),
  isMarked: fc.boolean(),
})

function bodiesOf(turns: readonly Turn[]): readonly object[] {
  let length = 0
  let pruned = 0
  return turns.map(({ clock, branch, tools, reminder, results, isRetry, isMarked }) => {
    length = Math.max(1, length + (isRetry && length > 0 ? 0 : 2))
    pruned = Math.max(pruned, results)
    const messages = Array.from({ length: length - (length % 2 === 0 ? 1 : 0) }, (_, at, last = length - 1) => ({
      role: at % 2 === 0 ? 'user' : 'assistant',
      content: [
        {
          type: 'text',
          text: at > 0 ? `said ${at}` : `${pruned > 0 ? 'cut' : 'said'} ${reminder} here`,
          ...(isMarked && at >= last - 1 && mark),
        },
      ],
    }))
    return {
      model: 'claude-opus-5',
      tools: tools.split('').map((name) => ({ name, input_schema: { type: 'object' } })),
      system: [
        { type: 'text', text: `It is ${clock} on b${branch} .` },
        { type: 'text', text: 'Rules.', ...mark },
      ],
      messages,
    }
  })
}

const blame: Blame = ({ type, after, before, path }) => {
  if (type === 'moved') return 'tool-reordered'
  if (type === 'inserted') return path.startsWith('tools') ? 'tool-added' : null
  if (type === 'removed') return path.startsWith('tools') ? 'tool-removed' : null
  if (type !== 'word') return null
  if (after === 'cut' || before.startsWith('said')) return 'pruned-result'
  return /^b\d/.test(after) ? 'git' : path.startsWith('system') ? 'clock' : 'counter'
}

function shown({ items }: PreparedRequest): unknown {
  return items.map(({ section, role, raw }) => [
    section,
    role,
    raw.segments.map(({ type, content, mark: at, joined, markable }) => [type, content, at, joined, markable]),
    raw.textSegments.map(({ text, tokens }) => [text, tokens]),
  ])
}

describe('a turn that has all of its parent in its place', () => {
  it('is frozen to what it is frozen to the long way', () => {
    const ids = ['clock', 'git', 'counter', 'tool-reordered', 'tool-added', 'tool-removed', 'pruned-result']
    const updates = fc.constantFrom('values' as const, 'all' as const)
    fc.assert(
      fc.property(
        fc.array(turn, { minLength: 2, maxLength: 8 }),
        fc.subarray(ids, { minLength: 1 }),
        updates,
        fc.boolean(),
        (turns, frozen, policy, forget) => {
          const input = inputOf(bodiesOf(turns), blame)
          if (forget)
            for (const { places } of input.turns)
              for (const { raw } of places) for (const block of raw.blocks) block.text = null
          const { streams, judgement, changes, countTokens } = input
          const [group] = groupsOf(streams, changes, judgement.scopes) as [Group]
          const culprits = group.culprits.filter(({ id }) => frozen.includes(id))
          const requestsOf = (one: Group): readonly unknown[] => {
            const requests = new FrozenRequests(one, judgement.requests, { culprits, updates: policy, countTokens })
            return one.turns.map((call) => shown(requests.of(call, false)))
          }
          const longTurns = group.turns.map((call) => ({ ...call, inPlace: null }))
          const byNumber = new Map(longTurns.map((call) => [call.turn.number, call]))
          expect(requestsOf(group)).toEqual(requestsOf({ ...group, turns: longTurns, byNumber }))
        },
      ),
      { numRuns: 100 },
    )
  })
})
