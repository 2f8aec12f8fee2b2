import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { planBreakpoints, type Candidate, type PlanRules } from './plan.ts'

const rules: PlanRules = { limit: 4, lookback: 20, readSaving: 0.9, writePremium: 0.25 }

function candidate(place: string, tokens: number, over: Partial<Candidate<string>> = {}): Candidate<string> {
  return { place, tokens, position: tokens, written: false, reuse: 1, ttl: 0, ...over }
}

const placesOf = (candidates: readonly Candidate<string>[], over: Partial<PlanRules> = {}) =>
  planBreakpoints(candidates, { ...rules, ...over }).placed.map(({ place }) => place)

describe('planBreakpoints', () => {
  it('marks every place that somebody comes back to, while there is room', () => {
    expect(placesOf([candidate('a', 10), candidate('b', 20), candidate('c', 30)])).toEqual(['a', 'b', 'c'])
  })

  it('marks nothing that changes with each request, or that nobody reads again', () => {
    expect(placesOf([candidate('a', 10), candidate('b', 20, { reuse: 0 })])).toEqual(['a'])
    expect(placesOf([candidate('a', 10, { reuse: 0.2 })])).toEqual([])
  })

  it('marks a place that nobody comes back to where only from there an entry is found', () => {
    const written = { written: true, reuse: 0 }
    expect(placesOf([candidate('a', 1000, written), candidate('b', 1100)])).toEqual(['a', 'b'])
    expect(placesOf([candidate('a', 1000, written), candidate('b', 1100)], { lookback: Infinity })).toEqual(['b'])
    expect(placesOf([candidate('a', 1000, written), candidate('b', 1019)])).toEqual(['b'])
    expect(placesOf([candidate('a', 1000, written), candidate('b', 1020)])).toEqual(['a', 'b'])
  })

  it('reads what is there although nothing is written any more', () => {
    const candidates = [candidate('a', 1000, { written: true, reuse: 0 }), candidate('b', 1100, { reuse: 0 })]
    expect(placesOf(candidates)).toEqual(['a'])
  })

  it('drops the least useful for marks of the caller, and names the most useful first', () => {
    const own = [candidate('mine', 5, { fixed: true }), candidate('mine', 6, { fixed: true })]
    const given = [
      candidate('a', 100),
      candidate('b', 1000, { reuse: 0.1 }),
      candidate('c', 3000),
      candidate('d', 4000),
    ]
    const { placed, dropped } = planBreakpoints([...own, ...given], rules)
    expect(placed.map(({ place }) => place)).toEqual(['c', 'd'])
    expect(dropped).toEqual(['a', 'b'])
  })

  it('says nothing of places that the limit alone leaves out', () => {
    const five = ['a', 'b', 'c', 'd', 'e'].map((place, index) => candidate(place, 10 + index * 100))
    expect(planBreakpoints(five, rules)).toMatchObject({ placed: { length: 4 }, dropped: [] })
  })

  it("lowers what stands behind a caller's short mark, and raises what stands before a long one", () => {
    const plan = (...candidates: Candidate<string>[]) =>
      planBreakpoints(candidates, rules).placed.map(({ place, ttl, moved }) => `${place} ${ttl} ${moved}`)
    const long = { ttl: 1 }
    expect(plan(candidate('mine', 1, { fixed: true }), candidate('a', 10, long))).toEqual(['a 0 lowered'])
    expect(plan(candidate('a', 10), candidate('mine', 20, { fixed: true, ...long }))).toEqual(['a 1 raised'])
    expect(plan(candidate('a', 10, long), candidate('b', 20), candidate('c', 30, long))).toEqual([
      'a 1 null',
      'b 0 null',
      'c 0 lowered',
    ])
  })

  const candidates = fc
    .array(
      fc.record({
        step: fc.integer({ min: 0, max: 5000 }),
        positions: fc.integer({ min: 1, max: 30 }),
        written: fc.boolean(),
        reuse: fc.constantFrom(0, 0.05, 0.1, 0.5, 1, 4),
        ttl: fc.constantFrom(0, 1),
        fixed: fc.constantFrom(false, false, false, true),
      }),
      { maxLength: 6 },
    )
    .map((drawn) => {
      let tokens = 0
      let position = 0
      // Marks of the caller are in a legal order, or the provider refuses the request whatever we do.
      let longest = 1
      return drawn.map(({ step, positions, ttl, fixed, ...rest }, index): Candidate<string> => {
        tokens += step
        position += positions
        if (fixed) longest = Math.min(longest, ttl)
        return { ...rest, place: `p${index}`, tokens, position, fixed, ttl: fixed ? longest : ttl }
      })
    })

  it('never goes over the limit, and keeps lifetimes in a legal order', () => {
    fc.assert(
      fc.property(candidates, fc.integer({ min: 0, max: 4 }), (given, limit) => {
        const { placed } = planBreakpoints(given, { ...rules, limit })
        const own = given.filter(({ fixed }) => fixed === true)
        if (placed.length > 0) expect(placed.length + own.length).toBeLessThanOrEqual(limit)
        const ttlAt = new Map(placed.map(({ place, ttl }) => [place, ttl]))
        const ttls = given.flatMap(({ place, fixed, ttl }) => (fixed === true ? [ttl] : (ttlAt.get(place) ?? [])))
        expect(ttls).toEqual(ttls.toSorted((a, b) => b - a))
      }),
      { numRuns: 300 },
    )
  })

  it('is never worth less than any other set of places, in what is read, read again and paid', () => {
    fc.assert(
      fc.property(candidates, fc.integer({ min: 0, max: 4 }), (given, limit) => {
        const { placed } = planBreakpoints(given, { ...rules, limit })
        const chosen = new Set(placed.map(({ place }) => place))
        const worth = cost(given, chosen)
        const free = given.filter(({ fixed }) => fixed !== true).map(({ place }) => place)
        const room = Math.max(0, limit - (given.length - free.length))
        for (const other of subsets(free)) {
          if (other.size <= room) expect(worth).toBeGreaterThanOrEqual(cost(given, other) - 1e-6)
        }
      }),
      { numRuns: 150 },
    )
  })
})

/** What a set of places saves, reckoned one request at a time: this one, then each that may follow. */
function cost(given: readonly Candidate<string>[], chosen: ReadonlySet<string>): number {
  const marks = given.filter(({ place, fixed }) => fixed === true || chosen.has(place))
  const found = given.filter(
    (entry) =>
      entry.written &&
      marks.some(
        (mark) => mark.position >= entry.position && mark.position - entry.position < 20 && marked(mark, entry),
      ),
  )
  const hit = found.at(-1)
  const read = hit?.tokens ?? 0
  const end = Math.max(read, ...marks.map(({ tokens }) => tokens))
  let saved = 0.9 * read - 0.25 * (end - read)
  for (const [index, { reuse }] of given.entries()) {
    const there = given
      .slice(0, index + 1)
      .map((entry) => entry.tokens * (marks.includes(entry) ? 1 : entry === hit ? 0.9 : entry.written ? 0.5 : 0))
    saved += 0.9 * reuse * Math.max(0, ...there)
  }
  return saved

  function marked(mark: Candidate<string>, entry: Candidate<string>): boolean {
    return given.indexOf(mark) >= given.indexOf(entry)
  }
}

function subsets(places: readonly string[]): readonly ReadonlySet<string>[] {
  return Array.from(
    { length: 1 << places.length },
    (_, bits) => new Set(places.filter((__, index) => (bits & (1 << index)) !== 0)),
  )
}
