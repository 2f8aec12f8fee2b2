/** Ids of calls that a client minted anew: what answers a call names it by the id that the call has. */
import { isSent, type Foundry, type Slot } from './slots.ts'

/** Shorter ones could stand anywhere by chance. */
const SHORTEST_ID = 6

/**
 * Puts the first form of ids into those of the `appended` slots that have a later one. Only what a substitution of call
 * ids stands for is renamed; texts are left alone.
 */
export function renameCalls(
  slots: (Slot | null)[],
  appended: readonly number[],
  isOfCalls: (culprit: string) => boolean,
  foundry: Foundry,
): void {
  if (appended.length === 0) return
  const names = namesIn(slots, isOfCalls)
  if (names.size === 0) return
  for (const at of appended) {
    const slot = slots[at]
    if (slot === undefined || slot === null || slot.block.type === 'text') continue
    const { text } = slot.block
    if (text === null) continue
    const renamed = [...names].reduce((result, [now, first]) => result.replaceAll(now, () => first), text)
    if (renamed !== text) slots[at] = { ...slot, block: foundry.block(slot.block, renamed) }
  }
}

/** First forms by the ids as they are sent now. */
function namesIn(
  slots: readonly (Slot | null)[],
  isOfCalls: (culprit: string) => boolean,
): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  for (const slot of slots) {
    if (slot === null || isSent(slot)) continue
    const sent = slot.place.raw.blocks[slot.index]?.text ?? null
    for (const { start, end, original, culprit } of slot.substitutions) {
      if (sent === null || original === null || !isOfCalls(culprit)) continue
      const now = sent.slice(start, end)
      if (now.length >= SHORTEST_ID && original.length >= SHORTEST_ID) names.set(now, original)
    }
  }
  return names
}
