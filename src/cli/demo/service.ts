/**
 * Who answers the demo: says what the script says, refuses what the provider would, and bills by the simulator of its
 * cache. Each way has an account of its own, and so a cache of its own.
 */
import type { CountTokens } from '../../cache/index.ts'
import { startEmulator, type Answer } from '../../emulator/index.ts'
import { CommandError } from '../errors.ts'
import type { Connect } from './client.ts'
import type { LoweredRequest, WayName } from './ways.ts'

export interface Service {
  /** What the requests are sent with; null where they are not sent. */
  readonly client: string | null
  /** Has a request answered with `answer`. Rejects with {@link CommandError} when it is refused. */
  exchange(way: WayName, request: LoweredRequest, answer: Answer): Promise<Exchange>
  close(): Promise<void>
}

export interface Exchange {
  /** The body as it arrived, which is not always the one that the SDK was given. */
  readonly body: object
  readonly response: unknown
}

/** A service over HTTP: the strict emulator on loopback, which follows the clock of the demo's world. */
export async function startHttpService(
  connect: Connect,
  clock: () => Date,
  countTokens: CountTokens,
): Promise<Service> {
  let next: Answer = {}
  let arrived: object = {}
  const emulator = await startEmulator({
    strict: true,
    clock,
    countTokens,
    respond({ body }) {
      arrived = body
      return next
    },
    // What is kept of requests is kept by the demo.
    maxJournalBytes: 0,
  })
  const client = connect(emulator.url)
  return {
    client: client.name,
    async exchange(way, { body, headers }, answer) {
      next = answer
      const response = await client.send(body, { key: `demo-${way}`, headers }).catch((cause: unknown) => {
        throw refused(way, (cause as Error).message, cause)
      })
      return { body: arrived, response }
    },
    close: () => emulator.close(),
  }
}

/** The error for a request that the provider would not have answered. */
export function refused(way: WayName, why: string, cause?: unknown): CommandError {
  return new CommandError(`A request of the way "${way}" was refused: ${why}`, { cause })
}
