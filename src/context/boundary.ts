/**
 * A boundary over a context: read the sources once, then make of it what the snapshot asks for.
 *
 * Whole, for those who keep a snapshot themselves; the halves that it consists of, re-exported here, are what the
 * session layer builds its own boundary from, because it reconciles one observation again after it lost a race.
 */
import { completeObservation, observe } from './observe.ts'
import { reconcileObservation } from './reconcile.ts'
import { replaceFrom, startFrom } from './start.ts'
import type { BoundaryOptions, Context, EpochStart, Reconciliation, Snapshot } from './types.ts'

export { completeObservation, observe } from './observe.ts'
export type { Observation } from './observe.ts'
export { reconcileObservation } from './reconcile.ts'
export type { Incompatible, ObservedChange } from './reconcile.ts'
export { replaceFrom, startFrom } from './start.ts'

/**
 * Reads a context for the first time and renders its baseline. Throws `InitializationBlockedError` when a required
 * source cannot be read, and `RendererError`.
 *
 * ```ts
 * import { defineSource, initialize, InitializationBlockedError, unavailable } from 'indelible'
 * import { z } from 'zod'
 *
 * const tickets = defineSource({
 *   key: 'example/tickets',
 *   codec: z.number(),
 *   load: () => unavailable,
 *   baseline: (current) => `${current} tickets are open.`,
 *   update: (_, current) => `${current} tickets are open now.`,
 * })
 *
 * try {
 *   await initialize(tickets)
 * } catch (error) {
 *   if (error instanceof InitializationBlockedError) console.log(error.keys) // => [ 'example/tickets' ]
 * }
 * ```
 */
export async function initialize<H>(context: Context<H>, options?: BoundaryOptions<H>): Promise<EpochStart> {
  const { baseline, snapshot } = startFrom(await observe(context, { ...options, epoch: true }))
  return { baseline, snapshot }
}

/**
 * Reads a context and says what has changed since `snapshot`. Throws `RendererError`.
 *
 * ```ts
 * import { absent, defineSource, initialize, reconcile, unavailable } from 'indelible'
 * import { z } from 'zod'
 *
 * let observed: string | typeof absent | typeof unavailable = 'Be brief.'
 * const rules = defineSource({
 *   key: 'example/rules',
 *   codec: z.string(),
 *   load: () => observed,
 *   baseline: (current) => `The rules:\n${current}`,
 *   update: (_, current) => `The rules are now:\n${current}`,
 *   removed: () => 'There are no rules any more.',
 * })
 * const { snapshot } = await initialize(rules)
 *
 * observed = unavailable
 * const stale = await reconcile(rules, snapshot)
 * console.log(stale.type, stale.type === 'unchanged' && stale.stale[0]?.told) // => unchanged Be brief.
 *
 * observed = absent
 * const gone = await reconcile(rules, snapshot)
 * console.log(gone.type === 'updated' && gone.text) // => There are no rules any more.
 * ```
 */
export async function reconcile<H>(
  context: Context<H>,
  snapshot: Snapshot,
  options?: BoundaryOptions<H>,
): Promise<Reconciliation> {
  const observation = await observe(context, { ...options, snapshot })
  const change = reconcileObservation(observation, snapshot)
  if (change.type !== 'incompatible') return change
  return replaceFrom(await completeObservation(observation), snapshot, undefined, change.reason)
}

/**
 * Reads a context and renders it anew, from what `snapshot` holds where a source cannot be read: a replacement, ready
 * or blocked. Throws `RendererError`.
 */
export async function replace<H>(
  context: Context<H>,
  snapshot: Snapshot,
  options?: BoundaryOptions<H>,
): Promise<Reconciliation> {
  return replaceFrom(await observe(context, { ...options, snapshot, epoch: true }), snapshot)
}
