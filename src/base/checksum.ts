/**
 * A checksum of stored text: finds what was damaged, at a fraction of what parsing the text costs.
 *
 * The rounds and the finish of MurmurHash3 (its 128-bit variant for 32-bit machines, after Austin Appleby's public-domain
 * reference) over the UTF-8 of texts, each padded with zeroes to whole blocks. It has no key and withstands nobody: use
 * `digest` where somebody would gain by making two texts meet. Half a surrogate pair counts as U+FFFD, as it does for
 * whatever stores UTF-8.
 */

/** The checksum of one thing after the other: each begins with {@link start}. Kept and used again, because it holds room. */
export class Checksum {
  /** What has come out so far, in four words. */
  readonly #state = new Int32Array(4)
  /** Of all bytes that were taken in. */
  #length = 0
  // To make room for each text would cost more than the rest.
  readonly #room = new Uint8Array(ROOM_BYTES + BLOCK_BYTES)
  readonly #roomView = new DataView(this.#room.buffer)
  /** Bytes in the room that wait for more. */
  #waiting = 0

  /** Begins anew, with four 32-bit integers that belong to what is checked. */
  start(a: number, b: number, c: number, d: number): this {
    const state = this.#state
    state[0] = a
    state[1] = b
    state[2] = c
    state[3] = d
    this.#length = 0
    this.#waiting = 0
    return this
  }

  /** Takes in a text; long ones first is fastest. Where one text ends and the next begins is not: {@link start} with the lengths. */
  add(text: string): this {
    if (text.length <= SHORT && this.#addShort(text)) return this
    this.#mixWaiting()
    if (text.length * BYTES_A_UNIT <= ROOM_BYTES) {
      this.#waiting = encoder.encodeInto(text, this.#room).written
    } else {
      const room = new Uint8Array(text.length * BYTES_A_UNIT + BLOCK_BYTES)
      this.#mix(new DataView(room.buffer), encoder.encodeInto(text, room).written)
    }
    return this
  }

  /** Puts a short text of ASCII behind what waits: calling the encoder would take longer. False for any other text. */
  #addShort(text: string): boolean {
    const room = this.#room
    const start = this.#waiting
    const { length } = text
    if (start + length > ROOM_BYTES) return false
    for (let index = 0; index < length; index++) {
      const unit = text.charCodeAt(index)
      if (unit > LAST_ASCII) return false
      room[start + index] = unit
    }
    this.#waiting = start + length
    return true
  }

  #mixWaiting(): void {
    if (this.#waiting === 0) return
    this.#mix(this.#roomView, this.#waiting)
    this.#waiting = 0
  }

  /** What is added, as 32 hex digits. */
  digits(): string {
    this.#finish()
    let digits = ''
    for (const word of this.#state) digits += (word >>> 0).toString(16).padStart(8, '0')
    return digits
  }

  /** True when {@link digits} would be these. Makes no text, which takes several times as long. */
  equals(digits: unknown): boolean {
    if (typeof digits !== 'string' || digits.length !== 32) return false
    this.#finish()
    // Without a branch: which digits come is random, and guessing wrong would take longer than the rest.
    let differences = 0
    for (let word = 0; word < 4; word++) {
      const value = this.#state[word]!
      for (let index = 0; index < 8; index++) {
        const digit = (value >>> (28 - 4 * index)) & 15
        const letter = (9 - digit) >> 31
        differences |= digits.charCodeAt(8 * word + index) ^ (DIGIT_0 + digit + (letter & BEHIND_DIGITS))
      }
    }
    return differences === 0
  }

  /** There is room for a block behind the bytes. */
  #mix(view: DataView, length: number): void {
    const state = this.#state
    let a = state[0]!
    let b = state[1]!
    let c = state[2]!
    let d = state[3]!
    for (let at = length; at < length + BLOCK_BYTES; at += 4) view.setInt32(at, 0)
    for (let at = 0; at < length; at += BLOCK_BYTES) {
      a ^= scrambled(view.getInt32(at, true), C1, 15, C2)
      a = (Math.imul((rotated(a, 19) + b) | 0, 5) + 0x561ccd1b) | 0
      b ^= scrambled(view.getInt32(at + 4, true), C2, 16, C3)
      b = (Math.imul((rotated(b, 17) + c) | 0, 5) + 0x0bcaa747) | 0
      c ^= scrambled(view.getInt32(at + 8, true), C3, 17, C4)
      c = (Math.imul((rotated(c, 15) + d) | 0, 5) + 0x96cd1c35) | 0
      d ^= scrambled(view.getInt32(at + 12, true), C4, 18, C1)
      d = (Math.imul((rotated(d, 13) + a) | 0, 5) + 0x32ac3b17) | 0
    }
    state[0] = a
    state[1] = b
    state[2] = c
    state[3] = d
    this.#length += length
  }

  #finish(): void {
    this.#mixWaiting()
    const state = this.#state
    const length = this.#length
    let a = state[0]! ^ length
    let b = state[1]! ^ length
    let c = state[2]! ^ length
    let d = state[3]! ^ length
    a = (a + b + c + d) | 0
    b = finished(b + a)
    c = finished(c + a)
    d = finished(d + a)
    a = finished(a)
    a = (a + b + c + d) | 0
    state[0] = a
    state[1] = b + a
    state[2] = c + a
    state[3] = d + a
  }
}

const encoder = new TextEncoder()
const ROOM_BYTES = 65_536
const BLOCK_BYTES = 16
/** The most units of a short text. */
const SHORT = 64
const LAST_ASCII = 127
/** The most bytes that a UTF-16 unit becomes. */
const BYTES_A_UNIT = 3

const DIGIT_0 = 48
/** From behind the digits to the small letters. */
const BEHIND_DIGITS = 39

const C1 = 0x239b961b
const C2 = 0xab0e9789 | 0
const C3 = 0x38b34ae5
const C4 = 0xa1e38b93 | 0

function scrambled(value: number, first: number, bits: number, second: number): number {
  return Math.imul(rotated(Math.imul(value, first), bits), second)
}

function rotated(value: number, bits: number): number {
  return (value << bits) | (value >>> (32 - bits))
}

function finished(value: number): number {
  let hash = value | 0
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return hash ^ (hash >>> 16)
}
