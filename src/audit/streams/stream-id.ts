/**
 * Names of streams: from where the first turn stands in the logs and what it says, so that other conversations beside it,
 * or logs read in another order, change nothing.
 */
import { digest } from '../../base/digest.ts'
import type { Turn } from '../record/types.ts'

const DIGITS = 12

/** Gives out names. Turns that nothing tells apart get numbered ones. */
export class StreamIds {
  readonly #given = new Map<string, number>()

  of({ exchange, places, answer }: Turn): string {
    const { source, ids, startedAt } = exchange
    const blocks = places.flatMap(({ raw }) => raw.blocks.map((block) => block.digest))
    const known = [source.file, source.line, ids.request ?? null, answer.id ?? null, startedAt ?? null, ...blocks]
    const id = shortDigest(JSON.stringify(known))
    const count = (this.#given.get(id) ?? 0) + 1
    this.#given.set(id, count)
    return count === 1 ? id : `${id}-${count}`
  }
}

/** The first 48 bits. */
export function shortDigest(text: string): string {
  return digest(text).slice(0, DIGITS)
}
