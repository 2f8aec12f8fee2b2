/** What came of a request, in paths and whole tokens. */
import type { Outcome, Play, Run } from './play.ts'
import type { Node } from './tree.ts'
import type { CachePlace, Miss, PredictedUsage, Prediction } from './types.ts'
import { nodeAt, pathOf } from './walk.ts'

/** An agreement with requests that nothing can be read from, since they differ in what nothing is shared without. */
export interface Elsewhere {
  /** In segments. */
  readonly depth: number
  /** In which. */
  readonly parameters: readonly string[]
  /** The last request that came that far ended there. */
  readonly ended: boolean
}

/** What the outcome does not hold. */
export interface Surroundings {
  readonly provider: string
  readonly minimum: number
  readonly elsewhere: Elsewhere | null
}

/** Puts a prediction together. */
export function describe(play: Play, outcome: Outcome, { provider, minimum, elsewhere }: Surroundings): Prediction {
  const { walk, positions, number } = play
  const { hit, read, readThrough } = outcome
  const place = (node: Node): CachePlace => ({
    path: pathOf(walk, node),
    section: node.kind.section,
    tokens: positions.at(node),
  })
  const total = Math.max(read, positions.total(walk.end))
  return {
    request: number,
    provider,
    model: walk.request.model,
    usage: usageOf(outcome, total),
    range: { least: outcome.range.least, most: Math.min(outcome.range.most, total) },
    hit: hit && { ...place(hit.node), breakpoint: pathOf(walk, hit.breakpoint), writtenBy: hit.writtenBy },
    written: outcome.written.map(({ node, ttl, breakpoint }) => ({ ...place(node), ttl, breakpoint })),
    misses: missesOf(play, outcome, runsOf(play, outcome.runs, elsewhere)),
    common: { segments: walk.common.depth, tokens: positions.at(walk.common) },
    segments: walk.end.depth,
    minimum,
    estimated: readThrough.depth === 0 || !readThrough.exact,
  }
}

function usageOf({ read, charged }: Outcome, total: number): PredictedUsage {
  const { '5m': write5m, '30m': write30m, '1h': write1h } = charged
  const uncached = Math.max(0, total - read - write5m - write30m - write1h)
  return { total: read + write5m + write30m + write1h + uncached, read, write5m, write30m, write1h, uncached }
}

/** Where nothing agrees in this tree but something in another, it is the parameters that changed. */
function runsOf({ walk }: Play, runs: readonly Run[], elsewhere: Elsewhere | null): readonly Run[] {
  if (elsewhere === null) return runs
  const to = nodeAt(walk, elsewhere.depth)
  const changed: Run = { reason: 'scope-changed', parameters: elsewhere.parameters, to }
  return to === walk.end ? [changed] : [changed, { reason: elsewhere.ended ? 'appended' : 'rewritten', to: walk.end }]
}

function missesOf({ walk, positions }: Play, { read, readThrough }: Outcome, runs: readonly Run[]): readonly Miss[] {
  const misses: Miss[] = []
  let from = readThrough
  let tokens = read
  for (const { to, ...why } of runs) {
    const through = Math.max(tokens, positions.at(to))
    // A block that is not full ends inside what was read, so such a run may begin with the last segment of that.
    const first = from.depth < to.depth ? nodeAt(walk, from.depth + 1) : to
    if (through > tokens) {
      misses.push({ ...why, from: pathOf(walk, first), to: pathOf(walk, to), tokens: through - tokens })
    }
    from = to
    tokens = through
  }
  return misses
}
