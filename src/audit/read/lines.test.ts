import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { splitLines, type LineOptions } from './lines.ts'
import type { Line } from './types.ts'

const encode = (text: string): Uint8Array => new TextEncoder().encode(text)

/** Cuts bytes at the given places. */
function cut(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const ends = [...places.map((place) => place % (bytes.length + 1)), bytes.length].toSorted((a, b) => a - b)
  return ends.map((end, index) => bytes.subarray(index === 0 ? 0 : ends[index - 1], end))
}

async function all(chunks: readonly Uint8Array[], options?: LineOptions): Promise<Line[]> {
  const lines: Line[] = []
  for await (const line of splitLines(chunks, options)) lines.push(line)
  return lines
}

describe('splitLines', () => {
  it('gives the same lines however the bytes are cut', async () => {
    const text = fc
      .array(fc.constantFrom('a', '{"b":1}', '\n', '\r\n', 'é', '😀', ' ', '\u2028'))
      .map((parts) => parts.join(''))
    await fc.assert(
      fc.asyncProperty(text, fc.array(fc.nat(200), { maxLength: 6 }), async (text, places) => {
        const expected = text
          .split('\n')
          .map((line, index) => ({ text: line.replace(/\r$/, ''), line: index + 1 }))
          .filter(({ text }) => text.trim() !== '')
        expect(await all(cut(encode(text), places))).toEqual(expected)
      }),
    )
  })

  it('counts blank lines, and needs no end for the last', async () => {
    expect(await all([encode('one\n\n  \r\ntwo')])).toEqual([
      { text: 'one', line: 1 },
      { text: 'two', line: 4 },
    ])
    expect(await all([])).toEqual([])
  })

  it('drops a byte order mark, also where files were put one behind the other', async () => {
    expect((await all([encode('\uFEFF{}\n\uFEFF{}\n')])).map(({ text }) => text)).toEqual(['{}', '{}'])
  })

  it('replaces what is no UTF-8 and goes on', async () => {
    expect(await all([new Uint8Array([0xff, 0x61, 0x0a, 0x62])])).toEqual([
      { text: '\uFFFDa', line: 1 },
      { text: 'b', line: 2 },
    ])
  })

  it('leaves out a line beyond the limit, names it, and reads the next', async () => {
    const left: [number, number][] = []
    const options = { limit: 4, tooLarge: (line: number, bytes: number) => left.push([line, bytes]) }
    const bytes = encode('abcd\nabcde\nab\nlong to the end')
    for (const places of [[], [3, 7], Array.from(bytes, (_, index) => index)]) {
      left.length = 0
      expect((await all(cut(bytes, places), options)).map(({ line }) => line)).toEqual([1, 3])
      expect(left).toEqual([
        [2, 5],
        [4, 15],
      ])
    }
  })

  it('does not look at a chunk again that its source fills anew', async () => {
    const shared = new Uint8Array(4)
    const source = function* (): Generator<Uint8Array> {
      for (const part of ['abcd', 'efgh', 'i\njk']) {
        shared.set(encode(part))
        yield shared
      }
    }
    const lines: string[] = []
    for await (const { text } of splitLines(source())) lines.push(text)
    expect(lines).toEqual(['abcdefghi', 'jk'])
  })
})
