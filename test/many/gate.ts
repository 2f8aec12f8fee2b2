/** Where the lanes of a host wait before each operation while it rests. */
export class Gate {
  readonly #lanes: number
  readonly #onRest: () => void
  #waiting: (() => void)[] = []
  #isOpen = false

  /** Calls `onRest` whenever all of the lanes have come to wait. */
  constructor(lanes: number, onRest: () => void) {
    this.#lanes = lanes
    this.#onRest = onRest
  }

  /** Resolves at once while the gate is open, else when it opens. */
  async pass(): Promise<void> {
    while (!this.#isOpen) {
      const { promise, resolve } = Promise.withResolvers<void>()
      this.#waiting.push(resolve)
      if (this.#waiting.length === this.#lanes) this.#onRest()
      await promise
    }
  }

  open(): void {
    this.#isOpen = true
    const waiting = this.#waiting
    this.#waiting = []
    for (const resolve of waiting) resolve()
  }

  close(): void {
    this.#isOpen = false
  }
}
