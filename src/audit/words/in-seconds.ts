/**
 * A report with seconds of prefill in place of money: what a server that processes so many tokens of a prompt a second
 * works on what it did not read from its cache. Output and reads take no prefill; where a turn does not say what was
 * read, the rules of the provider do. Only for showing: as JSON, a report has tokens and USD.
 */
import type { Played, Saving } from '../counterfactuals/types.ts'
import type { AuditCounterfactual, AuditCulprit, AuditReport, AuditStream, AuditTurn, Loss } from '../report/types.ts'
import { notRead } from './unit.ts'

/** The report, every amount in it in seconds; what a provider says it charged has none, and is left out. */
export function inSeconds(report: AuditReport, tokensPerSecond: number): AuditReport {
  const clock = new Clock(tokensPerSecond)
  const { totals } = report
  const streams = report.streams.map((stream) => clock.stream(stream))
  const counterfactual = clock.counterfactual(report.counterfactual)
  const { asSent, floor } = counterfactual
  const timed = streams.flatMap(({ provider, turns }) => turns.map((turn) => ({ provider, turn })))
  return {
    ...report,
    totals: {
      ...totals,
      cost: sumOf(timed.map(({ turn }) => turn)),
      billed: null,
      unpriced: 0,
      avoidable: asSent.cost === null || floor.cost === null ? null : asSent.cost - floor.cost,
      lost: clock.loss(totals.lost),
      otherLosses: totals.otherLosses.map((loss) => clock.loss(loss)),
    },
    byModel: report.byModel.map((row) => ({
      ...row,
      cost: sumOf(
        timed
          .filter(({ provider, turn }) => provider === row.provider && turn.model === row.model)
          .map(({ turn }) => turn),
      ),
    })),
    streams,
    culprits: report.culprits.map((culprit) => clock.culprit(culprit)),
    counterfactual,
    unpriced: [],
  }
}

/** Tokens to seconds, in each part of a report. */
class Clock {
  readonly #rate: number

  constructor(rate: number) {
    this.#rate = rate
  }

  loss<L extends Loss>(loss: L): L {
    return { ...loss, cost: loss.tokens / this.#rate }
  }

  stream(stream: AuditStream): AuditStream {
    return {
      ...stream,
      turns: stream.turns.map((turn) => this.#turn(turn)),
      culprits: stream.culprits.map((culprit) => this.culprit(culprit)),
      counterfactual: stream.counterfactual === null ? null : this.counterfactual(stream.counterfactual),
    }
  }

  #turn(turn: AuditTurn): AuditTurn {
    const tokens = processed(turn)
    return {
      ...turn,
      lost: this.loss(turn.lost),
      cost: tokens === null ? null : { read: 0, write: 0, uncached: tokens / this.#rate, output: 0 },
    }
  }

  culprit(culprit: AuditCulprit): AuditCulprit {
    return {
      ...culprit,
      cost: culprit.tokensLost / this.#rate,
      savesAlone: this.#saving(culprit.savesAlone),
      savesLast: this.#saving(culprit.savesLast),
    }
  }

  counterfactual({ asSent, floor, steps, caveats }: AuditCounterfactual): AuditCounterfactual {
    return {
      asSent: this.#played(asSent),
      floor: this.#played(floor),
      steps: steps.map((step) => ({ ...step, saves: this.loss(step.saves), after: this.#played(step.after) })),
      caveats,
    }
  }

  #saving(saving: Saving | null): Saving | null {
    return saving === null ? null : this.loss(saving)
  }

  #played(played: Played): Played {
    return { ...played, cost: (played.tokens.total - played.tokens.read) / this.#rate }
  }
}

/** Tokens of a turn that were not read; null of one that was not answered, and where neither report nor rules tell. */
function processed({ tokens, predicted, verdict }: AuditTurn): number | null {
  if (verdict === 'failed') return null
  if (tokens.total === null) return predicted === null ? null : predicted.write + predicted.uncached
  if (tokens.read !== null || predicted === null) return notRead(tokens)
  return tokens.total - Math.min(tokens.total, predicted.read)
}

function sumOf(turns: readonly AuditTurn[]): number | null {
  const known = turns.flatMap(({ cost }) => cost?.uncached ?? [])
  return known.length === 0 ? null : known.reduce((sum, one) => sum + one, 0)
}
