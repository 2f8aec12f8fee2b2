/** Reading fields of reports whose shape nobody promised: what is not there, or is not what it should be, is `undefined`. */

/** An object of unknown fields. */
export type Fields = Readonly<Record<string, unknown>>

/** `value` when it is an object and no array. */
export function fields(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined
}

/** The object at `path` below `value`; a number is an index. */
export function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  let inner = value
  for (const step of path) {
    if (typeof step === 'number') inner = Array.isArray(inner) ? inner[step] : undefined
    else {
      const object = fields(inner)
      inner = object !== undefined && Object.hasOwn(object, step) ? object[step] : undefined
    }
    if (inner === undefined) return undefined
  }
  return inner
}

/**
 * A count of tokens: not negative, and small enough to be added to others. Exporters write 64-bit integers as text, so
 * digits count as well.
 */
export function count(value: unknown): number | undefined {
  if (typeof value === 'number') return value >= 0 && value <= Number.MAX_SAFE_INTEGER ? value : undefined
  return typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : undefined
}

/** The first of the fields that holds a count. */
export function firstCount(...values: readonly unknown[]): number | undefined {
  for (const value of values) {
    const found = count(value)
    if (found !== undefined) return found
  }
  return undefined
}

/** The sum of what is there; `undefined` when nothing is. */
export function sum(...values: readonly (number | undefined)[]): number | undefined {
  let total: number | undefined
  for (const value of values) if (value !== undefined) total = (total ?? 0) + value
  return total
}

/** `value` when it is text. */
export function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
