/** The laws of Indelible that this layer answers for, as properties over random sources and random worlds. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { copyJson, equalsJson } from '../base/json.ts'
import type { Json } from '../base/json.ts'
import { initialize, reconcile, replace } from './boundary.ts'
import { combine } from './combine.ts'
import { InitializationBlockedError } from './errors.ts'
import { ContextRegistry } from './registry.ts'
import { testSource } from './test-source.ts'
import { absent, unavailable } from './types.ts'
import type { Codec, Context, Observed, Reconciliation, Snapshot } from './types.ts'

const names = ['a', 'b', 'c', 'd', 'e']

// Few values, so that sources often keep theirs and often return to an old one.
const value: fc.Arbitrary<Json> = fc.constantFrom<Json[]>(0, 1, 'text', '</outside-text>', [1, { x: 1, y: 2 }], {
  b: [null],
  a: { 10: 'ten', 9: 'nine' },
})

/** How a source is found at one boundary; `vanished`: it is not in the context, `failed`: its producer is not. */
type Condition =
  | { is: 'value'; value: Json }
  | { is: 'absent' | 'unavailable' | 'throwing' | 'unencodable' | 'vanished' | 'failed' }

const condition: fc.Arbitrary<Condition> = fc.oneof(
  { weight: 5, arbitrary: value.map((json): Condition => ({ is: 'value', value: json })) },
  {
    weight: 3,
    arbitrary: fc
      .constantFrom('absent', 'unavailable', 'throwing', 'unencodable', 'vanished', 'failed')
      .map((is): Condition => ({ is })),
  },
)

interface Traits {
  authority: 'system' | 'user'
  refresh: 'turn' | 'epoch'
  required: boolean
  removable: boolean
}

