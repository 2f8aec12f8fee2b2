/**
 * What became of each segment of a parent in a turn.
 *
 * Equal blocks are matched first, in order; equal blocks out of order have moved. What is left between matches is paired
 * where it is of one kind (section, role, type) and at the same relative place: that was edited. The rest was removed or
 * inserted, and what follows the last segment that the parent had is new conversation.
 *
 * Odd case: a block at the parent's very end and one like it at the turn's are not one edited block when an answer
 * stands between: the first was taken away, the second is new.
 */
import type { Block, Segment } from '../record/types.ts'
import { isModelRole, toolName } from './calls.ts'
import { matchInOrder, type Match } from './match-in-order.ts'
import { pairLeftovers } from './pair-leftovers.ts'
import type { TextOf } from './text-of.ts'

/** A step of an alignment before anyone is blamed for it. */
export type BareStep =
  | { readonly type: 'same'; readonly from: number; readonly to: number }
  | { readonly type: 'edited'; readonly from: number; readonly to: number }
  | { readonly type: 'moved'; readonly from: number; readonly to: number }
  | { readonly type: 'removed'; readonly from: number }
  | { readonly type: 'inserted'; readonly to: number }
  | { readonly type: 'appended'; readonly to: number }

/** The steps from the segments of a parent to those of a turn, in the order of {@link Alignment.steps}. */
export function align(before: readonly Segment[], after: readonly Segment[], textOf: TextOf): BareStep[] {
  const aligner = new Aligner(before, after, textOf)
  return aligner.steps()
}

class Aligner {
  readonly #before: readonly Segment[]
  readonly #after: readonly Segment[]
  readonly #textOf: TextOf
  /** Per segment of the parent: where it is in the turn, or -1; and how. */
  readonly #to: number[]
  readonly #from: number[]
  /** Of either: answers up to each segment. */
  readonly #epochs: readonly [readonly number[], readonly number[]]
  readonly #how = new Map<number, 'same' | 'edited' | 'moved'>()

  constructor(before: readonly Segment[], after: readonly Segment[], textOf: TextOf) {
    this.#before = before
    this.#after = after
    this.#textOf = textOf
    this.#to = before.map(() => -1)
    this.#from = after.map(() => -1)
    this.#epochs = [epochsOf(before), epochsOf(after)]
  }

  steps(): BareStep[] {
    const before = this.#before.map(({ block }) => block)
    const after = this.#after.map(({ block }) => block)
    const matches: Match[] = []
    for (const match of matchInOrder(before, after, { grows: true })) {
      const stays = this.#isInPlace(match, matches.at(-1))
      if (stays) matches.push(match)
      this.#pair(...match, stays ? 'same' : 'moved')
    }
    if (matches.length < before.length) {
      this.#findMoved(before, after)
      this.#findTools()
      this.#findEdited(matches)
    }
    return this.#list()
  }

