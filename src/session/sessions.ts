/** The way in: one `createSessions` per agent, one session per conversation. */
import { SessionEnvironment } from './environment.ts'
import { AttachedSession } from './host-session.ts'
import { checkId } from './ids.ts'
import type { PlainMessage } from './plain-format.ts'
import { KeptSession } from './session.ts'
import type { HostSession, Session, Sessions, SessionsOptions, SessionSummary } from './types.ts'

/**
 * Sessions over one store, with one context and one message type. Holds no session itself: each object that `open` or
 * `attach` returns keeps its own folded state, and any number of objects and processes may work on one session at once.
 *
 * @example
 * ```ts
 * import { createSessions, defineSource, memoryStore } from 'indelible'
 *
 * let branch = 'main'
 * const context = defineSource({
 *   key: 'example/branch',
 *   codec: { encode: (value: string) => value, decode: (json) => String(json) },
 *   load: () => branch,
 *   baseline: (current) => `The branch is ${current}.`,
 *   update: (_previous, current) => `The branch is now ${current}.`,
 * })
 * const session = createSessions({ store: memoryStore(), context, instructions: 'You review code.' }).open('review-1')
 * await session.submit({ role: 'user', content: 'Look at the diff.' })
 * const first = await session.turn()
 * await first.answer([{ role: 'assistant', content: 'Looks good.' }])
 *
 * branch = 'fix/login'
 * await session.submit({ role: 'user', content: 'And now?' })
 * const second = await session.turn()
 * console.log(second.system === first.system) // => true
 * console.log(second.update?.text) // => The branch is now fix/login.
 * ```
 */
export function createSessions<M = PlainMessage, H = unknown>(options: SessionsOptions<M, H>): Sessions<M, H> {
  const environment = new SessionEnvironment(options)
  const { store } = environment
  return {
    open(id: string): Session<M, H> {
      return new KeptSession(id, environment)
    },
    attach(id: string): HostSession<M, H> {
      return new AttachedSession(id, environment)
    },
    list(): AsyncIterable<SessionSummary> {
      return store.list()
    },
    async delete(id: string): Promise<void> {
      await store.delete(checkId('A session id', id))
    },
    async close(): Promise<void> {
      await store.close()
    },
  }
}
