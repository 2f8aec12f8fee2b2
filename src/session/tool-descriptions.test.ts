import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toToolList } from './read-tools.ts'
import { compareTools, startTools } from './tools.ts'
import type { Tool } from './types.ts'

/** JSON Schemas, and the same with other descriptions. */
const { schema } = fc.letrec<{ schema: Tool }>((tie) => ({
  schema: fc.record(
    {
      type: fc.constantFrom('object', 'string'),
      description: fc.string({ maxLength: 3 }),
      properties: fc.dictionary(fc.constantFrom('path', 'description', 'properties', 'enum'), tie('schema'), {
        maxKeys: 3,
      }),
      anyOf: fc.array(tie('schema'), { maxLength: 2 }),
      enum: fc.constantFrom([{ description: 'a' }], [{ description: 'b' }]),
    },
    { requiredKeys: ['type'] },
  ),
}))

function reworded(of: Tool, words: string): Tool {
  const { properties, anyOf, ...rest } = of as { properties?: Record<string, Tool>; anyOf?: Tool[] } & Tool
  const inner = Object.entries(properties ?? {}).map(([name, one]) => [name, reworded(one, words)])
  return {
    ...rest,
    description: words,
    ...(properties && { properties: Object.fromEntries(inner) as object }),
    ...(anyOf && { anyOf: anyOf.map((one) => reworded(one, words)) }),
  }
}

describe('a change of descriptions', () => {
  const compare = (before: Tool, after: Tool): ReturnType<typeof compareTools> => {
    const listOf = (input_schema: Tool): ReturnType<typeof toToolList> =>
      toToolList([{ name: 'a', input_schema }], () => 'a', null)
    return compareTools(startTools(listOf(before)), listOf(after), 'hold')
  }

  it('is none of the tool, wherever in it they stand', () => {
    fc.assert(
      fc.property(schema, fc.string({ maxLength: 3 }), (one, words) => {
        const { changes, held } = compare(one, reworded(one, words))
        expect(changes).toBeNull()
        for (const { change } of held) expect(change).toBe('described')
      }),
      { numRuns: 200 },
    )
  })

  it('hides no other change', () => {
    fc.assert(
      fc.property(schema, schema, fc.string({ maxLength: 3 }), (one, other, words) => {
        const same = JSON.stringify(sorted(reworded(one, ''))) === JSON.stringify(sorted(reworded(other, '')))
        expect(compare(one, reworded(other, words)).changes === null).toBe(same)
      }),
      { numRuns: 200 },
    )
  })

  it.each([
    ['a parameter of that name', { properties: { description: { type: 'string' } } }, { properties: {} }],
    ['a value of a constant', { const: { description: 'a' } }, { const: { description: 'b' } }],
    ['no text', { description: 1 }, { description: 2 }],
  ])('is told apart from %s', (_, before, after) => {
    expect(compare(before, after)).toMatchObject({ changes: { removed: ['a'] }, held: [{ change: 'edited' }] })
  })
})

function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return Array.isArray(value) ? value.map(sorted) : value
  }
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, item]) => [key, sorted(item)] as const)
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  )
}
