/** Whether an item was sent before: JSON compared by content, in place. */
import { MAX_DEPTH } from '../../base/json.ts'

/**
 * True when two items are the same: a message, tool or block, or a list of them. The order of their own keys is no
 * content, that of the values inside them is. This is the hot loop of a long conversation, so nothing is allocated on
 * the way, and strings are compared by the engine.
 */
export function sameItem(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false
  for (const key in one) {
    const value: unknown = one[key as keyof object]
    const otherValue: unknown = other[key as keyof object]
    if (value === otherValue) continue
    if (!Array.isArray(value)) {
      if (!sameContent(value, otherValue)) return false
      continue
    }
    if (!Array.isArray(otherValue) || value.length !== otherValue.length) return false
    for (let index = 0; index < value.length; index++) if (!sameBlock(value[index], otherValue[index])) return false
  }
  for (const key in other) if (!Object.hasOwn(one, key)) return false
  return Array.isArray(one) === Array.isArray(other)
}

function sameBlock(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false
  for (const key in one) {
    const value: unknown = one[key as keyof object]
    const otherValue: unknown = other[key as keyof object]
    if (value !== otherValue && !sameContent(value, otherValue)) return false
  }
  for (const key in other) if (!Object.hasOwn(one, key)) return false
  return Array.isArray(one) === Array.isArray(other)
}

/** True when two JSON values are the same, key order included. */
function sameContent(one: unknown, other: unknown, depth = 0): boolean {
  if (one === other) return true
  // What is nested deeper is compared when it is cut, or refused.
  if (depth > MAX_DEPTH) return false
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false
  if (Array.isArray(one)) {
    if (!Array.isArray(other) || one.length !== other.length) return false
    for (let index = 0; index < one.length; index++) if (!sameContent(one[index], other[index], depth + 1)) return false
    return true
  }
  if (Array.isArray(other)) return false
  const keys = Object.keys(one)
  const otherKeys = Object.keys(other)
  if (keys.length !== otherKeys.length) return false
  for (let index = 0; index < keys.length; index++) {
    const key = keys[index] as keyof object
    if (key !== otherKeys[index] || !sameContent(one[key], other[key], depth + 1)) return false
  }
  return true
}
