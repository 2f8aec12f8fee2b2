/** What a session is told to do at its next boundary, whoever keeps the history. */
import { MessageInvalidError } from './errors.ts'
import type { EventLog } from './log.ts'
import type { Refusal } from './types.ts'

/** Records that the session runs elsewhere now. Before the first epoch nothing has been told from the old place. */
export async function recordMove<M>(log: EventLog<M>): Promise<void> {
  await log.catchUp()
  await log.append(() => (log.fold.epoch === null || log.fold.moved ? null : { type: 'move' }))
}

/** Records that a model refused a feature. One that is known already changes nothing. */
export async function recordRefusal<M>(log: EventLog<M>, refusal: Refusal, mode: 'session' | 'host'): Promise<void> {
  const { model, platform, feature } = refusal
  if (typeof model !== 'string' || model === '' || (feature !== 'native-updates' && feature !== 'native-tools')) {
    throw new MessageInvalidError("A refusal must name a model and a feature, 'native-updates' or 'native-tools'.")
  }
  const recorded: Refusal = { model, ...(platform !== undefined && { platform }), feature }
  await log.catchUp()
  await log.append(() => {
    const known = [...(log.fold.epoch?.refusals ?? []), ...log.fold.refusals]
    return known.some((other) => sameRefusal(other, recorded)) ? null : { type: 'refusal', refusal: recorded, mode }
  })
}

function sameRefusal(a: Refusal, b: Refusal): boolean {
  return a.model === b.model && a.platform === b.platform && a.feature === b.feature
}