const traits: fc.Arbitrary<Traits> = fc.record({
  authority: fc.constantFrom('system', 'user'),
  refresh: fc.oneof({ weight: 4, arbitrary: fc.constant('turn') }, { weight: 1, arbitrary: fc.constant('epoch') }),
  required: fc.boolean(),
  removable: fc.oneof({ weight: 4, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
})

interface World {
  conditions: Condition[]
  /** A release whose codecs no longer read values of this type. */
  unreadable: 'string' | 'object' | null
}

const world: fc.Arbitrary<World> = fc.record({
  conditions: fc.tuple(...names.map(() => condition)),
  unreadable: fc.oneof(
    { weight: 6, arbitrary: fc.constant(null) },
    fc.constantFrom('string' as const, 'object' as const),
  ),
})

function codecOf({ unreadable }: World): Codec<Json> {
  const check = (json: Json): Json => {
    if (typeof json === unreadable) throw new TypeError(`no ${unreadable}s any more`)
    return json
  }
  return { encode: check, decode: check }
}

function load(found: Condition): Observed<Json> {
  switch (found.is) {
    case 'value':
      return copyJson(found.value)
    case 'absent':
      return absent
    case 'unencodable':
      return Number.NaN
    case 'throwing':
      throw new Error('no')
    case 'unavailable':
    case 'vanished':
    case 'failed':
      return unavailable
  }
}

// Texts that say exactly what they tell, so that a belief can be read from them.
const told = (name: string, json: Json): string => `${name}=${JSON.stringify(json)}`

async function contextOf(world: World, sources: readonly Traits[], wait?: () => Promise<void>): Promise<Context> {
  const registry = new ContextRegistry()
  for (const [index, name] of names.entries()) {
    const found = world.conditions[index]!
    if (found.is === 'vanished') continue
    const { removable, ...rest } = sources[index]!
    registry.register(name, () => {
      if (found.is === 'failed') throw new Error('no producer')
      return testSource<Json>(
        name,
        wait === undefined
          ? () => load(found)
          : async () => {
              await wait()
              return load(found)
            },
        {
          ...rest,
          codec: codecOf(world),
          baseline: (current) => told(name, current),
          update: (_, current) => told(name, current),
          removed: removable ? () => `${name}=` : null,
        },
      )
    })
  }
  return registry.load()
}

/** What a model believes that has read `text`, and believed `before` until then. */
function believe(before: ReadonlyMap<string, Json>, text: string): Map<string, Json> {
  const belief = new Map(before)
  if (text === '') return belief
  for (const paragraph of text.split('\n\n')) {
    const line = paragraph.replace(/^<outside-text source="test\/.">\n(.*)\n<\/outside-text>$/, '$1')
    const key = `test/${line[0]}`
    if (line.length === 2) belief.delete(key)
    else belief.set(key, JSON.parse(line.slice(2).replaceAll('&lt;', '<')) as Json)
  }
  return belief
}

function valuesOf(snapshot: Snapshot): Map<string, Json> {
  return new Map(Object.entries(snapshot).map(([key, entry]) => [key, entry.value]))
}

function sorted(belief: ReadonlyMap<string, Json>): [string, Json][] {
  return [...belief].sort(([a], [b]) => (a < b ? -1 : 1))
}

const allTraits = fc.tuple(...names.map(() => traits))
const histories = fc.record({ sources: allTraits, history: fc.array(world, { minLength: 1, maxLength: 8 }) })

interface Boundary {
  world: World
  outcome: Reconciliation
  before: Snapshot
  after: Snapshot
  /** Of a model that has read everything in view after this boundary. */
  belief: ReadonlyMap<string, Json>
}

/** A boundary in each world of `history`, with an epoch that starts, whole or not, in the first. */
async function* boundaries({ sources, history }: { sources: Traits[]; history: World[] }): AsyncGenerator<Boundary> {
  let before: Snapshot = {}
  let belief = new Map<string, Json>()
  for (const [index, world] of history.entries()) {
    const context = await contextOf(world, sources)
    const outcome = index === 0 ? await replace(context, before) : await reconcile(context, before)
    let after = before
    if (outcome.type === 'updated') {
      belief = believe(belief, outcome.text)
      after = outcome.snapshot
    } else if (outcome.type === 'replacement-ready') {
      belief = believe(new Map(), outcome.start.baseline)
      after = outcome.start.snapshot
    }
    yield { world, outcome, before, after, belief }
    before = after
  }
}

describe('Belief', () => {
  it('the snapshot holds exactly the values that the text in view tells', async () => {
    await fc.assert(
      fc.asyncProperty(histories, async (given) => {
        for await (const { belief, after } of boundaries(given)) expect(sorted(belief)).toEqual(sorted(valuesOf(after)))
      }),
      { numRuns: 300 },
    )
  })

  it('after a boundary that is not blocked, the model believes what could be observed', async () => {
    await fc.assert(
      fc.asyncProperty(histories, async (given) => {
        for await (const { world, outcome, belief } of boundaries(given)) {
          if (outcome.type === 'replacement-blocked') continue
          for (const [index, found] of world.conditions.entries()) {
            if (given.sources[index]!.refresh === 'epoch' && outcome.type !== 'replacement-ready') continue
            const key = `test/${names[index]}`
            if (found.is === 'absent') expect(belief.has(key)).toBe(false)
            if (found.is === 'value' && typeof found.value !== world.unreadable) {
              expect(equalsJson(belief.get(key), found.value)).toBe(true)
            }
          }
        }
      }),
      { numRuns: 300 },
    )
  })

  it('nothing is told twice: where the world stays as it is, the next boundary has nothing to tell', async () => {
    await fc.assert(
      fc.asyncProperty(histories, async ({ sources, history }) => {
        const twice = history.flatMap((world) => [world, world])
        let last: Boundary | undefined
        for await (const boundary of boundaries({ sources, history: twice })) {
          if (boundary.world === last?.world && last.outcome.type !== 'replacement-blocked') {
            expect(boundary.outcome.type).toBe('unchanged')
          }
          last = boundary
        }
      }),
    )
  })
})

describe('Deterministic', () => {
  it('whatever order loaders finish in, the bytes are the same', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.tuple(...names.map(() => traits)),
        world,
        world,
        async (scheduler, sources, first, second) => {
          const start = await replace(await contextOf(first, sources), {})
          const snapshot = start.type === 'replacement-ready' ? start.start.snapshot : {}
          const expected = await reconcile(await contextOf(second, sources), snapshot)

          const context = await contextOf(second, sources, () => scheduler.schedule(Promise.resolve()))
          const shuffled = reconcile(context, snapshot)
          await scheduler.waitFor(shuffled)
          expect(JSON.stringify(await shuffled)).toBe(JSON.stringify(expected))
        },
      ),
    )
  })

  it('whatever order keys were inserted in, the bytes are the same', async () => {
    const reverse = (json: Json): Json => {
      if (Array.isArray(json)) return (json as readonly Json[]).map(reverse)
      if (typeof json !== 'object' || json === null) return json
      return Object.fromEntries(
        Object.entries(json)
          .reverse()
          .map(([key, item]) => [key, reverse(item)]),
      )
    }
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.string(), fc.jsonValue()), async (dictionary) => {
        const json = copyJson(dictionary)
        const [one, other] = await Promise.all(
          [json, reverse(json)].map((current) => initialize(testSource<Json>('a', () => current))),
        )
        expect(JSON.stringify(other)).toBe(JSON.stringify(one))
      }),
    )
  })
})

