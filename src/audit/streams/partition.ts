/**
 * Streams from links. Each turn has one parent at most, so the turns are trees; a stream is a path through one of them.
 *
 * Of several turns that go on from one, the first whose tools and instructions fit stays in the stream, and each other one
 * begins a fork. An equal prompt stays with the one that it repeats, and counts as that: what goes on from either goes on
 * from both. A failed turn stays with its parent and takes no one's place.
 */
import type { Candidate } from './candidate.ts'

/** A stream in the making. */
export interface Path {
  readonly turns: Candidate[]
  /** The turn that it forked off, and where that is. */
  readonly fork: { readonly path: Path; readonly from: Candidate } | null
}

/** The streams of turns, given in their order with every parent before its children. */
export function partition(
  turns: readonly Candidate[],
  isFitting: (child: Candidate, parent: Candidate) => boolean,
): Path[] {
  const heirs = findHeirs(turns, isFitting)
  const paths: Path[] = []
  const pathOf = new Map<Candidate, Path>()
  for (const turn of turns) {
    const { parent, linked } = turn
    const { repeats } = linked
    const { failed } = linked.turn
    let path = parent === null ? undefined : pathOf.get(parent)
    const stays = parent !== null && (repeats || failed || heirs.get(parent.original) === turn)
    if (path === undefined || !stays) {
      path = { turns: [], fork: parent === null || path === undefined ? null : { path, from: parent } }
      paths.push(path)
    }
    path.turns.push(turn)
    pathOf.set(turn, path)
  }
  return paths
}

/** Per turn, which of those that go on from it stays in its stream. */
function findHeirs(
  turns: readonly Candidate[],
  isFitting: (child: Candidate, parent: Candidate) => boolean,
): Map<Candidate, Candidate> {
  const heirs = new Map<Candidate, Candidate>()
  const fitting = new Set<Candidate>()
  for (const turn of turns) {
    const { parent, linked } = turn
    if (parent === null || linked.repeats || linked.turn.failed) continue
    const { original } = parent
    if (fitting.has(original)) continue
    const fits = isFitting(turn, parent)
    if (fits) fitting.add(original)
    if (fits || !heirs.has(original)) heirs.set(original, turn)
  }
  return heirs
}
