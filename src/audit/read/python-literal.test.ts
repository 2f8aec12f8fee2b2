import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parsePythonLiteral } from './python-literal.ts'

/** As Python's `repr` prints a JSON value. */
function repr(value: unknown): string {
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value === 'number') return String(value)
  if (typeof value === 'string') {
    const quote = value.includes("'") && !value.includes('"') ? '"' : "'"
    const escaped = value
      .replace(/\\/g, '\\\\')
      .replace(/\n/g, '\\n')
      .replace(/\0/g, '\\x00')
      .replaceAll(quote, `\\${quote}`)
    return quote + escaped + quote
  }
  if (Array.isArray(value)) return `[${value.map(repr).join(', ')}]`
  return `{${Object.entries(value as object)
    .map(([key, inner]) => `${repr(key)}: ${repr(inner)}`)
    .join(', ')}}`
}

describe('literals of Python', () => {
  it('come back as the JSON values that they were printed from', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'grapheme' }), (value) => {
        const plain = JSON.parse(JSON.stringify(value)) as unknown
        expect(parsePythonLiteral(repr(plain))).toEqual(plain)
      }),
      { numRuns: 100 },
    )
  })

  it('may use tuples, escapes and neighbouring strings', () => {
    expect(parsePythonLiteral(String.raw`('a\x41\u0042\U0001f600' "b", 1e3, -2, .5,)`)).toEqual([
      'aAB😀b',
      1000,
      -2,
      0.5,
    ])
    expect(parsePythonLiteral('{}')).toEqual({})
    expect(parsePythonLiteral("{1: 'a', True: 'b'}")).toEqual({ 1: 'a', true: 'b' })
  })

  it('are nothing where they are not complete, or more than literals', () => {
    const others = [
      '',
      ' ',
      '[1',
      "'a",
      '{1}',
      '[1 2]',
      "{'a' 1}",
      '<object>',
      'f(1)',
      '1 2',
      'nan',
      '[*a]',
      "'\\U99999999'",
      '['.repeat(100_000),
    ]
    expect(others.map(parsePythonLiteral)).toEqual(others.map(() => undefined))
  })

  it('cannot reach a prototype', () => {
    const value = parsePythonLiteral("{'__proto__': {'polluted': True}}") as object
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
    expect(Object.keys(value)).toEqual(['__proto__'])
  })
})
