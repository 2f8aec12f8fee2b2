import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalCopy, canonicalJson, copyJson, equalsJson, freezeDeep, MAX_DEPTH, NotJsonError } from './json.ts'
import type { Json } from './json.ts'

// Keys and texts that plain code gets wrong: prototype names, whole numbers as text, halves of surrogate pairs.
const text = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom('', 'a', 'b', '__proto__', 'constructor', 'toString', 'toJSON', '0', '10', '2'),
  },
  {
    weight: 1,
    arbitrary: fc.string({ unit: fc.constantFrom('a', '\ud800', '\udc00', '"', '\\', '\u2028', 'é', '😀') }),
  },
)
const number = fc.oneof(
  fc.constantFrom(0, -0, 1, 1e21, 1e-7, 2 ** 53),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
)

const { json } = fc.letrec<{ json: Json }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    fc.constantFrom(null, true, false),
    number,
    text,
    fc.array(tie('json'), { maxLength: 4 }),
    fc
      .uniqueArray(fc.tuple(text, tie('json')), { selector: ([key]) => key, maxLength: 4 })
      .map(Object.fromEntries<Json>),
  ),
}))

/** The same value with every object built in the opposite order. */
function reorder(value: Json): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map(reorder)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, item]) => [key, reorder(item)]),
  )
}

function nested(levels: number): Json {
  let value: Json = []
  for (let level = 1; level < levels; level++) value = level % 2 === 0 ? [value] : { value }
  return value
}

describe('JSON values', () => {
  it('equal their copies, in any key order', () => {
    fc.assert(
      fc.property(json, (value) => {
        for (const copy of [copyJson(value), canonicalCopy(value), reorder(value)]) {
          expect(equalsJson(value, copy)).toBe(true)
          expect(equalsJson(copy, value)).toBe(true)
        }
      }),
    )
  })

  it('have the same canonical text exactly when they are equal', () => {
    const pair = fc.oneof(
      fc.tuple(json, json),
      json.map((value): [Json, Json] => [value, reorder(value)]),
    )
    fc.assert(
      fc.property(pair, ([a, b]) => {
        expect(canonicalJson(a) === canonicalJson(b)).toBe(equalsJson(a, b))
        expect(equalsJson(a, b)).toBe(equalsJson(b, a))
      }),
      { numRuns: 500 },
    )
  })

  it('come back from their canonical text', () => {
    fc.assert(
      fc.property(json, (value) => {
        const parsed = JSON.parse(canonicalJson(value)) as Json
        expect(equalsJson(copyJson(value), parsed)).toBe(true)
        expect(JSON.stringify(parsed)).toBe(JSON.stringify(canonicalCopy(value)))
      }),
    )
  })

  it('are written in key order when copied as they are', () => {
    fc.assert(
      fc.property(json, (value) => {
        expect(JSON.stringify(copyJson(value))).toBe(JSON.stringify(value))
      }),
    )
  })

  it('share nothing with their copies', () => {
    const value = { list: [{ deep: 1 }] }
    const copy = copyJson(value) as typeof value
    value.list[0]!.deep = 2
    value.list.push({ deep: 3 })
    expect(copy).toEqual({ list: [{ deep: 1 }] })
  })

  it.each<[string, unknown, unknown, boolean]>([
    ['-0 and 0', -0, 0, true],
    ['a number in two notations', 1e21, 1_000_000_000_000_000_000_000, true],
    ['a lone surrogate and its replacement character', '\ud800', '\ufffd', false],
    ['the halves of a surrogate pair in either order', '\ud83d\ude00', '\ude00\ud83d', false],
    ['composed and decomposed letters', '\u00e9', 'e\u0301', false],
    ['a number and its text', 1, '1', false],
    ['keys that look like numbers, in another order', { 10: 'a', 9: 'b' }, { 9: 'b', 10: 'a' }, true],
    ['an array and an object with its indices', ['a'], { 0: 'a' }, false],
    ['an empty array and an empty object', [], {}, false],
    ['null and an empty object', null, {}, false],
    ['null and a missing property', { a: null }, {}, false],
    ['an undefined and a missing property', { a: undefined, b: 1 }, { b: 1 }, true],
    ['an undefined property in place of another', { a: undefined }, { b: 1 }, false],
    ['an own __proto__ and none', JSON.parse('{"__proto__":{}}'), {}, false],
    ['an own __proto__ and another key', JSON.parse('{"__proto__":{}}'), { a: 1 }, false],
    ['equal own __proto__', JSON.parse('{"__proto__":{"a":1}}'), JSON.parse('{"__proto__":{"a":1}}'), true],
    ['an inherited name and none', { constructor: Object }, { a: 1 }, false],
    ['a longer and a shorter array', [1, 2], [1], false],
    ['objects of another realm', runInNewContext('({ a: [1] })'), { a: [1] }, true],
    ['objects without a prototype', Object.assign(Object.create(null), { a: 1 }), { a: 1 }, true],
    ['a date and the text that it would be', new Date(0), '1970-01-01T00:00:00.000Z', false],
    ['NaN and null', Number.NaN, null, false],
  ])('compare %s', (_, live, stored, equal) => {
    expect(equalsJson(live, stored as Json)).toBe(equal)
  })

  it.each<[string, unknown, string]>([
    ['-0', -0, '0'],
    ['a big number', 1e21, '1e+21'],
    ['a lone surrogate', '\ud800', '"\\ud800"'],
    ['keys in code-unit order', { b: 1, a: 2, B: 3, é: 4 }, '{"B":3,"a":2,"b":1,"é":4}'],
    ['whole-number keys first', { b: 1, 10: 2, 9: 3 }, '{"9":3,"10":2,"b":1}'],
    ['an own __proto__', JSON.parse('{"b":1,"__proto__":{"a":1}}'), '{"__proto__":{"a":1},"b":1}'],
    ['an undefined property', { a: undefined, b: 1 }, '{"b":1}'],
    ['a property named toJSON', { toJSON: 'kept' }, '{"toJSON":"kept"}'],
  ])('write %s canonically', (_, value, written) => {
    expect(canonicalJson(value)).toBe(written)
  })

  it('may be as deep as the limit, and no deeper', () => {
    const deep = nested(MAX_DEPTH)
    expect(equalsJson(deep, copyJson(deep))).toBe(true)
    expect(JSON.parse(canonicalJson(deep))).toBeTypeOf('object')
    const deeper = nested(MAX_DEPTH + 1)
    expect(() => copyJson(deeper)).toThrow(NotJsonError)
    expect(() => canonicalJson(deeper)).toThrow(/nested deeper than 500 levels, or a cycle/)
    expect(equalsJson(deeper, nested(MAX_DEPTH + 1))).toBe(false)
  })
})

