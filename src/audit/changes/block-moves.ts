/** What happened to whole blocks: gone, come, or elsewhere than before. */
import type { Segment } from '../record/types.ts'
import type { BareStep } from './align.ts'
import type { AlignedPair } from './aligned-pair.ts'
import { isMedia, isModelRole, isThinking, toolName } from './calls.ts'
import { endAct } from './classify/breakpoints.ts'
import { goneAct, insertedAct, movedAct, removedAct, textAct } from './classify/messages.ts'
import * as tools from './classify/tools.ts'
import type { Act, Blame, Finding } from './finding.ts'
import { textLikeness } from './likeness.ts'
import { ownText } from './own-text.ts'
import { pictureValue } from './pictures.ts'

/** A step of a whole block. */
export type BlockStep = Extract<BareStep, { readonly type: 'moved' | 'removed' | 'inserted' }> & Blame

interface Listed {
  readonly name: string
  readonly at: number
  readonly step: Blame
}

/** Likeness from which a text that went and one that came are one text. */
const ALIKE = 0.7
/** Texts of one turn that are searched for among the others. */
const MOST_SEARCHES = 24

/** Names what happened to whole blocks of one pair of turns. */
export class BlockMoves {
  readonly findings: Finding[] = []
  readonly #pair: AlignedPair
  readonly #tools: Readonly<Record<BlockStep['type'], Listed[]>> = { inserted: [], removed: [], moved: [] }
  #searches = 0
  #gone: ReadonlySet<number> | null = null

  constructor(pair: AlignedPair) {
    this.#pair = pair
  }

  /** Takes a step; `reached` is the segment of the turn where it, or what was removed, stands. */
  add(step: BlockStep, reached: number): void {
    const segment = (step.type === 'inserted' ? this.#pair.after[step.to] : this.#pair.before[step.from]) as Segment
    const { block } = segment
    const text = this.#pair.textOf(block)
    if (block.section === 'tools') {
      const at = 'to' in step ? step.to : reached
      this.#tools[step.type].push({ name: toolName(text) ?? segment.path.replace(/^.*\[(\d+)\].*$/, '$1'), at, step })
      return
    }
    const again = this.#twin(step, text)
    const act = this.#blockAct(step, segment, text, again !== null)
    if (act === null) return
    const whole = { start: 0, end: block.length }
    const kept = isMedia(block) ? pictureValue(block, text, whole) : text === null ? null : ownText(text)
    const twin = again === null ? null : ownText(again)
    this.findings.push({
      ...this.#pair.finding(block.section, step.type === 'inserted' ? -1 : step.from, segment.path),
      segment: step.type === 'inserted' || step.type === 'moved' ? step.to : reached,
      before: step.type === 'inserted' ? twin : kept,
      after: step.type === 'removed' ? twin : kept,
      form: act,
      blames: [step],
    })
  }

  #blockAct(step: BlockStep, { block }: Segment, text: string | null, again: boolean): Act | null {
    if (step.type === 'inserted') {
      return block.section === 'messages' ? insertedAct(block, text, again) : textAct(text, 'rules-text')
    }
    if (block.section !== 'messages') return step.type === 'moved' ? movedAct(text) : textAct(text, 'rules-text')
    if (step.from > this.#pair.end.lastSame && this.#pair.goesOn) return endAct(text, again, this.#pair.end.wastes)
    if (step.type === 'moved') return movedAct(text)
    if (isThinking(block) && !this.#isTurnGone(step.from)) return removedAct(block, text, again)
    return this.#isMessageGone(step.from) ? goneAct(again, text) : removedAct(block, text, again)
  }

  /** The message of a thought was removed, and where it held nothing else, what the thought led to. */
  #isTurnGone(from: number): boolean {
    const { before } = this.#pair
    let next = from
    while (next < before.length && isThinking((before[next] as Segment).block)) next++
    return this.#isMessageGone(from) && (next === before.length || this.#isMessageGone(next))
  }

  /** All of the message that the segment was in was removed. */
  #isMessageGone(from: number): boolean {
    this.#gone ??= new Set(this.#pair.steps.flatMap((step) => (step.type === 'removed' ? [step.from] : [])))
    const { before } = this.#pair
    const message = messageOf(before[from])
    let [start, end] = [from, from]
    while (start > 0 && messageOf(before[start - 1]) === message) start--
    while (end + 1 < before.length && messageOf(before[end + 1]) === message) end++
    for (let index = start; index <= end; index++) if (!this.#gone.has(index)) return false
    return true
  }

  /** A text like this one that came where this went, or went where this came. */
  #twin(step: BlockStep, text: string | null): string | null {
    if (step.type === 'moved') return text
    const { role } = ((step.type === 'removed' ? this.#pair.before[step.from] : this.#pair.after[step.to]) as Segment)
      .block
    if (text === null || isModelRole(role) || ++this.#searches > MOST_SEARCHES) return null
    for (const other of this.#pair.steps) {
      const isRival =
        step.type === 'removed' ? other.type === 'inserted' || other.type === 'appended' : other.type === 'removed'
      if (!isRival) continue
      const segment = 'to' in other ? this.#pair.after[other.to] : this.#pair.before[other.from]
      const own = (step.type === 'removed' ? this.#pair.before[step.from] : this.#pair.after[step.to]) as Segment
      if (
        segment?.block.section !== own.block.section ||
        segment.block.role !== own.block.role ||
        segment.block.type !== 'text'
      )
        continue
      const rival = this.#pair.textOf(segment.block)
      if (rival !== null && textLikeness(text, rival) > ALIKE) return rival
    }
    return null
  }

  /** Names what happened to the list of tools; to be called when all steps were added. */
  finish(): void {
    const { inserted, removed, moved } = this.#tools
    for (const [list, actFor] of [
      [inserted, tools.added],
      [removed, tools.removed],
    ] as const) {
      const [one] = list
      if (one === undefined) continue
      const names = list.map(({ name }) => name)
      const values = ownText(names.join(', '))
      this.findings.push({
        ...this.#pair.finding('tools', null, tools.toolPath(names)),
        segment: one.at,
        before: list === removed ? values : null,
        after: list === inserted ? values : null,
        form: actFor(names),
        blames: list.map(({ step }) => step),
      })
    }
    const [first] = moved
    if (first === undefined) return
    const order = (segments: readonly Segment[]): string =>
      ownText(
        segments
          .flatMap(({ block }) => (block.section === 'tools' ? [toolName(this.#pair.textOf(block)) ?? '?'] : []))
          .join(', '),
      )
    this.findings.push({
      ...this.#pair.finding('tools', null, 'tools'),
      segment: Math.min(...moved.map(({ at }) => at)),
      before: order(this.#pair.before),
      after: order(this.#pair.after),
      form: tools.reordered,
      blames: moved.map(({ step }) => step),
    })
  }
}

/** `messages[3]` of `messages[3].content[1]`. */
function messageOf(segment: Segment | undefined): string | undefined {
  return segment === undefined ? undefined : (/^.*?\w\[\d+\]/.exec(segment.path)?.[0] ?? segment.path)
}
