/**
 * The order of a frozen request: that of the request as it was sent, in which what is held stands where the frozen
 * request before has it. What was taken out stays behind the segment that it stood behind, unless all that was next to it
 * is gone as well, as after a compaction.
 */
import type { Slot } from './slots.ts'

/** A slot, and which segment of its turn it stands for: -1 for what only the frozen request has. */
export interface Standing {
  readonly slot: Slot
  readonly origin: number
}

/** What becomes of the slots of the frozen request before. */
export interface Arrangement {
  /** In their order. */
  readonly before: readonly Standing[]
  /** Per segment of the turn: its slot, or null where the frozen request has none of it. */
  readonly slots: readonly (Slot | null)[]
  /** Per slot of `before`: the segment of the turn that it has become, -1 where it has become none. */
  readonly became: readonly number[]
  /** Per slot of `before`: it stays where it is although the turn has none of it, or has it elsewhere as well. */
  readonly stays: readonly boolean[]
  /** Segments that are put into the request by themselves. */
  readonly apart: ReadonlySet<number>
}

/** The slots of the frozen request. */
export function arrange({ before, slots, became, stays, apart }: Arrangement): readonly Standing[] {
  const isLoose = (to: number): boolean => slots[to]?.held === false && !apart.has(to)
  const isOrdered = before.every((_, at) => stays[at] !== true && ((became[at] ?? -1) < 0 || isLoose(became[at] ?? -1)))
  const followers = isOrdered ? new Map<number, Standing[]>() : followersOf({ before, slots, became, stays, apart })
  const result: Standing[] = [...(followers.get(-1) ?? [])]
  for (let to = 0; to < slots.length; to++) {
    const slot = slots[to] ?? null
    if (slot === null || !isLoose(to)) continue
    result.push({ slot, origin: to })
    const behind = followers.get(to)
    if (behind !== undefined) result.push(...behind)
  }
  return result
}

/** What stands behind each segment that keeps the order of the turn; behind -1, in front of all. */
function followersOf({ before, slots, became, stays, apart }: Arrangement): Map<number, Standing[]> {
  const followers = new Map<number, Standing[]>()
  const survives = survivors(before, became, stays)
  let anchor = -1
  const put = (standing: Standing): void => {
    const behind = followers.get(anchor)
    if (behind === undefined) followers.set(anchor, [standing])
    else behind.push(standing)
  }
  for (let at = 0; at < before.length; at++) {
    const to = became[at] ?? -1
    const { slot, origin } = before[at] as Standing
    if (stays[at] === true && (origin >= 0 || survives[at] === true)) put({ slot, origin: -1 })
    const next = to < 0 ? null : (slots[to] ?? null)
    if (next === null || apart.has(to)) continue
    if (next.held) put({ slot: next, origin: to })
    else anchor = to
  }
  return followers
}

/** Per slot: whether a segment next to it, in its section, is still sent; or there never was one. */
function survivors(
  before: readonly Standing[],
  became: readonly number[],
  stays: readonly boolean[],
): readonly boolean[] {
  const alive = new Array<boolean>(before.length).fill(false)
  const sides = [before.keys(), [...before.keys()].reverse()]
  const neighbours = new Uint8Array(before.length)
  for (const side of sides) {
    let section = ''
    let isAlive: boolean | undefined
    for (const at of side) {
      const { slot, origin } = before[at] as Standing
      if (slot.block.section !== section) isAlive = undefined
      section = slot.block.section
      if (origin >= 0) isAlive = (became[at] ?? -1) >= 0 || stays[at] === true
      if (isAlive === undefined) continue
      neighbours[at] = 1
      if (isAlive) alive[at] = true
    }
  }
  return alive.map((isAlive, at) => isAlive || neighbours[at] === 0)
}
