import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { decodeBody } from './decode.ts'

const text = `data: ${'añ€😀 '.repeat(1000)}\n\n`
const plain = Buffer.from(text)

describe('a body', () => {
  it.each([
    ['gzip', gzipSync(plain)],
    ['x-gzip', gzipSync(plain)],
    ['GZIP', gzipSync(plain)],
    ['deflate', deflateSync(plain)],
    ['deflate', deflateRawSync(plain)],
    ['br', brotliCompressSync(plain)],
    ['zstd', zstdCompressSync(plain)],
    ['identity', plain],
    ['', plain],
    ['gzip, br', brotliCompressSync(gzipSync(plain))],
  ])('in %s is unpacked', (encoding, bytes) => {
    expect(decodeBody(bytes, encoding, false)).toEqual({ text })
  })

  it.each([
    ['gzip', gzipSync(plain, { level: 0 })],
    ['deflate', deflateSync(plain, { level: 0 })],
    ['br', brotliCompressSync(plain)],
  ])('in %s that was cut off gives what can be unpacked of it', (encoding, bytes) => {
    const body = decodeBody(bytes.subarray(0, bytes.length - 8), encoding, true)
    expect('text' in body && text.startsWith(body.text.replace(/\uFFFD+$/, ''))).toBe(true)
  })

  it('in a packing that is not known, or not what it says, is kept as it is', () => {
    expect(decodeBody(plain, 'lzma', false)).toEqual({ base64: plain.toString('base64') })
    expect(decodeBody(plain, 'gzip', false)).toEqual({ base64: plain.toString('base64') })
    expect(decodeBody(plain, '__proto__', false)).toEqual({ base64: plain.toString('base64') })
  })

  it('that is no text is kept as bytes, and one that was cut within a character as text', () => {
    const bytes = Buffer.from([0xff, 0xfe, 0x00, 0x41])
    expect(decodeBody(bytes, '', true)).toEqual({ base64: bytes.toString('base64') })
    const cut = Buffer.from('abc€').subarray(0, 5)
    expect(decodeBody(cut, '', true)).toEqual({ text: 'abc\uFFFD' })
    expect(decodeBody(cut, '', false)).toEqual({ base64: cut.toString('base64') })
  })

  it('cannot unpack to more than is held', () => {
    const bomb = gzipSync(Buffer.alloc(160 * 1024 * 1024))
    expect(decodeBody(bomb, 'gzip', false)).toEqual({ base64: bomb.toString('base64') })
  })
})
