/**
 * Header blocks: a client puts a block in front of the system prompt that differs on every call, and the provider that
 * it is made for leaves it out of the cache. Whether one does is read off its reports: a block that was never sent before
 * ends every prefix, so a read that goes on behind it shows that it does not count.
 *
 * Where it does not count, all calls of a scope are played and compared with the same block there, so that the
 * conversation behind it is what matters. Without reports nothing is assumed, and then it is a change like any other.
 */
import type { PreparedPlace } from '../../cache/layout/prepared.ts'
import type { Block, Place, Turn } from '../record/types.ts'
import type { LinkedTurn } from '../streams/types.ts'
import { readOf } from './reported.ts'
import type { Scopes } from './scopes.ts'

/** Scopes in which the header block does not count, each with the block that stands for all of them. */
export class HeaderBlocks {
  readonly #scopes: Scopes
  readonly #standIns = new Map<string, Place>()

  constructor(linked: readonly LinkedTurn[], scopes: Scopes) {
    this.#scopes = scopes
    const seen = new Set<Block>()
    const votes = new Map<string, number>()
    for (const { turn, parent } of linked) {
      const header = headerOf(turn)
      const block = header?.raw.blocks[0]
      if (header === undefined || block === undefined) continue
      const isNew = !seen.has(block)
      seen.add(block)
      if (!isNew || parent === null || turn.failed || !isHeader(turn, parent)) continue
      const vote = voteOf(turn, header)
      const key = scopes.keyOf(turn)
      votes.set(key, (votes.get(key) ?? 0) + vote)
      if (vote > 0 && !this.#standIns.has(key)) this.#standIns.set(key, header)
    }
    for (const [key, sum] of votes) if (sum <= 0) this.#standIns.delete(key)
  }

  /** The places of a turn with the one that stands for its header; the same list where nothing is replaced. */
  standIn<Placed extends PreparedPlace>(turn: Turn, places: readonly Placed[]): readonly (Placed | Place)[] {
    if (this.#standIns.size === 0) return places
    const standIn = this.#standIns.get(this.#scopes.keyOf(turn))
    if (standIn === undefined) return places
    const at = places.findIndex(isFirstOfSystem)
    if (at < 0 || places[at]?.raw === standIn.raw || places[at + 1]?.section !== 'system') return places
    const replaced: (Placed | Place)[] = [...places]
    replaced[at] = standIn
    return replaced
  }
}

function isFirstOfSystem({ section, list, index }: PreparedPlace): boolean {
  return section === 'system' && list === 'system' && index === 0
}

function headerOf({ places }: Turn): Place | undefined {
  return places.find(isFirstOfSystem)
}

/** Only the block in front differs: what stands before and behind it is that of the parent. */
function isHeader(turn: Turn, parent: Turn): boolean {
  const at = turn.places.findIndex(isFirstOfSystem)
  const [before, own] = [parent.places[at], turn.places[at]]
  if (own === undefined || before?.section !== 'system' || before.raw.blocks[0] === own.raw.blocks[0]) return false
  const [next, nextBefore] = [turn.places[at + 1], parent.places[at + 1]]
  return next?.section === 'system' && next.raw.blocks[0] === nextBefore?.raw.blocks[0]
}

/** 1 where what was read goes on behind the header by at least half of the block there, -1 where it does not, 0 where nobody knows. */
function voteOf(turn: Turn, header: Place): number {
  const read = readOf(turn)
  const total = turn.usage?.total
  if (read === undefined || total === undefined || turn.tokens === 0) return 0
  const at = turn.places.indexOf(header)
  const through = turn.places.slice(0, at + 1).reduce((sum, { raw }) => sum + raw.tokens, 0)
  const behind = turn.places[at + 1]?.raw.tokens ?? 0
  return (read * turn.tokens) / total > through + behind / 2 ? 1 : -1
}
