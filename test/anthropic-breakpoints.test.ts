/** Our breakpoints against those that frameworks document: the same conversations in the simulator, and what they cost. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { breakEven, conversations, costsOf, type Step } from '../bench/breakpoints.ts'

const THIRD = 3

const step: fc.Arbitrary<Step> = fc.record({
  says: fc.oneof(
    { weight: 3, arbitrary: fc.constant([]) },
    { weight: 3, arbitrary: fc.array(fc.integer({ min: 1, max: 900 }), { minLength: 1, maxLength: 3 }) },
    { weight: 1, arbitrary: fc.array(fc.constant(200), { minLength: 15, maxLength: 50 }) },
  ),
  update: fc.boolean(),
  answer: fc.oneof(
    { weight: 1, arbitrary: fc.constant(null) },
    { weight: 4, arbitrary: fc.record({ texts: fc.nat(2), calls: fc.nat(3) }) },
    { weight: 1, arbitrary: fc.record({ texts: fc.nat(30), calls: fc.nat(30) }) },
  ),
  minutes: fc.constantFrom(0.2, 1, 4, 6, 90),
})

/**
 * The first request is answered. Where it is not, and the next is arranged anew, frameworks read the line about the update tag
 * from the end of the system prompt, some hundred tokens that our mark stands before, so that other sessions can read the rest.
 */
const steps: fc.Arbitrary<Step[]> = fc
  .array(step, { minLength: 3, maxLength: 14 })
  .map(([first, ...rest]) => [{ ...first!, answer: first!.answer ?? { texts: 1, calls: 0 } }, ...rest])

describe('our breakpoints', () => {
  it.each(Object.keys(conversations))('are never dearer than a framework from the third request on: %s', (name) => {
    const { steps: given, sessions } = conversations[name]!
    const { ours, ...others } = costsOf(given, sessions)
    for (const theirs of Object.values(others)) expect(breakEven(ours, theirs)).toBeLessThanOrEqual(THIRD)
  })

  it('are never dearer on any conversation, with requests aborted, long steps and long breaks', () => {
    fc.assert(
      fc.property(steps, (drawn) => {
        const { ours, ...others } = costsOf(drawn)
        for (const theirs of Object.values(others)) expect(breakEven(ours, theirs)).toBeLessThanOrEqual(THIRD)
      }),
      { numRuns: 120 },
    )
  })

  it.each([
    ['a step has more blocks than a breakpoint looks back', 'steps of 15 calls with a text before each', 0.5],
    ['sessions of an agent follow one another', 'five chats of 4 turns, one after the other', 0.8],
  ])('are cheaper where %s', (_, name, most) => {
    const { steps: given, sessions } = conversations[name]!
    const { ours, ...others } = costsOf(given, sessions)
    for (const theirs of Object.values(others)) expect(ours.at(-1)! / theirs.at(-1)!).toBeLessThan(most)
  })
})
