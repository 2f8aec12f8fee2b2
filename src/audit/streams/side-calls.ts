/**
 * What a client asks beside its conversations (a title, a topic, a summary of one text): calls that begin and end with one
 * question, have no tools, and run in the session of a conversation that is led otherwise. Each of them would be a stream
 * of one turn. Those of one session and one header are shown as one stream, in which no turn has a parent.
 *
 * A session that holds nothing else is a batch, and its calls stay apart: what differs between them is of interest.
 */
import type { Candidate } from './candidate.ts'
import { sameHeader } from './header.ts'
import type { Path } from './partition.ts'

/** The same paths, side calls of a kind joined at the place of the first. */
export function joinSideCalls(paths: readonly Path[]): Path[] {
  const led = new Map<string, Candidate>()
  for (const { turns } of paths) {
    const session = turns[0]?.linked.turn.exchange.ids.session
    const answered = turns.find((turn) => turn.answered)
    if (session !== undefined && answered !== undefined && !led.has(session)) led.set(session, answered)
  }
  const kinds = new Map<string, Path[]>()
  return paths.flatMap((path) => {
    const [first] = path.turns
    const { session, agent, isSubagent } = first?.linked.turn.exchange.ids ?? {}
    if (first === undefined || session === undefined || !isSideCall(path, led.get(session))) return path
    const key = JSON.stringify([session, agent, isSubagent])
    const known = kinds.get(key) ?? []
    const same = known.find(({ turns: [other] }) => other !== undefined && sameHeader(other.header, first.header))
    if (same !== undefined) {
      same.turns.push(...path.turns)
      return []
    }
    kinds.set(key, [...known, path])
    return path
  })
}

function isSideCall({ turns, fork }: Path, led: Candidate | undefined): boolean {
  const [first] = turns
  if (first === undefined || led === undefined || fork !== null) return false
  const { header } = first
  if (!header.shows.tools || header.tools.length > 0 || sameHeader(led.header, header)) return false
  return turns.every((turn) => !turn.answered && turn.original === first && turn.heirs.length === 0)
}
