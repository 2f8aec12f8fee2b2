/** The differences inside a block that stands where it stood: as a whole where its form says what happened, else by stretches. */
import type { Segment } from '../record/types.ts'
import type { AlignedPair } from './aligned-pair.ts'
import type { OpenHunk } from './alignment.ts'
import { callId, isCallOrResult, isInId, isMedia, toolName } from './calls.ts'
import { headerBlock } from './classify/header-block.ts'
import { boundaryAct, callIdsAct, editAct, imageReplaced, textAct } from './classify/messages.ts'
import * as tools from './classify/tools.ts'
import type { Act, Finding, Stretched } from './finding.ts'
import { ownText } from './own-text.ts'
import { inPictures, pictureValue } from './pictures.ts'
import type { Spans } from './spans.ts'
import type { Stretch } from './stretch.ts'
import { wordDifference } from './word-difference.ts'

/** Names what differs in edited blocks of one pair of turns. */
export class Edits {
  readonly findings: Finding[] = []
  readonly #pair: AlignedPair
  readonly #spans: Spans

  constructor(pair: AlignedPair, spans: Spans) {
    this.#pair = pair
    this.#spans = spans
  }

  /** The differences of an edited segment. */
  hunks(from: number, to: number): OpenHunk[] {
    const [one, other] = [this.#pair.before[from] as Segment, this.#pair.after[to] as Segment]
    const [first, second] = [this.#pair.textOf(one.block), this.#pair.textOf(other.block)]
    const whole: Stretch = { before: { start: 0, end: one.block.length }, after: { start: 0, end: other.block.length } }
    const path = this.#pathOf(other, second)
    if (first === null || second === null) {
      const name = one.block.section === 'tools' ? tools.edited(path) : textAct(null, 'unknown')
      return this.#blameStretches([whole], { ...name, key: path }, from, to, path)
    }
    // One content in two blocks: where a message begins is part of it.
    if (first === second) return this.#blameStretches([whole], boundaryAct, from, to, path)
    const stretches = isMedia(one.block) || isMedia(other.block) ? [whole] : wordDifference(first, second)
    const id = isCallOrResult(one.block) ? callId(first) : null
    const paired = stretches.filter(({ before }) => isInId(before, id))
    if (paired.length === stretches.length) return this.#blameStretches(paired, callIdsAct, from, to, path)
    const act = this.#actOf(from, one, other, first, second)
    if (act !== null) {
      const isOne = act.kind === 'pruned-result' || act.kind === 'image-replaced' || act.kind === 'thinking-dropped'
      return this.#blameStretches(isOne ? [around(stretches)] : stretches, act, from, to, path)
    }
    const mayHold = one.block.section === 'messages' && one.block.type !== 'text'
    const drawn = mayHold ? inPictures(stretches, first, second) : []
    if (drawn.length > 0 && drawn.length === stretches.length)
      return this.#blameStretches([around(drawn)], imageReplaced, from, to, path)
    if (this.#isContinued(from, first, stretches)) return stretches.map(open)
    const plain = stretches.filter((stretch) => !isInId(stretch.before, id) && !drawn.includes(stretch))
    const hunks = paired.length > 0 ? this.#blameStretches(paired, callIdsAct, from, to, path) : []
    if (drawn.length > 0) hunks.push(...this.#blameStretches(drawn, imageReplaced, from, to, path))
    for (const change of this.#spans.track(one.block, other.block, first, second, plain)) {
      const hunk = open(change)
      hunks.push(hunk)
      this.findings.push({
        ...this.#pair.finding(other.block.section, from, path),
        segment: to,
        before: change.values.before,
        after: change.values.after,
        form: { ...formOf(change, first, second), span: change.span, role: other.block.role },
        blames: [hunk],
      })
    }
    return hunks.sort((a, b) => a.before.start - b.before.start)
  }

  #actOf(from: number, one: Segment, other: Segment, first: string, second: string): Act | null {
    switch (one.block.section) {
      case 'tools':
        return tools.schemaKeyOrder(first, second)
      case 'system':
        return this.#pair.before[from - 1]?.block.section === 'system' ? null : headerBlock(first, second)
      case 'messages':
        return editAct(one.block, other.block, first, second)
    }
  }

  /** The last text of the parent, and more of it: an answer that was begun for the model. */
  #isContinued(from: number, first: string, stretches: readonly Stretch[]): boolean {
    const [only] = stretches
    return from === this.#pair.before.length - 1 && stretches.length === 1 && only?.before.start === first.length
  }

  #blameStretches(stretches: readonly Stretch[], act: Act, from: number, to: number, path: string): OpenHunk[] {
    const hunks = stretches.map(open)
    const { before, after } = around(stretches)
    const [one, other] = [this.#pair.before[from] as Segment, this.#pair.after[to] as Segment]
    const [first, second] = [this.#pair.textOf(one.block) ?? '', this.#pair.textOf(other.block) ?? '']
    const values =
      act.kind === 'image-replaced'
        ? [pictureValue(one.block, first, before), pictureValue(other.block, second, after)]
        : [ownText(first, before.start, before.end), ownText(second, after.start, after.end)]
    this.findings.push({
      ...this.#pair.finding(other.block.section, from, path),
      segment: to,
      before: values[0] ?? null,
      after: values[1] ?? null,
      form: act,
      blames: hunks,
    })
    return hunks
  }

  #pathOf({ block, path }: Segment, text: string | null): string {
    const name = block.section === 'tools' ? toolName(text) : undefined
    return name === undefined ? path : tools.toolPath([name])
  }
}

function open({ before, after }: Stretch): OpenHunk {
  return { before, after, culprit: null }
}

function around(stretches: readonly Stretch[]): Stretch {
  const [first, last] = [stretches[0] as Stretch, stretches.at(-1) as Stretch]
  return {
    before: { start: first.before.start, end: last.before.end },
    after: { start: first.after.start, end: last.after.end },
  }
}

function formOf({ before, after }: Stretch, first: string, second: string): Omit<Stretched, 'span' | 'role'> {
  const [atStart, atEnd] = [after.start === 0, after.end === second.length]
  const place = atStart && atEnd ? 'whole' : atStart ? 'start' : atEnd ? 'end' : 'middle'
  const operation = before.start === before.end ? 'inserted' : after.start === after.end ? 'removed' : 'replaced'
  return { type: 'span', offset: after.start, place, operation, blockLength: Math.max(first.length, second.length) }
}
