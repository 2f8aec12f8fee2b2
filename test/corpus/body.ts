/**
 * Bodies as recorders keep them: text, bytes, hex or base64 of bytes, compressed or not.
 *
 * JSON comes back parsed, everything else as text. What is parsed already stays as it is.
 */
import { gunzipSync } from 'node:zlib'

/** The value of a body. */
export function readBody(body: unknown): unknown {
  if (body instanceof Uint8Array) return parse(decompress(Buffer.from(body)).toString('utf8'))
  if (typeof body !== 'string') return body ?? undefined
  return body === '' ? undefined : parse(body)
}

/** The value of a body that is kept as base64. */
export function readBase64(body: string): unknown {
  return readBody(Buffer.from(body, 'base64'))
}

/** The value of a body that is kept as hex, in one or several chunks. */
export function readHex(chunks: readonly string[]): unknown {
  return readBody(Buffer.concat(chunks.map((chunk) => Buffer.from(chunk, 'hex'))))
}

/** True for text that can only be bytes in hex. */
export function isHex(text: unknown): text is string {
  return typeof text === 'string' && text.length >= 4 && /^(?:[0-9a-f]{2})+$/i.test(text)
}

function decompress(bytes: Buffer): Buffer {
  return bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}
