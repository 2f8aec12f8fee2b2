/** A fast hash that tells texts apart where nobody would gain by making two of them meet. */

/**
 * MurmurHash3 (its 128-bit variant for 32-bit machines, after Austin Appleby's public-domain reference) over the UTF-16
 * units of `text`, two to a word, as 32 hex digits. Several times faster than `digest`, and no proof of anything:
 * use that one for what is shared, and `Checksum` for what is stored.
 */
export function contentHash(text: string): string {
  const { length } = text
  let a = length
  let b = length
  let c = length
  let d = length
  let at = 0
  for (const end = length - 7; at < end; at += 8) {
    a ^= scrambled(word(text, at), C1, 15, C2)
    a = (Math.imul(rotated(a, 19) + b, 5) + 0x561ccd1b) | 0
    b ^= scrambled(word(text, at + 2), C2, 16, C3)
    b = (Math.imul(rotated(b, 17) + c, 5) + 0x0bcaa747) | 0
    c ^= scrambled(word(text, at + 4), C3, 17, C4)
    c = (Math.imul(rotated(c, 15) + d, 5) + 0x96cd1c35) | 0
    d ^= scrambled(word(text, at + 6), C4, 18, C1)
    d = (Math.imul(rotated(d, 13) + a, 5) + 0x32ac3b17) | 0
  }
  // What is left is at most seven units: four words, padded.
  a ^= scrambled(lastWord(text, at), C1, 15, C2)
  b ^= scrambled(lastWord(text, at + 2), C2, 16, C3)
  c ^= scrambled(lastWord(text, at + 4), C3, 17, C4)
  d ^= scrambled(lastWord(text, at + 6), C4, 18, C1)
  a = (a + b + c + d) | 0
  b = (b + a) | 0
  c = (c + a) | 0
  d = (d + a) | 0
  a = finished(a)
  b = finished(b)
  c = finished(c)
  d = finished(d)
  a = (a + b + c + d) | 0
  return hex(a) + hex(b + a) + hex(c + a) + hex(d + a)
}

const C1 = 0x239b961b
const C2 = 0xab0e9789 | 0
const C3 = 0x38b34ae5
const C4 = 0xa1e38b93 | 0

function word(text: string, at: number): number {
  return text.charCodeAt(at) | (text.charCodeAt(at + 1) << 16)
}

/** Past the end there are zeroes; the length is in the seed. */
function lastWord(text: string, at: number): number {
  return at + 1 < text.length ? word(text, at) : at < text.length ? text.charCodeAt(at) : 0
}

function scrambled(value: number, first: number, bits: number, second: number): number {
  return Math.imul(rotated(Math.imul(value, first), bits), second)
}

function rotated(value: number, bits: number): number {
  return (value << bits) | (value >>> (32 - bits))
}

function finished(value: number): number {
  let hash = value
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return hash ^ (hash >>> 16)
}

function hex(value: number): string {
  return (value >>> 0).toString(16).padStart(8, '0')
}
