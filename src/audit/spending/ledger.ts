/** Judged turns to sums: over all of them, by session, by cause, and by what was asked for. */
import type { Usage } from '../../base/usage.ts'
import type { PriceTable } from '../../cache/index.ts'
import type { Turn } from '../record/types.ts'
import { costOfLoss, priceTurn } from '../report/money.ts'
import { priceOf } from '../report/rates.ts'
import { logged, toTime } from '../report/turn.ts'
import type { Verdict } from '../verdicts/types.ts'
import { adviceFor, causeOf, isAvoidable } from './causes.ts'
import { descending, SessionTally } from './session-tally.ts'
import { CauseTallies, Tally, type Counted } from './tally.ts'
import type { GroupSpending, Grouping, LossCause, SpendingReport, UnpricedTurns } from './types.ts'

/** How to sum up. */
export interface LedgerOptions {
  readonly prices?: PriceTable | undefined
  readonly by?: Grouping | undefined
}

type Summary = Pick<SpendingReport, 'totals' | 'causes' | 'sessions' | 'groups' | 'unpriced'> & {
  readonly range: Pick<SpendingReport['range'], 'from' | 'to'>
}

/** Takes in turns one by one and keeps none of them but the first of each session. */
export class Ledger {
  readonly #options: LedgerOptions
  readonly #price: (turn: Turn, usage: Usage) => number | null
  readonly #all = new Tally()
  readonly #sessions = new Map<string, SessionTally>()
  readonly #causes = new CauseTallies()
  readonly #groups = new Map<string | null, Tally>()
  readonly #unpriced = new Map<string, UnpricedTurns>()
  readonly #projects = new Set<string>()
  #from: number | undefined
  #to: number | undefined

  constructor(options: LedgerOptions) {
    this.#options = options
    this.#price = priceOf(options.prices)
  }

  /** Counts a turn out of a log of the format with the id `format`. */
  add(turn: Turn, verdict: Verdict, format: string | null): void {
    const { prices, by } = this.#options
    const { usage, exchange } = turn
    const paid = usage === undefined || turn.failed ? null : this.#price(turn, whole(usage))
    const cause = turn.failed ? null : causeOf(verdict)
    const tokens = cause === null ? 0 : verdict.lostTokens
    const cost =
      usage === undefined || tokens === 0 ? null : costOfLoss(usage, tokens, (one) => priceTurn(turn, one, prices))
    const counted: Counted = {
      turn,
      cost: paid,
      lost: { tokens, cost },
      avoidable: cause !== null && isAvoidable(cause.kind),
    }
    this.#all.add(counted)
    const session = this.#sessionOf(turn, format)
    session.add(counted, cause)
    if (session.project !== undefined) this.#projects.add(session.project)
    if (cause !== null) this.#causes.add(cause, counted.lost)
    if (by !== undefined) tallyOf(this.#groups, groupOf(by, turn, session)).add(counted)
    if (paid === null && !turn.failed) this.#addUnpriced(turn)
    const { startedAt = exchange.endedAt, endedAt = startedAt } = exchange
    if (startedAt !== undefined) this.#from = Math.min(startedAt, this.#from ?? startedAt)
    if (endedAt !== undefined) this.#to = Math.max(endedAt, this.#to ?? endedAt)
  }

  /** The sums so far. */
  summary(): Summary {
    const { by } = this.#options
    const sessions = [...this.#sessions.values()].map((session) => session.report())
    return {
      range: { from: toTime(this.#from), to: toTime(this.#to) },
      totals: { sessions: sessions.length, projects: this.#projects.size, ...this.#all.spent() },
      causes: this.#causesByMoney(),
      sessions: sessions.sort((one, other) => descending(worthOf(one), worthOf(other))),
      groups: by === undefined ? null : { by, rows: rowsOf(this.#groups, by) },
      unpriced: [...this.#unpriced.values()].sort((one, other) => other.turns - one.turns),
    }
  }

  #sessionOf(turn: Turn, format: string | null): SessionTally {
    const { ids, source } = turn.exchange
    const key = JSON.stringify([format, ids.session ?? null, ids.session === undefined ? source.file : null])
    const known = this.#sessions.get(key) ?? new SessionTally(turn, format)
    this.#sessions.set(key, known)
    return known
  }

  #causesByMoney(): readonly LossCause[] {
    const causes = this.#causes.all().map(({ cause, loss }): LossCause => ({
      ...cause,
      avoidable: isAvoidable(cause.kind),
      turns: loss.turns,
      ...loss.loss(),
      advice: adviceFor(cause),
    }))
    return causes.sort((one, other) => descending([one.cost ?? 0, one.tokens], [other.cost ?? 0, other.tokens]))
  }

  #addUnpriced(turn: Turn): void {
    const priced = turn.usage === undefined ? undefined : priceTurn(turn, turn.usage, this.#options.prices)
    if (priced?.type !== 'unknown') return
    const { reason } = priced
    const model = logged(turn.model)
    const key = JSON.stringify([model, reason])
    this.#unpriced.set(key, { model, reason, turns: (this.#unpriced.get(key)?.turns ?? 0) + 1 })
  }
}

/** Buckets that a provider has none of are 0 to a price, where those that it reports add up to all input. */
function whole(usage: Usage): Usage {
  const { total, read = 0, write5m = 0, write30m = 0, write1h = 0, uncached = 0 } = usage
  if (total !== read + write5m + write30m + write1h + uncached) return usage
  return { ...usage, read, write5m, write30m, write1h, uncached, cost: undefined }
}

function worthOf({ avoidable, cost, tokens }: SpendingReport['sessions'][number]): readonly number[] {
  return [avoidable.cost ?? 0, avoidable.tokens, cost ?? 0, tokens.total ?? 0]
}

function tallyOf(groups: Map<string | null, Tally>, name: string | null): Tally {
  const known = groups.get(name) ?? new Tally()
  groups.set(name, known)
  return known
}

function groupOf(by: Grouping, { model, exchange }: Turn, session: SessionTally): string | null {
  if (by === 'model') return logged(model)
  if (by === 'project') return logged(session.project)
  return toTime(exchange.startedAt ?? exchange.endedAt)?.slice(0, 10) ?? null
}

/** Days in their order, the newest first; all else by money. */
function rowsOf(groups: ReadonlyMap<string | null, Tally>, by: Grouping): readonly GroupSpending[] {
  const rows = [...groups].map(([name, tally]): GroupSpending => ({ name, ...tally.spent() }))
  if (by === 'day') return rows.sort((one, other) => ((one.name ?? '') < (other.name ?? '') ? 1 : -1))
  return rows.sort((one, other) => descending([one.cost ?? 0, one.turns], [other.cost ?? 0, other.turns]))
}
