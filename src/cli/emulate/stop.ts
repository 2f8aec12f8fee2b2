/** Being told to stop, by Ctrl-C or by a supervisor. */

const signals = ['SIGINT', 'SIGTERM'] as const

/** Resolves at the first signal. The second is not caught: it ends the process as it would any other. */
export function untilStopped(): Promise<void> {
  return new Promise((resolve) => {
    const stop = (): void => {
      for (const signal of signals) process.off(signal, stop)
      resolve()
    }
    for (const signal of signals) process.on(signal, stop)
  })
}
