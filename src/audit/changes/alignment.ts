/**
 * Alignments as they are kept: runs of equal segments as one record each. Nearly every turn only goes on from its
 * parent, so most of them are two numbers.
 */
import type { Turn } from '../record/types.ts'
import type { Alignment, Hunk, Step } from './types.ts'
import type { Blame } from './finding.ts'

/** A step, or several of one kind in a row. */
export type KeptStep =
  | { readonly type: 'same'; readonly from: number; readonly to: number; readonly count: number }
  | { readonly type: 'appended'; readonly to: number; readonly count: number }
  | Exclude<Step, { readonly type: 'same' | 'appended' }>

/** A hunk that learns its culprit later. */
export type OpenHunk = Omit<Hunk, 'culprit'> & Blame

/** A parameter that does. */
export type OpenParameter = { readonly name: string } & Blame

/** An alignment whose steps are put together when asked for. */
export class KeptAlignment implements Alignment {
  readonly turn: Turn
  readonly parent: Turn
  readonly parameters: readonly OpenParameter[]
  readonly notes: readonly string[]
  readonly #steps: readonly KeptStep[]

  constructor(
    parent: Turn,
    turn: Turn,
    kept: {
      readonly steps: readonly KeptStep[]
      readonly parameters: readonly OpenParameter[]
      readonly notes: readonly string[]
    },
  ) {
    this.turn = turn
    this.parent = parent
    this.parameters = kept.parameters
    this.notes = kept.notes
    this.#steps = kept.steps
  }

  get steps(): readonly Step[] {
    const steps: Step[] = []
    for (const step of this.#steps) {
      if (step.type === 'same') {
        for (let index = 0; index < step.count; index++)
          steps.push({ type: 'same', from: step.from + index, to: step.to + index })
      } else if (step.type === 'appended') {
        for (let index = 0; index < step.count; index++) steps.push({ type: 'appended', to: step.to + index })
      } else steps.push(step)
    }
    return steps
  }
}

/** Adds a step to `steps`, to the run at its end where it continues it. */
export function keep(steps: KeptStep[], step: Step): void {
  const last = steps.at(-1)
  if (step.type === 'same') {
    if (last?.type === 'same' && last.from + last.count === step.from && last.to + last.count === step.to) {
      steps[steps.length - 1] = { ...last, count: last.count + 1 }
    } else steps.push({ ...step, count: 1 })
  } else if (step.type === 'appended') {
    if (last?.type === 'appended' && last.to + last.count === step.to)
      steps[steps.length - 1] = { ...last, count: last.count + 1 }
    else steps.push({ ...step, count: 1 })
  } else steps.push(step)
}
