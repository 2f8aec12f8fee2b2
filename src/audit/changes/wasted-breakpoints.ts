/**
 * Breakpoints on a block that is another in nearly every turn: what they write is never read. The value that changes is
 * the culprit and takes the cost; that the breakpoint should stand in front of it is a note beside it.
 */
import type { Finding } from './finding.ts'
import type { Found } from './group.ts'
import type { Named } from './name-group.ts'
import { steadyPath } from './paths.ts'

/** UTF-16 units up to which a block is taken to be there for its values; a longer one is a prompt that holds some. */
const LONGEST = 120
/** The share of turns in which it changes, and how many these have to be. */
const NEARLY_EVERY = 0.8
const LEAST = 3

/** Groups for such breakpoints, by stream and block; `turns` says in how many turns of a stream one could have read. */
export function wastedBreakpoints(groups: readonly Named[], turns: (stream: string) => number): Named[] {
  const places = new Map<string, Map<Finding['turn'], Found>>()
  for (const found of groups.flatMap((group) => group.found)) {
    const { finding, stream, isBetween } = found
    const { form, isMarked, isTail } = finding
    if (!isMarked || isTail || isBetween || form.type !== 'span' || form.blockLength > LONGEST) continue
    const key = JSON.stringify([stream, steadyPath(finding.path)])
    const place = places.get(key) ?? new Map<Finding['turn'], Found>()
    places.set(key, place)
    place.set(finding.turn, { ...found, finding: asWasted(finding) })
  }
  return [...places.values()].flatMap((place): Named[] => {
    const found = [...place.values()].sort((one, other) => one.finding.turn.number - other.finding.turn.number)
    const [first] = found
    if (first === undefined || found.length < LEAST || found.length < NEARLY_EVERY * turns(first.stream)) return []
    return [{ kind: 'breakpoint-wasted', confidence: 0.7, counts: false, found }]
  })
}

function asWasted(finding: Finding): Finding {
  const { path } = finding
  const form = { type: 'act', kind: 'breakpoint-wasted', key: path, confidence: 0.7, counting: 'never' } as const
  return { ...finding, form, before: null, after: null, blames: [] }
}
