/**
 * JSON values as Indelible compares, copies and stores them.
 *
 * One definition of "the same value" serves snapshots, input ids and message digests: structural, without regard to
 * the order of object keys. Odd cases, all of them what `JSON.stringify` would do unless it would lose something
 * silently:
 * - `-0` is `0`; numbers compare by value, so `1e21` is `1000000000000000000000`.
 * - A property whose value is `undefined` is not there. `undefined` anywhere else, `NaN`, infinities, functions,
 *   symbols, bigints, sparse arrays and objects that are not plain (`Date`, `Map`, instances) are no JSON and throw.
 * - `toJSON` is not called. `__proto__` is a key like any other, lone surrogates are kept.
 * - Deeper than {@link MAX_DEPTH} throws, which is also how a cycle ends.
 */

/** A JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

/** Levels of nesting that a value may have. Far below the stack of any engine, far above any value in use. */
export const MAX_DEPTH = 500

/** Thrown by {@link copyJson} and {@link canonicalJson}; callers wrap it in the typed error of their own layer. */
export class NotJsonError extends TypeError {
  /** Where in the value, as `$.a[3].b`. */
  readonly path: string
  constructor(path: string, found: string) {
    super(`${path} is ${found}, which JSON cannot hold`)
    this.name = 'NotJsonError'
    this.path = path
  }
}

/** True for objects made by a literal, `JSON.parse` or `Object.create(null)`, in this realm or another. */
export function isPlainObject(value: object): value is Record<string, unknown> {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || prototype === Object.prototype || Object.getPrototypeOf(prototype) === null
}

/**
 * True when `live`, a value of unknown origin, is the JSON value `stored`. Copies nothing, and what is no JSON is
 * simply not equal: {@link copyJson} then says why.
 */
export function equalsJson(live: unknown, stored: Json, depth = 0): boolean {
  if (live === stored) return true
  if (typeof live !== 'object' || live === null || typeof stored !== 'object' || stored === null) return false
  if (depth >= MAX_DEPTH) return false
  if (Array.isArray(live)) {
    if (!Array.isArray(stored) || live.length !== stored.length) return false
    for (let index = 0; index < live.length; index++) {
      if (!equalsJson(live[index], stored[index] as Json, depth + 1)) return false
    }
    return true
  }
  if (Array.isArray(stored) || !isPlainObject(live)) return false
  const other = stored as { readonly [key: string]: Json }
  let present = 0
  for (const key of Object.keys(live)) {
    const value = live[key]
    if (value === undefined) continue
    if (!Object.hasOwn(other, key) || !equalsJson(value, other[key] as Json, depth + 1)) return false
    present++
  }
  return present === Object.keys(other).length
}

/** A deep copy of `value`, checked to be JSON; object keys keep their order. Throws {@link NotJsonError}. */
export function copyJson(value: unknown): Json {
  return copy(value, 0, [], false)
}

/**
 * Like {@link copyJson}, with object keys in code-unit order, whole numbers first as in any object: equal values
 * become alike.
 */
export function canonicalCopy(value: unknown): Json {
  return copy(value, 0, [], true)
}

/**
 * The JSON text of the {@link canonicalCopy} of `value`, without white space: equal values give equal text, different
 * ones different text. Throws {@link NotJsonError}.
 */
export function canonicalJson(value: unknown): string {
  // Sorting a copy for the engine's own writer is faster than writing here, and the text comes in one piece, as hashing
  // needs it.
  return JSON.stringify(canonicalCopy(value))
}

// `trail[i]` is the key or index that leads to depth i + 1, overwritten on the way: a path is put together only when a
// message needs it.
function copy(value: unknown, depth: number, trail: (string | number)[], sorted: boolean): Json {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value
    case 'number':
      if (!Number.isFinite(value)) throw notJson(String(value), depth, trail)
      return value === 0 ? 0 : value
    case 'object':
      break
    default:
      throw notJson(value === undefined ? 'undefined' : `a ${typeof value}`, depth, trail)
  }
  if (value === null) return null
  if (depth >= MAX_DEPTH) throw notJson(`nested deeper than ${MAX_DEPTH} levels, or a cycle`, depth, trail)
  if (Array.isArray(value)) {
    const items: Json[] = []
    for (let index = 0; index < value.length; index++) {
      trail[depth] = index
      items.push(copy(value[index], depth + 1, trail, sorted))
    }
    return items
  }
  if (!isPlainObject(value)) throw notJson(`a ${value.constructor?.name ?? 'non-plain'} object`, depth, trail)
  const result: Record<string, Json> = {}
  const keys = Object.keys(value)
  if (sorted) keys.sort()
  for (const key of keys) {
    const property = value[key]
    if (property === undefined) continue
    trail[depth] = key
    setOwn(result, key, copy(property, depth + 1, trail, sorted))
  }
  return result
}

function notJson(found: string, depth: number, trail: readonly (string | number)[]): NotJsonError {
  const steps = trail.slice(0, depth).map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`))
  return new NotJsonError(`$${steps.join('')}`, found)
}

/** Sets an own property whatever its name is: plain assignment to `__proto__` would change the prototype instead. */
export function setOwn<T>(target: Record<string, T>, key: string, value: T): void {
  if (key === '__proto__') {
    Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true })
  } else {
    target[key] = value
  }
}

/**
 * Freezes plain objects and arrays all the way down, and returns its argument. Anything else inside is left as it is,
 * and what is frozen already is taken to be so all the way.
 */
export function freezeDeep<T>(value: T): T {
  if (typeof value === 'object' && value !== null) freezeObject(value)
  return value
}

// Most of what a value holds is text and numbers, for which a call each would cost more than the freezing does.
function freezeObject(value: object): void {
  if (Object.isFrozen(value)) return
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      const item: unknown = value[index]
      if (typeof item === 'object' && item !== null) freezeObject(item)
    }
  } else {
    if (!isPlainObject(value)) return
    // Inherited ones are looked at too; a plain object has none, unless somebody added to that of all objects.
    for (const key in value) {
      const property = value[key]
      if (typeof property === 'object' && property !== null) freezeObject(property)
    }
  }
  Object.freeze(value)
}
