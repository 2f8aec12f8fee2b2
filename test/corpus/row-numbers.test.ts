import { describe, expect, it } from 'vitest'
import { exchangeOf } from '../../src/audit/test-turns.ts'
import { numberCalls } from './row-numbers.ts'

function numbers(name: string, lines: readonly (number | null)[], others: readonly number[] = []): unknown[] {
  const exchanges = lines.map((line) => exchangeOf({}, { source: { file: name, line } }))
  const unread = others.map((line) => ({ file: name, line, kind: 'other-traffic', message: '' }) as const)
  return numberCalls({ name, exchanges, unread }).map(({ index, row }) => [index, row])
}

const plain = (...all: number[]): unknown[] => all.map((number) => [number, number])

describe('the number of a call in the table', () => {
  it('counts interactions, those that are no call of a model too', () => {
    expect(numbers('a.yaml', [10, 20, 40], [1, 30])).toEqual(plain(1, 2, 4))
  })

  it('counts what was left out of a call with that call', () => {
    expect(numbers('a.yaml', [10, 20], [10])).toEqual(plain(0, 1))
  })

  it('counts calls where they have one line, or none', () => {
    expect(numbers('a.json', [7, 7, 7])).toEqual(plain(0, 1, 2))
    expect(numbers('a.json', [null, null])).toEqual(plain(0, 1))
  })

  it('counts the lines of a JSON Lines file, a connection with several calls as its last', () => {
    const expected = [
      [1, 1],
      [2, undefined],
      [3, undefined],
      [4, 2],
      [5, 3],
    ]
    expect(numbers('a.jsonl', [2, 3, 3, 3, 4], [1])).toEqual(expected)
  })
})
