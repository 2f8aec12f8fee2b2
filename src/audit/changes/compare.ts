/**
 * A turn held against its parent: the alignment, and a finding for every difference in it.
 *
 * Texts of both are in memory when a turn has just been read, and may be gone later: so values are cut out here, and
 * what they are is decided when all turns are known.
 */
import { segmentsOf } from '../record/segments.ts'
import type { Segment, Turn } from '../record/types.ts'
import { actsOfTurn } from './acts-of-turn.ts'
import { align } from './align.ts'
import { AlignedPair } from './aligned-pair.ts'
import { keep, KeptAlignment, type KeptStep, type OpenParameter } from './alignment.ts'
import { appendedOnly } from './appended-only.ts'
import { BlockMoves } from './block-moves.ts'
import { parameterChanges } from './classify/parameters.ts'
import { isCompaction } from './compaction.ts'
import { Edits } from './edits.ts'
import type { Act, Finding } from './finding.ts'
import { ownText } from './own-text.ts'
import { rewritten } from './raw-notes.ts'
import type { Spans } from './spans.ts'
import type { TextOf } from './text-of.ts'

/** A turn held against another. */
export interface Comparison {
  readonly alignment: KeptAlignment
  readonly findings: readonly Finding[]
}

/** Holds `turn` against `parent`; `spans` are those of the whole log. */
export function compare(parent: Turn, turn: Turn, spans: Spans, textOf: TextOf): Comparison {
  const notes = rewritten(parent, turn)
  const quick = appendedOnly(parent, turn)
  if (quick !== null && parent.scope === turn.scope) {
    return { alignment: new KeptAlignment(parent, turn, { steps: quick, parameters: [], notes }), findings: [] }
  }
  const before = segmentsOf(parent)
  const { parameters, findings } = changedParameters(parent, turn, before)
  if (quick !== null)
    return { alignment: new KeptAlignment(parent, turn, { steps: quick, parameters, notes }), findings }
  const found = changedSegments(parent, turn, before, spans, textOf)
  const alignment = new KeptAlignment(parent, turn, { steps: found.steps, parameters, notes })
  // A conversation that starts again from a summary was not edited.
  const counted =
    found.hasLost && isCompaction(alignment)
      ? found.findings.filter(({ section }) => section !== 'messages')
      : found.findings
  return { alignment, findings: actsOfTurn([...findings, ...counted]) }
}

function changedSegments(
  parent: Turn,
  turn: Turn,
  before: readonly Segment[],
  spans: Spans,
  textOf: TextOf,
): { readonly steps: KeptStep[]; readonly findings: readonly Finding[]; readonly hasLost: boolean } {
  const after = segmentsOf(turn)
  const pair = new AlignedPair({ parent, turn }, { before, after }, align(before, after, textOf), textOf)
  const edits = new Edits(pair, spans)
  const moves = new BlockMoves(pair)
  const steps: KeptStep[] = []
  let reached = 0
  for (const step of pair.steps) {
    if ('to' in step) reached = step.to
    if (step.type === 'same' || step.type === 'appended') keep(steps, step)
    else if (step.type === 'edited') keep(steps, { ...step, hunks: edits.hunks(step.from, step.to) })
    else {
      const open = { ...step, culprit: null }
      keep(steps, open)
      moves.add(open, reached)
    }
  }
  moves.finish()
  const hasLost = pair.steps.some(
    (step) => (step.type === 'removed' || step.type === 'moved') && before[step.from]?.block.section === 'messages',
  )
  return { steps, findings: [...edits.findings, ...moves.findings], hasLost }
}

function changedParameters(
  parent: Turn,
  turn: Turn,
  before: readonly Segment[],
): { readonly parameters: readonly OpenParameter[]; readonly findings: readonly Finding[] } {
  const parameters: OpenParameter[] = []
  const findings: Finding[] = []
  for (const change of parameterChanges(parent, turn, before)) {
    const { name, section, loses } = change
    const blame = { name, culprit: null }
    const act: Act = {
      type: 'act',
      kind: 'parameter',
      key: name,
      confidence: 0.9,
      counting: loses ? 'always' : 'never',
    }
    parameters.push(blame)
    findings.push({
      turn,
      other: parent,
      section,
      path: `parameter ${name}`,
      segment: null,
      before: change.before === null ? null : ownText(change.before),
      after: change.after === null ? null : ownText(change.after),
      form: act,
      isTail: false,
      goesOn: true,
      isMarked: false,
      blames: [blame],
    })
  }
  return { parameters, findings }
}