  #pair(from: number, to: number, how: 'same' | 'edited' | 'moved'): void {
    this.#to[from] = to
    this.#from[to] = from
    this.#how.set(from, how)
  }

  /** An equal block of the parent's last message has moved when an answer stands in front of it now. */
  #isInPlace([from, to]: Match, last: Match | undefined): boolean {
    const block = this.#before[from]?.block
    if (block?.section !== 'messages' || (this.#epochs[0][from] ?? 0) < (this.#epochs[0].at(-1) ?? 0)) return true
    if (isModelRole(block.role) || isModelRole(this.#before.at(-1)?.block.role ?? '')) return true
    return this.#farther(from, to, last ?? [-1, -1]) <= 0
  }

  /** Answers by which a place in the turn is farther from a match than that of the parent. */
  #farther(from: number, to: number, [lastFrom, lastTo]: Match): number {
    const [before, after] = this.#epochs
    return (after[to] ?? 0) - (after[lastTo] ?? 0) - ((before[from] ?? 0) - (before[lastFrom] ?? 0))
  }

  #findMoved(before: readonly Block[], after: readonly Block[]): void {
    const places = new Map<Block, number[]>()
    for (const [to, block] of after.entries()) {
      if (this.#from[to] !== -1) continue
      const list = places.get(block)
      if (list === undefined) places.set(block, [to])
      else list.push(to)
    }
    for (const [from, block] of before.entries()) {
      if (this.#to[from] !== -1) continue
      // A short answer or remark that is said again has not moved.
      if (block.section === 'messages' && (block.length < SHORTEST_MOVED || isModelRole(block.role))) continue
      const to = places.get(block)?.shift()
      if (to !== undefined) this.#pair(from, to, 'moved')
    }
  }

  /** Tools are known by their names, wherever they stand. */
  #findTools(): void {
    const names = new Map<string, number>()
    for (const [to, { block }] of this.#after.entries()) {
      if (block.section !== 'tools' || this.#from[to] !== -1) continue
      const name = toolName(this.#textOf(block))
      if (name !== undefined && !names.has(name)) names.set(name, to)
    }
    if (names.size === 0) return
    for (const [from, { block }] of this.#before.entries()) {
      if (block.section !== 'tools' || this.#to[from] !== -1) continue
      const name = toolName(this.#textOf(block))
      const to = name === undefined ? undefined : names.get(name)
      if (name === undefined || to === undefined) continue
      names.delete(name)
      this.#pair(from, to, 'edited')
    }
  }

  #findEdited(matches: readonly Match[]): void {
    let [from, to] = [0, 0]
    for (const [index, [nextFrom, nextTo]] of [
      ...matches,
      [this.#before.length, this.#after.length] as const,
    ].entries()) {
      const isLast = index === matches.length
      if (nextFrom > from && nextTo > to) {
        const last: Match = [from - 1, to - 1]
        const distance = (a: number, b: number): number => Math.abs(this.#farther(a, b, last))
        const left = { before: this.#before, after: this.#after, isLast, distance, textOf: this.#textOf }
        const rest = { from: free(this.#to, from, nextFrom), to: free(this.#from, to, nextTo) }
        for (const pair of pairLeftovers({ ...left, ...rest })) this.#pair(...pair, 'edited')
      }
      from = nextFrom + 1
      to = nextTo + 1
    }
  }

  #list(): BareStep[] {
    const steps: BareStep[] = []
    const removed = free(this.#to, 0, this.#to.length)
    const isKept = (to: number): boolean => {
      const from = this.#from[to] as number
      return from !== -1 && this.#how.get(from) !== 'moved'
    }
    const section = (to: number): string | undefined => this.#after[to]?.block.section
    let lastKept = this.#after.length - 1
    while (lastKept >= 0 && !(isKept(lastKept) || section(lastKept) !== 'messages')) lastKept--
    let next = 0
    let reached = -1
    const passRemoved = (upTo: number): void => {
      for (let from = removed[next]; from !== undefined && from < upTo; from = removed[++next])
        steps.push({ type: 'removed', from })
    }
    for (let to = 0; to < this.#after.length; to++) {
      const from = this.#from[to] as number
      if (to > lastKept) passRemoved(Infinity)
      if (from === -1) {
        steps.push({ type: to > lastKept ? 'appended' : 'inserted', to })
        continue
      }
      const type = this.#how.get(from) ?? 'same'
      if (type !== 'moved' && from > reached) {
        passRemoved(from)
        reached = from
      }
      steps.push({ type, from, to })
    }
    passRemoved(Infinity)
    return steps
  }
}

/** Units of a remark below which saying it again is no move. */
const SHORTEST_MOVED = 16

function free(places: readonly number[], start: number, end: number): number[] {
  const found: number[] = []
  for (let index = start; index < end; index++) if (places[index] === -1) found.push(index)
  return found
}

/** Per segment, how many answers of the model begin up to it. */
function epochsOf(segments: readonly Segment[]): number[] {
  let count = 0
  let answering = false
  return segments.map(({ block }) => {
    const answers = block.section === 'messages' && isModelRole(block.role)
    if (answers && !answering) count++
    answering = answers
    return count
  })
}
