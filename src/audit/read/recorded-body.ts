/**
 * Bodies as recorders of HTTP keep them: text, bytes, hex or base64 of bytes, compressed or not, or parsed already.
 *
 * Text comes back as text, exactly as it was; only what was parsed before stays parsed. What cannot be turned into text
 * says why. The odd case is Brotli, which has no signature: bytes that are no UTF-8 are taken to be compressed in a way
 * that is not read.
 */
import { Gunzip, Unzlib } from 'fflate'
import { decodeEventStream, isEventStream } from './aws-event-stream.ts'

/** A body that could be read, or why it could not. `value` is undefined where there is none. */
export type RecordedBody =
  | { readonly type: 'body'; readonly value: unknown }
  | { readonly type: 'unread'; readonly message: string }

/** As much as one body may become when it is unpacked, in bytes. */
const MAX_UNPACKED_BYTES = 268_435_456

/**
 * Reads a body: undefined and empty are none, bytes and base64 of gzip become text, anything else stays. One that unpacks
 * to more bytes than `limit` is not read.
 */
export function readBody(body: unknown, limit: number = MAX_UNPACKED_BYTES): RecordedBody {
  if (body === undefined || body === null || body === '') return { type: 'body', value: undefined }
  if (body instanceof Uint8Array) return readBytes(body, limit)
  // The first bytes of a gzip file in base64.
  if (typeof body === 'string' && body.startsWith('H4sI') && isBase64(body)) return readBase64(body)
  return { type: 'body', value: body }
}

/** Reads the body behind base64. */
export function readBase64(body: string): RecordedBody {
  const text = body.replace(/\s+/g, '')
  if (!isBase64(text)) return { type: 'unread', message: 'A body that should be base64 is not.' }
  try {
    return readBytes(Uint8Array.from(atob(text), (character) => character.charCodeAt(0)))
  } catch {
    return { type: 'unread', message: 'A body that should be base64 is not.' }
  }
}

/** Reads the body behind hex digits, in one or several chunks. */
export function readHex(chunks: readonly string[]): RecordedBody {
  const digits = chunks.join('')
  const bytes = new Uint8Array(digits.length >> 1)
  for (let at = 0; at < bytes.length; at++) bytes[at] = Number.parseInt(digits.slice(at * 2, at * 2 + 2), 16)
  return readBytes(bytes)
}

/** True for text that can only be bytes in hex. */
export function isHex(text: unknown): text is string {
  return typeof text === 'string' && text.length >= 4 && text.length % 2 === 0 && /^[0-9a-f]+$/i.test(text)
}

function isBase64(text: string): boolean {
  return /^[\w+/-]*={0,2}$/.test(text)
}

function readBytes(bytes: Uint8Array, limit: number = MAX_UNPACKED_BYTES): RecordedBody {
  if (bytes.length === 0) return { type: 'body', value: undefined }
  let plain = bytes
  try {
    if (bytes[0] === 0x1f && bytes[1] === 0x8b) plain = unpack(new Gunzip(), bytes, limit)
    else if (isZlib(bytes)) plain = unpack(new Unzlib(), bytes, limit)
  } catch (error) {
    const message =
      error instanceof TooLargeError
        ? `A compressed body becomes more than the ${limit} bytes that are read.`
        : 'A compressed body is cut off or damaged.'
    return { type: 'unread', message }
  }
  if (isEventStream(plain)) return { type: 'body', value: decodeEventStream(plain) }
  try {
    return { type: 'body', value: new TextDecoder('utf-8', { fatal: true }).decode(plain) }
  } catch {
    const message = 'A body is bytes that are no text: compressed with br or zstd? Record it decompressed.'
    return { type: 'unread', message }
  }
}

/** A zlib header is `x`, and its two bytes are a multiple of 31 (RFC 1950). */
function isZlib([first = 0, second = 0]: Uint8Array): boolean {
  return first === 0x78 && (first * 256 + second) % 31 === 0
}

class TooLargeError extends Error {}

type Unpacker = Gunzip | Unzlib

// Deflate makes at most about 1,000 bytes of one, so a slice stays small whatever it holds.
const SLICE = 16_384

function unpack(unpacker: Unpacker, bytes: Uint8Array, limit: number): Uint8Array {
  const chunks: Uint8Array[] = []
  let size = 0
  unpacker.ondata = (chunk) => {
    size += chunk.length
    if (size > limit) throw new TooLargeError()
    chunks.push(chunk)
  }
  for (let at = 0; at < bytes.length; at += SLICE) {
    unpacker.push(bytes.subarray(at, at + SLICE), at + SLICE >= bytes.length)
  }
  const whole = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.length
  }
  return whole
}
