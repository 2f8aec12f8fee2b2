/**
 * Culprits of all streams as one list: the same value in several conversations has one id, and is one culprit of the
 * whole report.
 */
import type { Changes, Culprit } from '../changes/types.ts'
import type { Saving } from '../counterfactuals/types.ts'
import { fixFor } from './fixes.ts'
import { maskKeys } from './keys.ts'
import type { Masking } from './masking.ts'
import { sumKnown } from './tokens.ts'
import type { AuditCulprit } from './types.ts'

/** The most values of a culprit that a report has. */
const VALUES = 50

/** What was lost for a culprit. */
export interface LossShare {
  readonly tokens: number
  readonly cost: number | null
}

/** The culprits that count, by id: found in one stream, or joined from several. */
export function joinCulprits(changes: Iterable<Changes>): ReadonlyMap<string, Culprit> {
  const counting = new Set([...changes].flatMap(({ culprits }) => culprits.filter(({ counts }) => counts)))
  const joined = new Map<string, Culprit>()
  for (const [id, parts] of Map.groupBy(counting, (culprit) => culprit.id)) joined.set(id, join(parts))
  return joined
}

function join(parts: readonly Culprit[]): Culprit {
  const [first, ...others] = parts as readonly [Culprit, ...Culprit[]]
  if (others.length === 0) return first
  const occurrences = new Map(parts.flatMap((part) => part.occurrences.map((one) => [one.turn.number, one] as const)))
  return {
    ...first,
    scope: parts.every(({ scope }) => scope === first.scope) ? first.scope : 'both',
    values: joinValues(parts),
    occurrences: [...occurrences.values()].toSorted((one, other) => one.turn.number - other.turn.number),
    confidence: Math.max(...parts.map(({ confidence }) => confidence)),
  }
}

/** The values of all parts, each once in a row, in the order of the turns that they came to be in. */
function joinValues(parts: readonly Culprit[]): readonly string[] {
  const joined: string[] = []
  const add = (values: readonly string[]): void => {
    for (const value of values) if (joined.at(-1) !== value && joined.length < VALUES) joined.push(value)
  }
  // How many of its values each part has told.
  const told = parts.map(() => 0)
  const changes = parts
    .flatMap(({ occurrences }, part) =>
      occurrences.map(({ turn, before, after }) => ({ turn, part, now: after ?? before })),
    )
    .sort((one, other) => one.turn.number - other.turn.number)
  for (const { part, now } of changes) {
    const { values } = parts[part] as Culprit
    const from = told[part] ?? 0
    const through = now === null ? -1 : values.indexOf(now, from)
    if (through < 0) continue
    add(values.slice(from, through + 1))
    told[part] = through + 1
  }
  // What changed more than once in a turn, or is too long to be compared.
  for (const [part, { values }] of parts.entries()) add(values.slice(told[part]))
  return joined
}

/** What a report says of a culprit; where `streamOf` names no stream, the turn is of another list. */
export function culpritReport(
  culprit: Culprit,
  shares: readonly LossShare[],
  savings: { readonly alone: Saving; readonly last: Saving } | undefined,
  streamOf: (turn: number) => string | undefined,
  masking: Masking,
): AuditCulprit {
  const { id, kind, path, offset, scope, occurrences, confidence } = culprit
  const { values, anchor } = masking.culprit(culprit)
  return {
    id,
    kind,
    path: maskKeys(path),
    offset,
    anchor,
    scope,
    values,
    occurrences: occurrences.flatMap(({ turn }) => {
      const stream = streamOf(turn.number)
      return stream === undefined ? [] : [{ stream, turn: turn.number }]
    }),
    tokensLost: shares.reduce((sum, { tokens }) => sum + tokens, 0),
    cost: shares.length === 0 ? 0 : sumKnown(shares.map(({ cost }) => cost)),
    savesAlone: savings?.alone ?? null,
    savesLast: savings?.last ?? null,
    confidence,
    fix: fixFor(kind),
  }
}

/** The most expensive first, then what lost most, then what saves most. */
export function byMoney(one: AuditCulprit, other: AuditCulprit): number {
  return (
    moneyOf(other) - moneyOf(one) ||
    other.tokensLost - one.tokensLost ||
    (other.savesLast?.cost ?? 0) - (one.savesLast?.cost ?? 0) ||
    (one.id < other.id ? -1 : 1)
  )
}

/** What only keeps sessions from sharing loses nothing that was cached for them: its worth is what they would save. */
function moneyOf({ scope, cost, savesLast }: AuditCulprit): number {
  return (scope === 'between' ? savesLast?.cost : cost) ?? 0
}
