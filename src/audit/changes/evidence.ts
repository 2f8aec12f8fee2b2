/**
 * What reported reads say about a difference: whether the cache went on past it. A request's read counts tokens from its
 * start, so a read that ends behind a segment proves that the segment was no obstacle.
 */
import { segmentsOf } from '../record/segments.ts'
import type { Turn } from '../record/types.ts'
import type { Verdict } from '../verdicts/types.ts'

/** What is known besides the requests. */
export interface Evidence {
  /**
   * Tokens that a turn was reported to have read, less those of what stands in front of its segment of that index;
   * undefined where no read was reported. Measured by the turn's own tokens unless given.
   */
  readonly readPast?: ((turn: Turn, segment: number) => number | undefined) | undefined
  /** By turn number. */
  readonly verdicts?: ReadonlyMap<number, Verdict> | undefined
}

/** Tokens by which a read has to end behind a segment: estimates are no finer. */
const MARGIN = 64

/** Whether reads went on past a segment of a turn; undefined where nothing tells. */
export function readsGoOn(turn: Turn, segment: number, { readPast = measured }: Evidence): boolean | undefined {
  const past = readPast(turn, segment)
  return past === undefined ? undefined : past > MARGIN
}

function measured(turn: Turn, segment: number): number | undefined {
  const { read, total } = turn.usage ?? {}
  if (read === undefined) return undefined
  const scale = total === undefined || turn.tokens === 0 ? 1 : total / turn.tokens
  const before = segmentsOf(turn)
    .slice(0, segment + 1)
    .reduce((sum, { block }) => sum + block.tokens, 0)
  return read - before * scale
}
