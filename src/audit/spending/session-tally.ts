/** What one session of a client comes to, its sub-agents included. */
import type { Turn } from '../record/types.ts'
import { logged, toTime } from '../report/turn.ts'
import { isAvoidable, type Cause } from './causes.ts'
import { CauseTallies, Tally, type CauseTally, type Counted } from './tally.ts'
import type { SessionSpending } from './types.ts'

/** Adds up the turns of a session. */
export class SessionTally {
  readonly #first: Turn
  readonly #format: string | null
  readonly #tally = new Tally()
  readonly #models = new Map<string, number>()
  readonly #causes = new CauseTallies()
  #project: string | undefined
  #from: number | undefined
  #to: number | undefined

  constructor(first: Turn, format: string | null) {
    this.#first = first
    this.#format = format
  }

  /** The folder that its first turn was made for, as the log has it. */
  get project(): string | undefined {
    return this.#project
  }

  add(counted: Counted, cause: Cause | null): void {
    const { turn, lost } = counted
    const { exchange, model } = turn
    const { startedAt = exchange.endedAt, endedAt = startedAt } = exchange
    this.#tally.add(counted)
    this.#project ??= exchange.project
    if (startedAt !== undefined) this.#from = Math.min(startedAt, this.#from ?? startedAt)
    if (endedAt !== undefined) this.#to = Math.max(endedAt, this.#to ?? endedAt)
    if (model !== undefined) this.#models.set(model, (this.#models.get(model) ?? 0) + 1)
    if (cause !== null) this.#causes.add(cause, lost)
  }

  report(): SessionSpending {
    const { ids, source } = this.#first.exchange
    const [model] = [...this.#models].reduce<readonly [string | undefined, number]>(
      (most, one) => (one[1] > most[1] ? one : most),
      [undefined, 0],
    )
    return {
      format: this.#format,
      session: logged(ids.session),
      project: logged(this.#project),
      file: source.file,
      from: toTime(this.#from),
      to: toTime(this.#to),
      model: logged(model),
      cause: this.#cause(),
      ...this.#tally.spent(),
    }
  }

  #cause(): Cause | null {
    const [first] = this.#causes.all().toSorted((one, other) => descending(worthOf(one), worthOf(other)))
    return first?.cause ?? null
  }
}

function worthOf({ cause, loss }: CauseTally): readonly number[] {
  const { tokens, cost } = loss.loss()
  return [isAvoidable(cause.kind) ? 1 : 0, cost ?? 0, tokens]
}

/** Orders lists of numbers, the larger first; of equal ones the next decide. */
export function descending(one: readonly number[], other: readonly number[]): number {
  for (const [index, value] of one.entries()) {
    const difference = (other[index] ?? 0) - value
    if (difference !== 0) return difference
  }
  return 0
}
