/** Named groups as culprits: of each stream, those that were found in it or between it and others of its family. */
import { digest } from '../../base/digest.ts'
import type { Found } from './group.ts'
import type { Named } from './name-group.ts'
import { commonPath, steadyPath } from './paths.ts'
import type { Culprit } from './types.ts'

/** Values of a culprit that are kept. */
const MOST_VALUES = 50
/** Hex digits of an id. */
const ID_LENGTH = 16

/** A culprit of one stream. */
export interface StreamCulprit {
  readonly stream: string
  readonly culprit: Culprit
}

/** The culprits that groups are, stream by stream; tells every part of the alignments whose it is. */
export function culpritsOf(groups: readonly Named[]): StreamCulprit[] {
  const taken = new Map<string, number>()
  return groups.flatMap((group) => {
    const base = identityOf(group)
    const count = taken.get(base) ?? 0
    taken.set(base, count + 1)
    const id = count === 0 ? base : digest(`${base} ${count}`).slice(0, ID_LENGTH)
    return inStreams(group, id)
  })
}

/** The same in every run over the same log, and where other streams have the same text there. */
function identityOf({ found, kind }: Named): string {
  const { form, path } = (found[0] as Found).finding
  const anchor = form.type === 'span' ? form.span.root.anchor : { before: '', after: form.key }
  const steady =
    form.type === 'span' ? steadyPath(path) : form.key === '' ? '' : steadyPath(path).replace(/\[\d+\]/g, '[*]')
  return digest(JSON.stringify([kind, steady, anchor.before, anchor.after])).slice(0, ID_LENGTH)
}

function inStreams(group: Named, id: string): StreamCulprit[] {
  const streams = new Map<string, Found[]>()
  for (const found of group.found) {
    const list = streams.get(found.stream)
    if (list === undefined) streams.set(found.stream, [found])
    else list.push(found)
    for (const blame of found.finding.blames) blame.culprit = id
  }
  const between = group.found.some(({ isBetween }) => isBetween)
  return [...streams].map(([stream, found]) => {
    const within = found.filter(({ isBetween }) => !isBetween)
    const scope = within.length === 0 ? 'between' : between ? 'both' : 'within'
    const culprit = culpritOf(group, within.length === 0 ? found : within, id, scope)
    return { stream, culprit: scope === 'both' ? { ...culprit, values: valuesOf(found) } : culprit }
  })
}

function culpritOf(
  { kind, confidence, counts }: Named,
  found: readonly Found[],
  id: string,
  scope: Culprit['scope'],
): Culprit {
  const { finding } = found[0] as Found
  const { form } = finding
  const occurrences: { turn: Found['finding']['turn']; before: string | null; after: string | null }[] = []
  for (const {
    finding: { turn, before, after },
  } of found) {
    if (occurrences.at(-1)?.turn !== turn) occurrences.push({ turn, before: shown(before), after: shown(after) })
  }
  return {
    id,
    kind,
    section: finding.section,
    path: commonPath(found.map(({ finding: { path } }) => path)),
    offset: form.type === 'span' ? form.offset : null,
    anchor: form.type === 'span' ? form.span.root.anchor : { before: '', after: '' },
    scope,
    values: valuesOf(found),
    occurrences,
    confidence,
    counts,
  }
}

/** Lines without the empty ones around them. */
function shown(value: string | null): string | null {
  const lines = value?.replace(/^\n+|\n+$/g, '') ?? null
  return lines === '' ? value : lines
}

/** Each once in a row, in the order of turns. */
function valuesOf(found: readonly Found[]): readonly string[] {
  const values: string[] = []
  for (const { finding } of found) {
    for (const value of [shown(finding.before), shown(finding.after)]) {
      if (value !== null && values.at(-1) !== value && values.length < MOST_VALUES) values.push(value)
    }
  }
  return values
}
