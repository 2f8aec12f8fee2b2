import { describe, expect, it } from 'vitest'
import { KnownObjects, type KnownObject } from './known-objects.ts'
import { viewOf } from './same-bytes.ts'

function textOf(number: number, length: number): Uint8Array {
  return new TextEncoder().encode(`{"number":${number},"text":"${'x'.repeat(length)}"}`)
}

function find(known: KnownObjects, bytes: Uint8Array, expected?: KnownObject): unknown {
  return known.find(viewOf(bytes), 0, expected)?.value
}

describe('KnownObjects', () => {
  it('finds what it keeps after it has forgotten others, small and large, time and again', () => {
    const known = new KnownObjects(8_000_000)
    const standing = textOf(-1, 50_000)
    known.add(standing, 'standing')
    for (let number = 0; number < 400; number++) {
      const bytes = textOf(number, number % 50 === 0 ? 1_500_000 : 90_000)
      known.add(bytes, number)
      known.trim()

      expect(find(known, bytes)).toBe(number)
      expect(find(known, standing)).toBe('standing')
      if (number > 0)
        expect(find(known, textOf(number - 1, (number - 1) % 50 === 0 ? 1_500_000 : 90_000))).toBe(number - 1)
    }
    expect(find(known, textOf(1, 90_000))).toBeUndefined()
  })

  it('looks at what is expected first, and takes it only where it stands there', () => {
    const known = new KnownObjects(1_000_000)
    const [one, other] = [textOf(1, 500), textOf(2, 500)]
    const expected = known.add(one, 'one')
    known.add(other, 'other')

    expect(find(known, one, expected)).toBe('one')
    expect(find(known, other, expected)).toBe('other')
    expect(find(known, textOf(3, 500), expected)).toBeUndefined()
  })

  it('lets go of what followed when it forgets', () => {
    const known = new KnownObjects(10_000)
    const first = known.add(textOf(1, 500), 1)
    const second = known.add(textOf(2, 5_000), 2)
    first.next = second
    second.next = first
    find(known, textOf(1, 500))
    known.add(textOf(3, 5_000), 3)
    known.trim()

    expect([first.next, second.next]).toEqual([undefined, undefined])
    expect(find(known, textOf(2, 5_000), second)).toBeUndefined()
  })
})
