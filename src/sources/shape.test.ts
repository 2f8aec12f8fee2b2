import { describe, expect, it } from 'vitest'
import type { Json } from '../base/json.ts'
import { boolean, codecOf, list, nullable, number, object, oneOf, string } from './shape.ts'

type Item = {
  readonly name: string
  readonly size: number | null
  readonly open: boolean
  readonly kind: 'a' | 'b'
}
const items = codecOf(
  list(object<Item>({ name: string, size: nullable(number), open: boolean, kind: oneOf('a', 'b') })),
)
const item = { name: 'x', size: 1, open: true, kind: 'a' } as const

describe('codecOf', () => {
  it('gives back what it encoded', () => {
    const value = [item, { ...item, size: null, kind: 'b' }] as const
    expect(items.decode(items.encode(value))).toEqual(value)
  })

  it('leaves out properties that the shape does not name', () => {
    expect(items.decode([{ ...item, later: 1 }])).toEqual([item])
  })

  it.each<[Json, string]>([
    [{}, '$ is not an array'],
    [['x'], '$[0] is not an object'],
    [[null], '$[0] is not an object'],
    [[[]], '$[0] is not an object'],
    [[item, { ...item, name: 1 }], '$[1].name is not a string'],
    [[{ ...item, size: '1' }], '$[0].size is not a number'],
    [[{ ...item, open: null }], '$[0].open is not a boolean'],
    [[{ ...item, kind: 'c' }], "$[0].kind is not 'a' or 'b'"],
    [[{ size: 1, open: true, kind: 'a' }], '$[0].name is not a string'],
  ])('refuses %j: %s', (json, message) => {
    expect(() => items.decode(json)).toThrow(new TypeError(message))
  })
})
