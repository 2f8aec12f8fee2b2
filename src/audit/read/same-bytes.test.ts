import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hasBytes, sumOf, viewOf } from './same-bytes.ts'

const bytes = fc.uint8Array({ maxLength: 80, max: 2 })

describe('hasBytes', () => {
  it('finds bytes where they are and nowhere else, wherever both begin', () => {
    fc.assert(
      fc.property(bytes, bytes, bytes, fc.nat(90), (before, part, behind, at) => {
        const all = Uint8Array.from([...before, ...part, ...behind])
        const padded = Uint8Array.from([...behind, ...part])
        const stretch = { view: viewOf(padded), from: behind.length, length: part.length }

        expect(hasBytes(viewOf(all), before.length, stretch)).toBe(true)
        expect(hasBytes(viewOf(all), at, stretch)).toBe(
          at + part.length <= all.length && all.subarray(at, at + part.length).join() === part.join(),
        )
      }),
    )
  })

  it('sees a difference in any byte', () => {
    for (let length = 1; length <= 70; length++) {
      for (let changed = 0; changed < length; changed++) {
        const other = new Uint8Array(length)
        other[changed] = 1
        const stretch = { view: viewOf(other), from: 0, length }

        expect(hasBytes(viewOf(new Uint8Array(length)), 0, stretch)).toBe(false)
      }
    }
  })
})

describe('sumOf', () => {
  it('is the same for the same bytes, wherever they stand', () => {
    fc.assert(
      fc.property(bytes, bytes, (before, part) => {
        const all = Uint8Array.from([...before, ...part])

        expect(sumOf(viewOf(all), before.length, all.length)).toBe(sumOf(viewOf(part), 0, part.length))
      }),
    )
  })
})
