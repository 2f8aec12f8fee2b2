import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Checksum } from './checksum.ts'

const sum = new Checksum()

function digitsOf(...texts: readonly string[]): string {
  sum.start(1, 2, 3, 4)
  for (const text of texts) sum.add(text)
  return sum.digits()
}

const long = 'é'.repeat(30_000)

describe('Checksum', () => {
  it('is the same for ever: rows in databases hold it', () => {
    expect(digitsOf()).toMatchInlineSnapshot(`"bb55038637ddb0f9511081187b40d777"`)
    expect(digitsOf('Be brief.')).toMatchInlineSnapshot(`"60fe09c8ac2f3e1ecca43703feb92b71"`)
    expect(digitsOf('{"epoch":1,"messages":[]}', 'one', 'answer', '')).toMatchInlineSnapshot(
      `"72b78e51baaf408f4279d281e243645a"`,
    )
    expect(digitsOf('Be right, say what you did. 👍', 'é')).toMatchInlineSnapshot(`"1667f69ce0f1fdbed816115434c030d5"`)
    expect(digitsOf(long, 'one')).toMatchInlineSnapshot(`"5ce700156da83817e5fd1ff60f53ead1"`)
  })

  it.each([1, 15, 16, 17, 63, 64, 65, 200])(
    'differs for every unit and every length of %i ASCII characters',
    (length) => {
      const base = 'x'.repeat(length)
      const all = new Set<string>()
      for (let at = 0; at < length; at++) all.add(digitsOf(`${base.slice(0, at)}y${base.slice(at + 1)}`, 'one'))
      for (let shorter = 0; shorter <= length; shorter++) all.add(digitsOf('\0'.repeat(shorter)))
      all.add(digitsOf(base, 'one'))
      expect(all.size).toBe(2 * length + 2)
    },
  )

  it('differs for a change at either end of a text that needs room of its own', () => {
    const all = [long, `${long}x`, `x${long}`, `è${long.slice(1)}`, `${long.slice(1)}è`].map((text) => digitsOf(text))
    expect(new Set(all).size).toBe(all.length)
  })

  it('differs for each of the integers that it starts with', () => {
    const starts: [number, number, number, number][] = [
      [0, 0, 0, 0],
      [1, 0, 0, 0],
      [0, 1, 0, 0],
      [0, 0, 1, 0],
      [0, 0, 0, 1],
      [-1, 0, 0, 0],
    ]
    expect(
      new Set(
        starts.map((start) =>
          sum
            .start(...start)
            .add('one')
            .digits(),
        ),
      ).size,
    ).toBe(starts.length)
  })

  it('knows its digits and no others, whatever was added before', () => {
    const texts = fc.array(fc.oneof(fc.string(), fc.string({ unit: 'binary', maxLength: 200 })))
    fc.assert(
      fc.property(texts, fc.nat(31), (given, at) => {
        const digits = digitsOf(...given)
        const other = digits[at] === '0' ? '1' : '0'
        const add = (): Checksum => {
          sum.start(1, 2, 3, 4)
          for (const text of given) sum.add(text)
          return sum
        }
        expect(digits).toMatch(/^[0-9a-f]{32}$/)
        expect(add().equals(digits)).toBe(true)
        expect(add().equals(`${digits.slice(0, at)}${other}${digits.slice(at + 1)}`)).toBe(false)
      }),
    )
  })

  it.each([
    [null],
    [undefined],
    [12],
    [''],
    ['0'.repeat(31)],
    ['0'.repeat(33)],
    ['é'.repeat(32)],
    [new Uint8Array(32)],
  ])('is not %j', (digits) => {
    expect(sum.start(0, 0, 0, 0).equals(digits)).toBe(false)
  })
})
