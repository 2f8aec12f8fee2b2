/**
 * A number for an element of a body that equal elements share. It looks at lengths and at some characters and never at a
 * whole text, since whoever finds an element by it compares the two in full.
 */

const DEPTH = 4
const WIDTH = 12

/** Of any JSON value, without regard to the order of keys. A whole number below 2^31. */
export function fingerprint(value: unknown): number {
  return walk(value, DEPTH) & 0x7fffffff
}

function walk(value: unknown, depth: number): number {
  if (typeof value === 'string') return ofText(value)
  if (typeof value === 'number') return value | 0
  if (typeof value !== 'object' || value === null) return value === true ? 3 : 5
  if (Array.isArray(value)) {
    let hash = 7 + value.length
    if (depth === 0) return hash
    const first = Math.min(WIDTH, value.length)
    for (let index = 0; index < first; index++) hash = mix(hash, walk(value[index], depth - 1))
    if (value.length > first) hash = mix(hash, walk(value.at(-1), depth - 1))
    return hash
  }
  let sum = 11
  for (const key in value) {
    // Added up, so that the order of keys does not matter.
    const inner = depth === 0 ? 0 : walk(value[key as keyof object], depth - 1)
    sum = (sum + mix(ofText(key), inner)) | 0
  }
  return sum
}

const SAMPLES = 8

function ofText(text: string): number {
  const { length } = text
  let hash = length
  const step = Math.max(1, Math.floor(length / SAMPLES))
  for (let index = 0; index < length; index += step) hash = mix(hash, text.charCodeAt(index))
  return length === 0 ? hash : mix(hash, text.charCodeAt(length - 1))
}

function mix(hash: number, value: number): number {
  return (Math.imul(hash ^ value, 0x01000193) + (hash >>> 15)) | 0
}
