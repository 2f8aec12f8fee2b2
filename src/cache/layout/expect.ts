/** Reading values of unknown shape out of a request body, with an error that says where. */
import { canonicalCopy, NotJsonError, setOwn } from '../../base/json.ts'
import { RequestUnreadableError } from './errors.ts'

/** An object of a body, not yet looked into. */
export interface Fields {
  readonly [key: string]: unknown
}

/** An object; throws {@link RequestUnreadableError} for anything else, as the next two do for what they expect. */
export function expectObject(value: unknown, path: string, expected = 'an object'): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new RequestUnreadableError(path, expected, value)
  }
  return value as Fields
}

export function expectList(value: unknown, path: string, expected = 'a list'): readonly unknown[] {
  if (!Array.isArray(value)) throw new RequestUnreadableError(path, expected, value)
  return value
}

export function expectString(value: unknown, path: string, expected = 'a string'): string {
  if (typeof value !== 'string') throw new RequestUnreadableError(path, expected, value)
  return value
}

/** A list that may be left out. */
export function optionalList(value: unknown, path: string, expected?: string): readonly unknown[] {
  return value === undefined || value === null ? [] : expectList(value, path, expected)
}

/** The value of an optional text, `undefined` where it is absent or null. */
export function optionalString(value: unknown, path: string): string | undefined {
  return value === undefined || value === null ? undefined : expectString(value, path)
}

/**
 * The JSON text of a block as content: without the keys in `omit`, which are marks and not content. `keyOrder` keeps
 * the order of all keys below the first level; the block's own keys are always sorted.
 */
export function contentJson(block: Fields, omit: readonly string[], keyOrder: boolean, path: string): string {
  const kept: Record<string, unknown> = {}
  for (const key of Object.keys(block).sort()) {
    if (!omit.includes(key) && block[key] !== undefined) setOwn(kept, key, block[key])
  }
  try {
    return JSON.stringify(keyOrder ? kept : canonicalCopy(kept))
  } catch (error) {
    // The engine's own writer gives up on what is nested some thousand levels deep.
    const expected = error instanceof NotJsonError ? `JSON (${error.message})` : 'JSON that is nested less deeply'
    throw new RequestUnreadableError(path, expected, block)
  }
}
