import { describe, expect, it } from 'vitest'
import { ByteReader } from './byte-reader.ts'
import { longHeadOf } from './long-head.ts'
import { HEAD_BYTES } from './types.ts'

function readerOf(text: string): ByteReader {
  const bytes = new TextEncoder().encode(text)
  return new ByteReader(
    (async function* () {
      for (let at = 0; at < bytes.length; at += 100_000) yield bytes.subarray(at, at + 100_000)
    })(),
  )
}

const record = (name: string): string => JSON.stringify({ name, text: 'x'.repeat(2 * HEAD_BYTES) })

describe('a long head', () => {
  it('has the record that begins behind half of a line', async () => {
    const bytes = readerOf(`${record('half').slice(1)}\n${record('whole')}\n${record('more')}\n`)
    const { records, whole } = await longHeadOf('log', bytes)
    expect([records.map(({ name }) => name), whole, bytes.position]).toEqual([['whole'], false, 0])
  })

  it('has all of a record that is the only one', async () => {
    for (const end of ['', '\n']) {
      const { start, whole } = await longHeadOf('log', readerOf(record('only') + end))
      expect([start, whole]).toMatchObject([{ name: 'only' }, true])
    }
  })

  it('ends where there is no end of a line', async () => {
    const { text, whole } = await longHeadOf('log', readerOf('x'.repeat(40_000_000)))
    expect([text.length, whole]).toEqual([33_554_432, false])
  })
})
