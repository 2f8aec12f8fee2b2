/** One conversation as a report has it. */
import type { PriceTable } from '../../cache/index.ts'
import type { Changes, Culprit } from '../changes/types.ts'
import type { Counterfactual } from '../counterfactuals/types.ts'
import type { Fidelity } from '../exchange.ts'
import { leastOf } from '../read/fidelity.ts'
import type { LinkedTurn, Stream } from '../streams/types.ts'
import type { Verdict } from '../verdicts/types.ts'
import { blame, inProviderOrder } from './blame.ts'
import { byMoney, culpritReport, joinCulprits, type LossShare } from './culprits.ts'
import { fixForRemedy, noteFor } from './fixes.ts'
import { maskKeys } from './keys.ts'
import type { Masking } from './masking.ts'
import { priceTurn } from './money.ts'
import { logged, turnReport, type TurnResult } from './turn.ts'
import type { AuditCounterfactual, AuditNote, AuditStream } from './types.ts'

/** What is known of a stream, and what holds for all of them. */
export interface StreamParts {
  readonly stream: Stream
  readonly verdicts: ReadonlyMap<number, Verdict>
  readonly changes: Changes | undefined
  readonly counterfactual: Counterfactual | undefined
  /** All that count, by id. */
  readonly culprits: ReadonlyMap<string, Culprit>
  /** Those that differ on a turn, by its number. */
  readonly culpritsOn: ReadonlyMap<number, readonly Culprit[]>
  readonly masking: Masking
  readonly prices: PriceTable | undefined
}

/** A stream, and what its sums are made of. */
export interface StreamResult {
  readonly stream: AuditStream
  readonly turns: readonly TurnResult[]
}

/** Puts a stream together. */
export function streamReport(parts: StreamParts): StreamResult {
  const { stream, changes, counterfactual, culprits, masking } = parts
  const { id, parent, family, turns: linked } = stream
  const turns = linked.map((one) => turnOf(one, parts))
  const numbers = new Set(linked.map(({ turn }) => turn.number))
  const shares = sharesByCulprit(turns)
  const own = joinCulprits(changes === undefined ? [] : [changes])
  const here = new Set(turns.flatMap(({ turn }) => turn.culprits))
  const sessions = new Set(linked.map(({ turn }) => turn.exchange.ids.session))
  return {
    stream: {
      id,
      parent,
      family,
      provider: linked[0]?.turn.provider ?? 'generic',
      model: logged(mostFrequent(linked.map(({ turn }) => turn.model))),
      session: sessions.size === 1 ? logged([...sessions][0]) : null,
      fidelity: fidelityOf(linked),
      turns: turns.map(({ turn }) => turn),
      culprits: [...here]
        .map((culprit) =>
          culpritReport(
            own.get(culprit) ?? culprits.get(culprit)!,
            shares.get(culprit) ?? [],
            counterfactual?.savings.get(culprit),
            (turn) => (numbers.has(turn) ? id : undefined),
            masking,
          ),
        )
        .sort(byMoney),
      notes: notesOf(changes, numbers),
      missing: [...new Set(turns.flatMap(({ turn }) => turn.missing))],
      counterfactual: counterfactual === undefined ? null : counterfactualReport(counterfactual, culprits),
    },
    turns,
  }
}

function turnOf(linked: LinkedTurn, { verdicts, changes, culpritsOn, masking, prices }: StreamParts): TurnResult {
  const { turn } = linked
  const verdict = verdicts.get(turn.number)
  if (verdict === undefined) throw new TypeError(`Turn ${turn.number} was not judged.`)
  const alignment = changes?.alignments.get(turn.number)
  const culprits = inProviderOrder(turn, culpritsOn.get(turn.number) ?? [], alignment)
  return turnReport({
    linked,
    verdict,
    culprits: culprits.map(({ id }) => id),
    shares: blame(verdict, culprits),
    masking,
    priceOf: (usage) => priceTurn(turn, usage, prices),
  })
}

/** What was lost for each culprit, turn by turn; under null, what none is to blame for. */
export function sharesByCulprit(turns: readonly TurnResult[]): ReadonlyMap<string | null, readonly LossShare[]> {
  return Map.groupBy(
    turns.flatMap(({ share }) => share),
    ({ culprit }) => culprit,
  )
}

/** A plan as a report has it. */
export function counterfactualReport(
  { asSent, floor, steps, caveats }: Counterfactual,
  culprits: ReadonlyMap<string, Culprit>,
): AuditCounterfactual {
  return {
    asSent,
    floor,
    steps: steps.map((step) => ({ ...step, fix: fixForRemedy(step.remedy, (id) => culprits.get(id)) })),
    caveats,
  }
}

function notesOf(changes: Changes | undefined, numbers: ReadonlySet<number>): readonly AuditNote[] {
  if (changes === undefined) return []
  const notes: AuditNote[] = changes.culprits
    .filter(({ counts }) => !counts)
    .map(({ kind, path, occurrences }) => ({
      kind,
      path: maskKeys(path),
      text: noteFor(kind),
      turns: occurrences.map(({ turn }) => turn.number).filter((number) => numbers.has(number)),
    }))
  const differences = [...changes.alignments].flatMap(([turn, alignment]) =>
    [...new Set(alignment.notes)].map((text) => ({ text, turn })),
  )
  for (const [text, found] of Map.groupBy(differences, (one) => one.text)) {
    notes.push({ kind: 'raw', path: null, text, turns: found.map(({ turn }) => turn) })
  }
  return notes
}

/** What all of its records have. */
function fidelityOf(linked: readonly LinkedTurn[]): Fidelity {
  const [first, ...rest] = linked.map(({ turn }) => turn.exchange.fidelity)
  if (first === undefined) throw new TypeError('A stream without turns is none.')
  return rest.reduce((least, one) => leastOf(least, one), first)
}

/** The first of those that are there most often. */
function mostFrequent(names: readonly (string | undefined)[]): string | undefined {
  const counts = new Map<string, number>()
  for (const name of names) if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1)
  let most: string | undefined
  for (const [name, count] of counts) if (count > (most === undefined ? 0 : (counts.get(most) ?? 0))) most = name
  return most
}
