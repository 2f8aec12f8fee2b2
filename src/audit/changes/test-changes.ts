/** Changes for tests: bodies of one conversation, each held against the one before. */
import type { Exchange } from '../exchange.ts'
import { segmentsOf } from '../record/segments.ts'
import type { Turn } from '../record/types.ts'
import type { LinkedTurn, Stream } from '../streams/types.ts'
import { turnsOf } from '../test-turns.ts'
import { ChangeFinder } from './change-finder.ts'
import type { Evidence } from './evidence.ts'
import type { Alignment, Changes } from './types.ts'

/** A stream of turns that each go on from the one before. */
export function streamOf(turns: readonly Turn[], over: Partial<Stream> = {}): Stream {
  const linked = turns.map((turn, index) => ({ turn, parent: turns[index - 1] ?? null, repeats: false }))
  return { id: 'stream', parent: null, family: 'family', turns: linked, ...over }
}

/** The changes of streams, whose turns were read in the order of their numbers. Checks every alignment. */
export function changesOf(streams: readonly Stream[], evidence?: Evidence): ReadonlyMap<string, Changes> {
  const finder = new ChangeFinder()
  const all: LinkedTurn[] = streams.flatMap(({ turns }) => turns)
  for (const linked of all.toSorted((one, other) => one.turn.number - other.turn.number)) finder.add(linked)
  const changes = finder.finish(streams, evidence)
  for (const { alignments } of changes.values()) for (const alignment of alignments.values()) verifyAlignment(alignment)
  return changes
}

/** The changes of one conversation. */
export function changesIn(
  bodies: readonly unknown[],
  over?: (index: number) => Partial<Exchange>,
  evidence?: Evidence,
): Changes {
  const changes = changesOf([streamOf(turnsOf(bodies, over))], evidence).get('stream')
  if (changes === undefined) throw new Error('The stream has no changes.')
  return changes
}

/** Culprits that count, short: kind, path, and the turns in which they occur. */
export function briefly({ culprits }: Changes): string[] {
  return linesOf(culprits.filter(({ counts }) => counts))
}

/** As {@link briefly}, those that are only noted. */
export function noted({ culprits }: Changes): string[] {
  return linesOf(culprits.filter(({ counts }) => !counts))
}

function linesOf(culprits: Changes['culprits']): string[] {
  return culprits
    .map(({ kind, path, occurrences }) => `${kind} ${path} ${occurrences.map(({ turn }) => turn.number).join()}`)
    .toSorted()
}

/** The laws of an alignment: each segment of both in one step, and the hunks lead from the one text to the other. Throws. */
export function verifyAlignment({ turn, parent, steps }: Alignment): void {
  const [before, after] = [segmentsOf(parent), segmentsOf(turn)]
  const to = steps.flatMap((step) => ('to' in step ? [step.to] : []))
  hold(isCount(to, after.length), `the turn's segments are ${to.join()} of ${after.length}`)
  const from = steps.flatMap((step) => ('from' in step ? [step.from] : [])).toSorted((one, other) => one - other)
  hold(isCount(from, before.length), `the parent's segments are ${from.join()} of ${before.length}`)
  for (const step of steps) {
    if (step.type === 'same' || step.type === 'moved')
      hold(before[step.from]?.block === after[step.to]?.block, `${step.from} and ${step.to} are one block`)
    if (step.type !== 'edited') continue
    hold(step.hunks.length > 0, `an edit of ${step.to} has hunks`)
    const [one, other] = [before[step.from]?.block.text, after[step.to]?.block.text]
    if (typeof one !== 'string' || typeof other !== 'string') continue
    let made = ''
    let [at, reached] = [0, 0]
    for (const hunk of step.hunks) {
      hold(hunk.before.start >= at && hunk.after.start >= reached, `hunks of ${step.to} are in order`)
      made += one.slice(at, hunk.before.start) + other.slice(hunk.after.start, hunk.after.end)
      at = hunk.before.end
      reached = hunk.after.end
    }
    hold(made + one.slice(at) === other, `hunks of ${step.to} make the text of the turn`)
  }
}

function isCount(indexes: readonly number[], length: number): boolean {
  return indexes.length === length && indexes.every((index, position) => index === position)
}

function hold(law: boolean, text: string): void {
  if (!law) throw new Error(`The alignment does not hold: ${text}.`)
}
