/** Small values that nearly every call repeats, each kept once. */

/** Values by their JSON. */
export class SameValues {
  readonly #known = new Map<string, unknown>()

  /** An equal value that was given before, or `value` itself. */
  of<T>(value: T): T {
    if (value === undefined) return value
    const key = JSON.stringify(value)
    const known = this.#known.get(key)
    if (known !== undefined) return known as T
    if (this.#known.size < MOST) this.#known.set(key, value)
    return value
  }
}

const MOST = 10_000