describe('Lazy', () => {
  it('a loader is called once at a boundary, and never outside of one', async () => {
    let calls = 0
    const context = combine(
      testSource('a', () => ++calls),
      testSource('b', () => absent, { removed: null }),
    )
    expect(calls).toBe(0)
    const { snapshot } = await initialize(context)
    expect(calls).toBe(1)
    await reconcile(context, snapshot)
    expect(calls).toBe(2)
    // An incompatible change: the replacement is made from the same observation.
    expect((await reconcile(context, { ...snapshot, 'test/b': { value: 1 } })).type).toBe('replacement-ready')
    expect(calls).toBe(3)
    await replace(context, snapshot)
    expect(calls).toBe(4)
  })
})

describe('Stale beats missing', () => {
  it('a source that could not be observed keeps what was told of it, and says so', async () => {
    const missing = new Set(['unavailable', 'throwing', 'unencodable', 'failed'])
    await fc.assert(
      fc.asyncProperty(histories, async (given) => {
        for await (const { world, outcome, before, after } of boundaries(given)) {
          for (const [index, { is }] of world.conditions.entries()) {
            const key = `test/${names[index]}`
            const entry = before[key]
            if (entry === undefined || !missing.has(is) || given.sources[index]!.refresh === 'epoch') continue
            expect(after[key]?.value).toEqual(entry.value)
            expect(outcome.stale.find((stale) => stale.key === key)?.told).toEqual(entry.value)
          }
        }
      }),
      { numRuns: 300 },
    )
  })
})

describe('Whole or not at all', () => {
  it('a first context starts exactly when every required source and every producer could be read', async () => {
    await fc.assert(
      fc.asyncProperty(allTraits, world, async (sources, first) => {
        const missing = first.conditions.flatMap((found, index) => {
          if (found.is === 'failed') return [names[index]!]
          const readable =
            found.is === 'value' ? typeof found.value !== first.unreadable : ['absent', 'vanished'].includes(found.is)
          return readable || !sources[index]!.required ? [] : [`test/${names[index]}`]
        })
        const start = initialize(await contextOf(first, sources))
        if (missing.length === 0) {
          await expect(start).resolves.toBeDefined()
        } else {
          const error = (await start.catch((reason: unknown) => reason)) as InitializationBlockedError
          expect(error).toBeInstanceOf(InitializationBlockedError)
          expect([...error.keys].sort()).toEqual(missing.sort())
        }
      }),
    )
  })
})
