/**
 * Who answers the demo: the strict emulator on loopback, which follows the clock of the demo's world. It says what the
 * script says, and bills by its simulator. Each way has a key of its own, and so a cache of its own.
 */
import type { CountTokens } from '../../cache/index.ts'
import { startEmulator, type Answer } from '../../emulator/index.ts'
import { CommandError } from '../errors.ts'
import { toBill, type Bill } from './bill.ts'
import { loadClient } from './client.ts'
import type { WayName, WayRequest } from './ways.ts'

export interface Provider {
  /** What the requests are sent with. */
  readonly client: string
  /** Sends a request, which is answered with `answer`. Rejects with {@link CommandError} when it is refused. */
  bill(way: WayName, request: WayRequest, answer: Answer): Promise<Bill>
  close(): Promise<void>
}

export async function startProvider(clock: () => Date, countTokens: CountTokens): Promise<Provider> {
  const connect = await loadClient()
  let next: Answer = {}
  // Nobody looks at what was sent once it is answered.
  const emulator = await startEmulator({ strict: true, clock, countTokens, respond: () => next, maxJournalBytes: 0 })
  const client = connect(emulator.url)
  return {
    client: client.name,
    async bill(way, { body, headers }, answer) {
      next = answer
      const response = await client.send(body, { key: `demo-${way}`, headers }).catch((cause: unknown) => {
        throw new CommandError(`A request of the way "${way}" was refused: ${(cause as Error).message}`, {
          cause,
        })
      })
      return toBill(response, body.model, clock())
    },
    close: () => emulator.close(),
  }
}
