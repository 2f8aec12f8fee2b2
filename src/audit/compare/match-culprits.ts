/**
 * Which culprits of two reports are the same. An id is made of the kind, the path and the text around the value, and is the
 * same in every log. Where that text was edited the id is another one; what then is left on both sides with one kind and
 * one path is taken to be the same, place by place in the order of the request.
 */
import type { AuditCulprit } from '../report/types.ts'

/** A culprit of both reports. */
export interface MatchedCulprit {
  readonly before: AuditCulprit
  readonly after: AuditCulprit
}

/** Culprits of two reports, the most expensive first. */
export interface CulpritMatch {
  readonly gone: readonly AuditCulprit[]
  readonly new: readonly AuditCulprit[]
  readonly left: readonly MatchedCulprit[]
}

/** Matches culprits; each is in exactly one of the lists. */
export function matchCulprits(before: readonly AuditCulprit[], after: readonly AuditCulprit[]): CulpritMatch {
  const earlier = new Map(before.map((culprit) => [culprit.id, culprit]))
  const partners = new Map<string, AuditCulprit>()
  for (const { id } of after) {
    const same = earlier.get(id)
    if (same === undefined) continue
    partners.set(id, same)
    earlier.delete(id)
  }
  const rest = Map.groupBy(earlier.values(), placeOf)
  const moved = Map.groupBy(
    after.filter(({ id }) => !partners.has(id)),
    placeOf,
  )
  for (const [place, found] of moved) {
    const left = inOrder(rest.get(place) ?? [])
    for (const [index, { id }] of inOrder(found).entries()) {
      const same = left[index]
      if (same === undefined) break
      partners.set(id, same)
      earlier.delete(same.id)
    }
  }
  return {
    gone: before.filter(({ id }) => earlier.has(id)),
    new: after.filter(({ id }) => !partners.has(id)),
    left: after.flatMap((culprit) => {
      const same = partners.get(culprit.id)
      return same === undefined ? [] : { before: same, after: culprit }
    }),
  }
}

function placeOf({ kind, path }: AuditCulprit): string {
  return `${kind} ${path}`
}

function inOrder(culprits: readonly AuditCulprit[]): readonly AuditCulprit[] {
  return culprits.toSorted((one, other) => (one.offset ?? -1) - (other.offset ?? -1))
}
