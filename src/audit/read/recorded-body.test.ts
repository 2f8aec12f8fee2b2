import fc from 'fast-check'
import { gzipSync, zlibSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { isHex, readBase64, readBody, readHex } from './recorded-body.ts'

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const hex = (data: Uint8Array): string => Buffer.from(data).toString('hex')
const base64 = (data: Uint8Array): string => Buffer.from(data).toString('base64')

describe('recorded bodies', () => {
  it('gives the text back that was sent, however it was kept', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (text) => {
        fc.pre(!text.startsWith('\uFEFF') && !text.startsWith('H4sI'))
        const body = { type: 'body', value: text }
        const [plain, gzip, zlib] = [bytes(text), gzipSync(bytes(text)), zlibSync(bytes(text))]
        expect(readBody(text)).toEqual(body)
        expect(readBody(gzip)).toEqual(body)
        expect(readBody(zlib)).toEqual(body)
        expect(readBody(base64(gzip))).toEqual(body)
        expect(readBase64(base64(gzip))).toEqual(body)
        expect(readHex([hex(gzip).slice(0, 10), hex(gzip).slice(10)])).toEqual(body)
        if (plain[0] !== 0x78) expect(readBody(plain)).toEqual(body)
      }),
      { numRuns: 40 },
    )
  })

  it('has nothing where nothing was kept, and leaves alone what is parsed', () => {
    for (const nothing of [undefined, null, '', new Uint8Array()]) {
      expect(readBody(nothing)).toEqual({ type: 'body', value: undefined })
    }
    const parsed = { messages: [] }
    expect(readBody(parsed)).toEqual({ type: 'body', value: parsed })
  })

  it('says what is wrong with bytes that it cannot read', () => {
    const whole = gzipSync(bytes('{"a":"'.repeat(100)))
    expect(readBody(whole.subarray(0, whole.length - 12))).toMatchObject({
      type: 'unread',
      message: expect.stringMatching(/cut off/),
    })
    expect(readBody(Uint8Array.of(0xff, 0xfe, 0x80))).toMatchObject({
      type: 'unread',
      message: expect.stringMatching(/br or zstd/),
    })
    expect(readBase64('no base64!')).toMatchObject({ type: 'unread' })
  })

  it('takes only even runs of hex digits for bytes', () => {
    expect(['1f8b', '1F8B08'].every(isHex)).toBe(true)
    expect(['', 'ab', '1f8', 'hello', '{"a":1}', 12, null].some(isHex)).toBe(false)
  })

  it('stops unpacking long before memory ends', () => {
    const bomb = gzipSync(new Uint8Array(3_000_000))
    expect(bomb.length).toBeLessThan(4000)
    expect(readBody(bomb, 1_000_000)).toMatchObject({
      type: 'unread',
      message: expect.stringMatching(/more than the 1000000 bytes/),
    })
  })
})
