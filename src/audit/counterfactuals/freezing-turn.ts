/**
 * One turn on its way from its frozen parent: which segment of the frozen parent each of its own has become, what stays
 * although it was taken out, what is left out because it came later.
 */
import type { Alignment, Culprit, CulpritKind, Hunk, Step } from '../changes/types.ts'
import type { Turn } from '../record/types.ts'
import { arrange, type Standing } from './arrange.ts'
import { renameCalls } from './call-ids.ts'
import { editedSlot } from './edited-slot.ts'
import { keptSlot } from './pieces.ts'
import { sentSlots, type Foundry, type Slot } from './slots.ts'
import { nativeTool, takesTools } from './told.ts'
import type { Telling } from './telling.ts'
import type { UpdatePolicy } from './update-text.ts'

/** What is frozen, and how changes of it are told. */
export interface FreezeOptions {
  /** Those that are frozen. */
  readonly culprits: ReadonlyMap<string, Culprit>
  readonly updates: UpdatePolicy
  readonly foundry: Foundry
}

/** What a frozen request has otherwise than it was sent, each with the culprit that it is of. */
export interface Departures {
  /** Slots that stay although they were taken out. */
  readonly left: ReadonlyMap<Slot, string>
  /** Segments that came later and are not there, by their index. */
  readonly absent: ReadonlyMap<number, string>
}

/** What becomes of a turn. */
export interface Arranged extends Departures {
  readonly standing: readonly Standing[]
  /** Definitions that are told in the conversation. */
  readonly apart: readonly Standing[]
}

/** How a turn is frozen. */
export interface Freezing extends FreezeOptions {
  /** Takes what has changed; null between openings, which are told by what they have come to. */
  readonly telling: Telling | null
}

/** The segments of a turn as it was sent. */
export function slotsOf({ places }: Pick<Turn, 'places'>): readonly Slot[] {
  return places.flatMap((place) => sentSlots(place))
}

/** Freezes one turn. */
export class FreezingTurn {
  readonly #turn: Turn
  readonly #steps: readonly Step[]
  readonly #options: Freezing
  readonly #before: readonly Standing[]
  readonly #absentBefore: ReadonlyMap<number, string>
  readonly #sentBefore: readonly Slot[]
  readonly #sent: readonly Slot[]
  /** Per segment of the parent: where it stands in the frozen parent; -1 for nowhere. */
  readonly #standsAt: Int32Array
  readonly #slots: (Slot | null)[]
  readonly #became: number[]
  readonly #stays: boolean[]
  readonly #apart = new Set<number>()
  readonly #left: Map<Slot, string>
  readonly #absent = new Map<number, string>()

  /** `before` is what stands in the frozen parent, or null where that is as it was sent; of an opening, with its departures. */
  constructor(
    { turn, parent, steps }: Alignment,
    before: readonly Standing[] | null,
    options: Freezing,
    departures?: Departures,
  ) {
    this.#turn = turn
    this.#steps = steps
    this.#options = options
    this.#sentBefore = slotsOf(parent)
    this.#sent = slotsOf(turn)
    this.#before = before ?? this.#sentBefore.map((slot, origin) => ({ slot, origin }))
    this.#standsAt = new Int32Array(this.#sentBefore.length).fill(-1)
    for (const [at, { origin }] of this.#before.entries()) if (origin >= 0) this.#standsAt[origin] = at
    this.#slots = new Array<Slot | null>(this.#sent.length).fill(null)
    this.#became = new Array<number>(this.#before.length).fill(-1)
    this.#stays = this.#before.map(({ origin }) => origin < 0)
    this.#left = new Map(departures?.left)
    this.#absentBefore = departures?.absent ?? new Map()
  }

  /** Puts what stands in the frozen turn in order. */
  run(): Arranged {
    const steps = this.#steps
    const lastOld = steps.reduce((last, step) => (isOld(step) ? Math.max(last, step.to) : last), -1)
    for (const step of steps) this.#take(step, lastOld)
    this.#renameCalls()
    const slots = this.#slots
    const standing = arrange({
      before: this.#before,
      slots,
      became: this.#became,
      stays: this.#stays,
      apart: this.#apart,
    })
    const apart = [...this.#apart].flatMap((origin) => {
      const slot = slots[origin]
      return slot === undefined || slot === null ? [] : [{ slot, origin }]
    })
    return { standing, apart, left: this.#left, absent: this.#absent }
  }

  #isFrozen = (culprit: string | null): culprit is string => culprit !== null && this.#options.culprits.has(culprit)

  #kindOf(culprit: string): CulpritKind | undefined {
    return this.#options.culprits.get(culprit)?.kind
  }

