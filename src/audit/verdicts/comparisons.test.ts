import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Recorder } from '../record/recorder.ts'
import type { Block, Turn } from '../record/types.ts'
import { exchangeOf, turnsOf } from '../test-turns.ts'
import { commonPrefix, segmentsThrough } from './common-prefix.ts'
import { Comparisons } from './comparisons.ts'
import { answer, claude, conversation, user } from './test-log.ts'

const pair = (one: unknown, other: unknown): readonly [Turn, Turn] => turnsOf([one, other]) as [Turn, Turn]
const blocksOf = ({ places }: Turn): readonly Block[] => places.flatMap(({ raw }) => raw.blocks)

describe('comparing a turn with its parent', () => {
  it('finds as long a common start as a comparison block by block', () => {
    const texts = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 6 })
    fc.assert(
      fc.property(texts, texts, fc.boolean(), (one, other, marked) => {
        const [parent, turn] = pair(
          claude(one.map((text) => user(text, marked))),
          claude(other.map((text) => user(text))),
        )
        const [first, second] = [blocksOf(parent), blocksOf(turn)]
        let segments = 0
        while (segments < first.length && first[segments] === second[segments]) segments++
        const common = commonPrefix(turn.places, parent.places)
        expect(common.segments).toBe(segments)
        expect(common.tokens).toBe(second.slice(0, segments).reduce((sum, { tokens }) => sum + tokens, 0))
      }),
      { numRuns: 100 },
    )
  })

  it('finds the place of a path', () => {
    const [turn] = pair(claude([user('One'), answer('Yes'), user('Two')]), claude([]))
    expect(segmentsThrough(turn.places, 'system[0]')).toBe(1)
    expect(segmentsThrough(turn.places, 'messages[2].content[0]')).toBe(4)
    expect(segmentsThrough(turn.places, 'messages[9].content[0]')).toBe(0)
    expect(segmentsThrough(turn.places, '')).toBe(0)
  })

  it('shows the text around a difference also when the texts are gone by the time that is asked for it', () => {
    const recorder = new Recorder({ maxCharacters: 1 })
    const comparisons = new Comparisons()
    const [parent, turn] = [claude([user('Monday morning')]), claude([user('Monday evening')])].map((body) =>
      recorder.record(exchangeOf(body)),
    ) as [Turn, Turn]
    const ask = (): unknown => comparisons.of(turn, parent, turn.places, parent.places)?.divergence
    for (const block of [...blocksOf(parent), ...blocksOf(turn)]) block.text = null
    expect(ask()).toMatchObject({ path: 'messages[0].content[0]', before: null, after: null, offset: 0 })

    const [first, second] = pair(claude([user('Monday morning')]), claude([user('Monday evening')]))
    comparisons.add({ turn: second, parent: first, repeats: false })
    for (const block of [...blocksOf(first), ...blocksOf(second)]) block.text = null
    expect(comparisons.of(second, first, second.places, first.places)?.divergence).toMatchObject({
      offset: 7,
      before: 'Monday morning',
      after: 'Monday evening',
    })
  })

  it('says nothing of a turn without a body', () => {
    const [turn, none] = pair(conversation(1)[0], undefined)
    expect(new Comparisons().of(turn, none, turn.places, none.places)).toBeNull()
  })
})
