/** What one request meets in a cache, and what came of it, in nodes; the simulator turns it into paths and tokens. */
import type { Lifetime } from '../layout/types.ts'
import type { CountTokens } from '../tokens/count-tokens.ts'
import type { Positions } from './positions.ts'
import type { Place } from './rules.ts'
import type { RequestScope } from './scope.ts'
import type { Instant } from './time.ts'
import type { Entry, Node } from './tree.ts'
import type { Miss } from './types.ts'
import type { Walk } from './walk.ts'
import type { OwnWriter } from './writer.ts'

/** One request and where it stands. */
export interface Play {
  readonly walk: Walk
  readonly scope: RequestScope
  readonly positions: Positions
  readonly now: Instant | null
  readonly writer: OwnWriter
  readonly number: number
  readonly countTokens: CountTokens
  /** Where a new entry is put; takes the place of the one that stood there. */
  readonly store: (entry: Entry) => void
}

/** Why the segments up to `to` were not read, from the end of the run before. */
export type Run = Omit<Miss, 'from' | 'to' | 'tokens'> & { readonly to: Node }

/** What came of it. */
export interface Outcome {
  readonly read: number
  readonly range: { readonly least: number; readonly most: number }
  /** What was read ends here; the root when nothing was. */
  readonly readThrough: Node
  readonly hit: { readonly node: Node; readonly breakpoint: Node; readonly writtenBy: number } | null
  readonly written: readonly Place[]
  /** Charged writes, by lifetime. */
  readonly charged: Readonly<Record<Lifetime, number>>
  /** From `readThrough` to the end. */
  readonly runs: readonly Run[]
  /** The request as one entry, for caches in which any start of it can be found. */
  readonly whole: Entry | null
  /** Entries that were put into the cache. */
  readonly stored: readonly Entry[]
  /** Entries that were not written because the prefix is taken to be too short: a report may know better. */
  readonly short: readonly Entry[]
}

/** What follows the last place that an earlier request came to. */
export function afterCommon({ walk, number }: Play, isFirst: boolean): readonly Run[] {
  const { common, end, root } = walk
  if (end === common) return []
  if (common === root) return [{ reason: isFirst ? 'first' : 'rewritten', to: end }]
  // The last request that came through here either ended here, or went on to something else.
  const wentOn = common.passedBy !== common.endedBy
  return [{ reason: wentOn && common.passedBy !== number ? 'rewritten' : 'appended', to: end }]
}

/**
 * Where the common start ends when the answer of an earlier request is cached with it. It is certain where the answer's
 * tokens were reported and what is sent back comes near to them: what was thought before an answer is seldom sent back,
 * and then the prompt goes on differently.
 */
export function throughAnswer({ walk, positions }: Play): { readonly certain: Node; readonly possible: Node } {
  const { common, end } = walk
  const { output, known } = common
  let possible = common
  if (common.endedBy > 0)
    for (const node of between(common, end)) {
      if (node.kind.role !== 'assistant' && node.kind.role !== 'model') break
      possible = node
    }
  if (possible === common || output === undefined) return { certain: common, possible }
  if ((possible.sum - common.sum) * positions.ratio < output * WHOLE_ANSWER) return { certain: common, possible }
  if (known !== undefined && possible.known === undefined) {
    positions.place(possible, known + output)
  }
  return { certain: possible, possible }
}

/** The share of an answer's reported tokens from which what is sent back is taken to be all of it. */
const WHOLE_ANSWER = 0.6

/** The nodes behind `from`, through `to`, in order. */
function between(from: Node, to: Node): readonly Node[] {
  const nodes: Node[] = []
  for (let node = to; node !== from && node.parent !== null; node = node.parent) nodes.push(node)
  return nodes.reverse()
}