  #take(step: Step, lastOld: number): void {
    switch (step.type) {
      case 'same':
        return this.#keep(step.from, step.to, false)
      case 'edited':
        return this.#edit(step.from, step.to, step.hunks)
      case 'moved': {
        const isFrozen = this.#isFrozen(step.culprit)
        const isAtEnd = step.to > lastOld && this.#sent[step.to]?.block.section === 'messages'
        if (!isFrozen || !isAtEnd || this.#isOpening) return this.#keep(step.from, step.to, isFrozen)
        this.#leave(step.from, step.culprit)
        this.#slots[step.to] = this.#sent[step.to] ?? null
        return undefined
      }
      case 'removed':
        if (!this.#isFrozen(step.culprit)) return undefined
        this.#leave(step.from, step.culprit)
        this.#options.telling?.add(step.culprit, '')
        return undefined
      case 'inserted':
        return this.#insert(step.to, step.culprit)
      case 'appended':
        this.#slots[step.to] = this.#sent[step.to] ?? null
    }
  }

  get #isOpening(): boolean {
    return this.#options.telling === null
  }

  /** The segment is there still, in the form that it is frozen in. */
  #keep(from: number, to: number, hold: boolean): void {
    const prior = this.#prior(from, to)
    const sent = this.#sent[to]
    if (prior === undefined || sent === undefined) return
    this.#slots[to] = keptSlot(prior, this.#sentBefore[from] as Slot, sent, hold)
  }

  #edit(from: number, to: number, hunks: readonly Hunk[]): void {
    const prior = this.#prior(from, to)
    const sent = this.#sent[to]
    const sentBefore = this.#sentBefore[from]
    if (prior === undefined || sent === undefined || sentBefore === undefined) return
    for (const hunk of hunks) {
      if (this.#isFrozen(hunk.culprit)) this.#options.telling?.addHunk(hunk.culprit, hunk, sent.block)
    }
    const edit = { prior, sentBefore, sent, hunks }
    this.#slots[to] = editedSlot(edit, this.#isFrozen, this.#turn.format, this.#options.foundry)
  }

  /** What stands for a segment of the parent, which has become one of the turn; undefined for nothing. */
  #prior(from: number, to: number): Slot | undefined {
    const at = this.#standsAt[from] ?? -1
    const prior = this.#before[at]?.slot
    if (prior === undefined) {
      const culprit = this.#absentBefore.get(from)
      if (culprit !== undefined) this.#absent.set(to, culprit)
      return undefined
    }
    this.#became[at] = to
    // In every conversation it is told anew.
    if (this.#isOpening && prior.native) this.#apart.add(to)
    return prior
  }

  /** The segment was taken out or away, and stays. */
  #leave(from: number, culprit: string): void {
    const at = this.#standsAt[from] ?? -1
    const slot = this.#before[at]?.slot
    if (slot === undefined || (this.#isOpening && slot.native)) return
    this.#stays[at] = true
    this.#left.set(slot, culprit)
  }

  #insert(to: number, culprit: string | null): void {
    const sent = this.#sent[to]
    if (sent === undefined) return
    const left = this.#before.findIndex(
      ({ slot, origin }, at) => origin < 0 && slot.block === sent.block && this.#stays[at] === true,
    )
    if (left >= 0) {
      // What was taken out comes back, and never was away.
      this.#became[left] = to
      this.#stays[left] = false
      this.#slots[to] = { ...sent, held: true }
      return
    }
    if (!this.#isFrozen(culprit)) {
      this.#slots[to] = sent
      return
    }
    const kind = this.#kindOf(culprit)
    if (kind === 'tool-added') {
      if (!takesTools(this.#turn)) {
        this.#slots[to] = sent
        return
      }
      this.#apart.add(to)
      const block = nativeTool(this.#turn.format, sent.block, this.#options.foundry)
      this.#slots[to] = { ...sent, held: true, native: true, block }
      return
    }
    // A reminder is sent again where it is newest; of anything else what stood there before stays in its place.
    if (kind === 'moved-block') {
      this.#slots[to] = sent
      return
    }
    this.#absent.set(to, culprit)
    this.#options.telling?.add(culprit, sent.block.text ?? '', sent.block.text === null ? sent.block.tokens : 0)
  }

  /** New results name the calls that they answer by the ids that these have in the frozen request. */
  #renameCalls(): void {
    const { culprits, foundry } = this.#options
    const isOfCalls = (culprit: string): boolean => culprits.get(culprit)?.kind === 'tool-call-ids'
    const appended = this.#steps.flatMap((step) => (step.type === 'appended' ? [step.to] : []))
    renameCalls(this.#slots, appended, isOfCalls, foundry)
  }
}

/** True for what the parent had, at the place where it had it. */
function isOld(step: Step): step is Extract<Step, { type: 'same' | 'edited' }> {
  return step.type === 'same' || step.type === 'edited'
}