describe('values that are no JSON', () => {
  class Money {}
  const sparse = [1, 2, 3]
  delete sparse[1]
  const cycle: { self?: unknown } = {}
  cycle.self = cycle

  it.each<[string, unknown, string, RegExp]>([
    ['undefined', undefined, '$', /^\$ is undefined, which JSON cannot hold$/],
    ['undefined in an array', { a: [1, undefined] }, '$.a[1]', /undefined/],
    ['a hole in an array', sparse, '$[1]', /undefined/],
    ['NaN', { a: [[Number.NaN]] }, '$.a[0][0]', /NaN/],
    ['an infinity', [-Infinity], '$[0]', /-Infinity/],
    ['a bigint', { a: 1n }, '$.a', /a bigint/],
    ['a function', { a: { b: () => 1 } }, '$.a.b', /a function/],
    ['a symbol', [{ a: Symbol('a') }], '$[0].a', /a symbol/],
    ['a date', { at: new Date(0) }, '$.at', /a Date object/],
    ['a map', { first: 1, second: new Map() }, '$.second', /a Map object/],
    ['an instance', [[], new Money()], '$[1]', /a Money object/],
    ['a value after others of other depths', { a: [1, [2]], b: { c: [3] }, d: Number.NaN }, '$.d', /NaN/],
  ])('throw with the path for %s, and equal nothing', (_, value, path, message) => {
    for (const read of [copyJson, canonicalCopy, canonicalJson]) {
      const act = (): unknown => read(value)
      expect(act).toThrow(NotJsonError)
      expect(act).toThrow(message)
      expect(act).toThrow(expect.objectContaining({ path }))
    }
    expect(equalsJson(value, null)).toBe(false)
  })

  it('throw for a cycle', () => {
    expect(() => copyJson(cycle)).toThrow(/cycle/)
  })

  it('do not equal a copy made before they went bad', () => {
    const value: Record<string, unknown> = { a: [1, { b: 'text' }] }
    const copy = copyJson(value)
    value['a'] = [1, { b: new Date(0) }]
    expect(equalsJson(value, copy)).toBe(false)
  })
})

describe('freezing', () => {
  it('reaches every object and array, and returns its argument', () => {
    const value = { list: [{ deep: {} }] }
    expect(freezeDeep(value)).toBe(value)
    expect([value, value.list, value.list[0], value.list[0]!.deep].every(Object.isFrozen)).toBe(true)
  })

  it('leaves what is no plain object as it is', () => {
    const date = new Date(0)
    expect(Object.isFrozen(freezeDeep({ date }).date)).toBe(false)
  })
})
