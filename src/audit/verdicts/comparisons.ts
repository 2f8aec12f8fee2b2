/**
 * Turns held against their parents. A difference is shown with the text around it, and a compaction is known by its words,
 * so both are looked at while the texts are kept: when the turn has just been linked. What is asked for later, with other
 * elements or for a turn that was not added, is found with the texts that are left.
 */
import type { Divergence } from '../explain/first-difference.ts'
import type { Place, Turn } from '../record/types.ts'
import type { LinkedTurn } from '../streams/types.ts'
import { commonPrefix, divergenceOf, type Common } from './common-prefix.ts'
import { compactionEvidence } from './compaction.ts'

/** A turn against its parent. */
export interface Comparison {
  readonly parent: Turn
  readonly common: Common
  /** Null where the turn begins with all of the parent. */
  readonly divergence: Divergence | null
  /** What shows that the conversation was compacted. */
  readonly compaction: string | null
}

/** The comparisons of a log. */
export class Comparisons {
  /** By turn number; only of turns that do not begin with all of their parent. */
  readonly #known = new Map<number, Comparison>()

  /** Compares a turn that was linked just now. */
  add({ turn, parent }: LinkedTurn): void {
    if (parent === null || !isComparable(turn, parent)) return
    const comparison = compare(turn, parent, turn.places, parent.places)
    if (comparison.divergence !== null) this.#known.set(turn.number, comparison)
  }

  /** Compares by the elements that count; null where one of the two has no body. */
  of(turn: Turn, parent: Turn, places: readonly Place[], earlier: readonly Place[]): Comparison | null {
    if (!isComparable(turn, parent)) return null
    const known = this.#known.get(turn.number)
    const isSame = known?.parent === parent && places === turn.places && earlier === parent.places
    return isSame ? known : compare(turn, parent, places, earlier)
  }
}

/** Parts of a body say nothing about the whole. */
function isComparable(turn: Turn, parent: Turn): boolean {
  return turn.format !== null && parent.format !== null && turn.exchange.fidelity.level !== 'usage'
}

function compare(turn: Turn, parent: Turn, places: readonly Place[], earlier: readonly Place[]): Comparison {
  const common = commonPrefix(places, earlier)
  const divergence = divergenceOf(places, earlier, common)
  const compaction = divergence === null ? null : compactionEvidence(turn, parent, common)
  return { parent, common, divergence: divergence && detached(divergence), compaction }
}

/** A part of a text keeps all of it in memory in some engines; a copy does not. */
function detached(divergence: Divergence): Divergence {
  return JSON.parse(JSON.stringify(divergence)) as Divergence
}
