/**
 * The binary event stream in which Bedrock answers `converse-stream` and `invoke-with-response-stream`, as a list of
 * events.
 *
 * A message is: its length, the length of its headers, a checksum (4 bytes each, big-endian), headers, payload, checksum.
 * An event comes out as the SDKs give it, `{ [type]: payload }`; a chunk of InvokeModel is the event of the model's own
 * format inside it. Checksums are not verified: a damaged message is left out, since the events before it still count.
 * Format: https://docs.aws.amazon.com/transcribe/latest/dg/event-stream.html
 */
import { field } from '../../cache/layout/peek.ts'
import { parseJson } from '../../cache/usage/sse.ts'

const PRELUDE = 12
const CHECKSUM = 4

// The largest message is 16 MiB, so its first byte tells it from any text.
const MAX_MESSAGE_BYTES = 16_777_216

/** True for bytes that begin like a message: lengths that fit, and a first header named `:…`. */
export function isEventStream(bytes: Uint8Array): boolean {
  const view = viewOf(bytes)
  if (bytes.length < PRELUDE + CHECKSUM) return false
  const [total, headers] = [view.getUint32(0), view.getUint32(4)]
  const fits = headers > 2 && total >= PRELUDE + headers + CHECKSUM && total <= MAX_MESSAGE_BYTES
  return fits && bytes[PRELUDE + 1] === 0x3a
}

/** The events of a stream, up to where it is cut off. */
export function decodeEventStream(bytes: Uint8Array): readonly unknown[] {
  const events: unknown[] = []
  const view = viewOf(bytes)
  for (let at = 0; at + PRELUDE + CHECKSUM <= bytes.length;) {
    const [total, headers] = [view.getUint32(at), view.getUint32(at + 4)]
    const payload = at + PRELUDE + headers
    const end = at + total - CHECKSUM
    if (total < PRELUDE + CHECKSUM || end > bytes.length || payload > end) break
    const event = eventOf(typeOf(bytes.subarray(at + PRELUDE, payload)), bytes.subarray(payload, end))
    if (event !== undefined) events.push(event)
    at += total
  }
  return events
}

function eventOf(type: string | undefined, payload: Uint8Array): unknown {
  const value = parseJson(decode(payload))
  if (value === undefined || type === undefined) return value
  const inner = field(value, 'bytes')
  if (typeof inner !== 'string') return { [type]: value }
  try {
    return parseJson(decode(Uint8Array.from(atob(inner), (character) => character.charCodeAt(0))))
  } catch {
    return undefined
  }
}

/** The text header `:event-type` or `:exception-type`. Only text (type 7) is told apart: that is all that Bedrock sends. */
function typeOf(headers: Uint8Array): string | undefined {
  const view = viewOf(headers)
  for (let at = 0; at + 4 <= headers.length;) {
    const nameEnd = at + 1 + (headers[at] ?? 0)
    if (headers[nameEnd] !== 7 || nameEnd + 3 > headers.length) return undefined
    const valueEnd = nameEnd + 3 + view.getUint16(nameEnd + 1)
    const name = decode(headers.subarray(at + 1, nameEnd))
    if (name === ':event-type' || name === ':exception-type') return decode(headers.subarray(nameEnd + 3, valueEnd))
    at = valueEnd
  }
  return undefined
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes)
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
