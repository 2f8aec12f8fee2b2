/** The provider of the examples: the emulator, which refuses and bills as the real one does. */
import { startEmulator } from 'indelible/emulator'
import type { Sent } from './check.ts'
import { answerTo, interrupted } from './model.ts'
import { careless, isCareless } from './careless.ts'
import { world } from './world.ts'

export interface Provider {
  /** As `http://127.0.0.1:4010`. */
  readonly url: string
  /** What arrived, oldest first. */
  requests(): readonly Sent[]
  close(): Promise<void>
}

/** Starts the strict emulator on a free port. */
export async function startProvider(): Promise<Provider> {
  // The SDKs have it from here.
  if (isCareless) globalThis.fetch = careless(globalThis.fetch)
  return await startEmulator({
    strict: true,
    clock: () => world.now(),
    respond: ({ number, body }) => answerTo(number, body),
    // Slow enough to be interrupted.
    latency: ({ number }) => (number === interrupted ? { event: 20 } : 0),
  })
}
