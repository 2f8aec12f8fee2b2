/**
 * Waiting for several results, each with a time limit of its own, under one timer.
 *
 * A timer per result would cost more than everything else that a boundary does, so one is armed for the nearest limit
 * and armed again for the next. A result that comes after its limit, or a second one, is ignored.
 */

/** One awaited result: exactly one of the methods is called, once. None of them may throw. */
export interface Wait {
  readonly result: PromiseLike<unknown>
  /** Milliseconds, counted from the call of {@link settleAll}. */
  readonly timeoutMs: number
  resolved(value: unknown): void
  rejected(error: unknown): void
  expired?(): void
}

/** True for what must be waited for. */
export function isThenable<T>(value: T | PromiseLike<T>): value is PromiseLike<T> {
  return typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function'
}

/** Resolves when each of `waits` has its result or is over its limit. */
export function settleAll(waits: readonly Wait[]): Promise<void> {
  return new Promise((resolve) => {
    const open = new Set(waits)
    let timer: ReturnType<typeof setTimeout> | undefined

    const close = (wait: Wait, report: () => void): void => {
      if (!open.delete(wait)) return
      report()
      if (open.size > 0) return
      clearTimeout(timer)
      resolve()
    }
    const arm = (elapsedMs: number): void => {
      const nearestMs = Math.min(...[...open].map(({ timeoutMs }) => timeoutMs))
      timer = setTimeout(() => {
        for (const wait of open) if (wait.timeoutMs <= nearestMs) close(wait, () => wait.expired?.())
        if (open.size > 0) arm(nearestMs)
      }, nearestMs - elapsedMs)
    }

    for (const wait of waits) {
      // A thenable that is no promise may throw, or answer at once; adopted, it does neither.
      Promise.resolve(wait.result).then(
        (value) => close(wait, () => wait.resolved(value)),
        (error: unknown) => close(wait, () => wait.rejected(error)),
      )
    }
    arm(0)
  })
}
