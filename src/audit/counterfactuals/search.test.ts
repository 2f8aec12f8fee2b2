import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { planSteps } from './search.ts'

const ids = ['a', 'b', 'c', 'd']

/**
 * A turn costs what stands behind the first culprit that changes in it and is not fixed: more for those in front, or as much
 * for each, as where all stand in one block.
 */
function costOf(turns: readonly { readonly changes: readonly string[]; readonly behind: number }[], apart = true) {
  return (fixed: readonly string[]): number =>
    turns.reduce((sum, { changes, behind }) => {
      const first = ids.findIndex((id) => changes.includes(id) && !fixed.includes(id))
      return sum + (first < 0 ? 0 : apart ? behind * (ids.length - first) : behind)
    }, 0)
}

function subsets(all: readonly string[]): readonly (readonly string[])[] {
  return Array.from({ length: 2 ** all.length }, (_, bits) => all.filter((_one, at) => ((bits >> at) & 1) === 1))
}

describe('planSteps', () => {
  it('takes the best single fix first', () => {
    const cost = (fixed: readonly string[]): number =>
      10 - (fixed.includes('a') ? 2 : 0) - (fixed.includes('b') ? 5 : 0)
    expect(planSteps(['a', 'b'], cost, 0.1)).toEqual([['b'], ['a']])
  })

  it('takes a set where no single fix is worth it, without what the set does not need', () => {
    const every = { changes: ['a', 'c'], behind: 10 }
    const once = { changes: ['a', 'b', 'c'], behind: 0.01 }
    // Behind a change of `a` all is lost already, and `c` stands behind it: fixing one of both is worth something here.
    const both = (fixed: readonly string[]): number => (fixed.includes('a') && fixed.includes('c') ? 0 : 100)
    expect(planSteps(['a', 'b', 'c'], both, 1)).toEqual([['a', 'c']])
    expect(planSteps(ids, costOf([every, once]), 1)[0]).toEqual(['a'])
  })

  it('stops where nothing more is worth it', () => {
    expect(planSteps(['a', 'b'], () => 5, 0)).toEqual([])
    expect(planSteps([], () => 5, 0)).toEqual([])
    expect(planSteps(['a'], (fixed) => 5 - 0.001 * fixed.length, 0.01)).toEqual([])
    expect(planSteps(['a'], (fixed) => 5 + fixed.length, 0)).toEqual([])
  })

  it('ends where an exhaustive search ends, but for what is not worth a step', () => {
    const turn = fc.record({ changes: fc.subarray(ids), behind: fc.nat(100) })
    fc.assert(
      fc.property(fc.array(turn, { maxLength: 12 }), fc.boolean(), (turns, apart) => {
        const cost = costOf(turns, apart)
        const least = cost([]) / 100
        const steps = planSteps(ids, cost, least)
        const reached = cost(steps.flat())
        const best = Math.min(...subsets(ids).map(cost))
        expect(reached - best).toBeLessThanOrEqual(least)
        const fixed: string[] = []
        for (const step of steps) {
          const now = cost(fixed)
          const worth = subsets(ids.filter((id) => !fixed.includes(id))).filter(
            (set) => set.length > 0 && now - cost([...fixed, ...set]) >= least && now > cost([...fixed, ...set]),
          )
          // No smaller set would have been worth it.
          expect(Math.min(...worth.map((set) => set.length))).toBe(step.length)
          fixed.push(...step)
        }
      }),
      { numRuns: 100 },
    )
  })
})
