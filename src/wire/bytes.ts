/**
 * Bytes and URLs inside of messages as JSON: `{ "$bytes": "AQID" }`, in base64, and `{ "$url": "https://..." }`. An object of
 * the message's own that looks like that gets one more dollar, so that what a tool was called with can never be taken for bytes.
 */
import { isPlainObject, type Json } from '../base/json.ts'

const tag = '$bytes'
const urlTag = '$url'
const lookalike = /^\$+(?:bytes|url)$/
/** How many bytes are turned into characters at once: arguments of one call have a limit. */
const CHUNK = 0x8000

/** A copy without bytes and URLs. What is neither of them nor JSON is passed on, for whoever checks the JSON to name it. */
export function encodeBytes(value: unknown): unknown {
  if (value instanceof Uint8Array) return { [tag]: toBase64(value) }
  if (value instanceof ArrayBuffer) return { [tag]: toBase64(new Uint8Array(value)) }
  if (value instanceof URL) return { [urlTag]: value.href }
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(encodeBytes)
  if (!isPlainObject(value)) return value
  return mapEntries(value, (key) => (lookalike.test(key) ? `$${key}` : key), encodeBytes)
}

/** The value of which `json` is the copy. */
export function decodeBytes(json: Json): unknown {
  if (typeof json !== 'object' || json === null) return json
  if (Array.isArray(json)) return (json as readonly Json[]).map(decodeBytes)
  const fields = json as { readonly [key: string]: Json }
  const bytes = fields[tag]
  if (typeof bytes === 'string') return fromBase64(bytes)
  const url = fields[urlTag]
  if (typeof url === 'string') return new URL(url)
  return mapEntries(fields, (key) => (lookalike.test(key) ? key.slice(1) : key), decodeBytes)
}

function mapEntries<V>(
  fields: Readonly<Record<string, V>>,
  rename: (key: string) => string,
  map: (value: V) => unknown,
): Record<string, unknown> {
  // `__proto__` is a key like any other.
  return Object.fromEntries(Object.entries(fields).map(([key, value]) => [rename(key), map(value)]))
}

function toBase64(bytes: Uint8Array): string {
  let characters = ''
  for (let start = 0; start < bytes.length; start += CHUNK) {
    characters += String.fromCharCode(...bytes.subarray(start, start + CHUNK))
  }
  return btoa(characters)
}

function fromBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
}
