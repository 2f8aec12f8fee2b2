/** The figures that stand above everything, in words: how many turns, and what they need not have cost. */
import type { AuditReport } from '../report/types.ts'
import { formatCount, formatNumber, formatShare } from './amounts.ts'
import { dollars, type Unit } from './unit.ts'

/** How much a report is about. */
export function titleOf({ totals, range }: AuditReport): string {
  return `${formatCount(totals.turns, 'turn')} in ${formatCount(totals.streams, 'conversation')}${rangeOf(range)}`
}

function rangeOf({ from, to }: AuditReport['range']): string {
  if (from === null || to === null) return ', no times'
  const [start, end] = [from, to].map((time) => time.slice(0, 16).replace('T', ' ')) as [string, string]
  const sameDay = start.slice(0, 10) === end.slice(0, 10)
  return `, ${start} to ${sameDay ? end.slice(11) : end} UTC`
}

/** A figure: its name, its value, and what it is. */
export type Figure = readonly [name: string, value: string, text: string]

/** The figures of a whole report. Of a bill that nobody can write, `noBill` says why. */
export function figuresOf(report: AuditReport, noBill: string, unit: Unit = dollars): readonly Figure[] {
  const { totals, reproduced } = report
  const { tokens, hitRate, cost, unpriced, billed, failed } = totals
  const without = unpriced === 0 ? '' : `; ${formatCount(unpriced, 'turn')} without one`
  const input = `of ${formatNumber(tokens.total ?? 0)} tokens of input were read from the cache`
  return [
    hitRate === null ? ['hit rate', '?', 'no turn reports what it read'] : ['hit rate', formatShare(hitRate), input],
    unit.name === 'seconds'
      ? ['prefill', cost === null ? '?' : unit.amount(cost), 'for tokens that were not read from the cache']
      : cost === null
        ? ['bill', '?', noBill]
        : ['bill', unit.amount(cost), `for reported tokens, at list prices${without}`],
    ...(billed === null
      ? []
      : [['charged', unit.amount(billed.amount), `as reported for ${formatCount(billed.turns, 'turn')}`] as const]),
    ...playedFigures(report, unit),
    reproduced.of === 0
      ? ['reproduced', '-', 'no warm turn can be checked against the rules']
      : ['reproduced', `${reproduced.warm} of ${reproduced.of}`, 'warm turns read what the rules say'],
    ...(failed === 0 ? [] : [['failed', formatNumber(failed), 'calls were not answered, and not billed'] as const]),
  ]
}

/** What was played: in dollars or seconds, in tokens that were not read where nothing has a price, or why it was not. */
function playedFigures({ totals, streams, counterfactual }: AuditReport, unit: Unit): readonly Figure[] {
  if (totals.turns === 0) return []
  const { asSent, floor } = counterfactual
  const played = streams.filter((stream) => stream.counterfactual !== null)
  const costs = [asSent?.cost ?? null, floor?.cost ?? null]
  const inUnit = !costs.includes(null)
  const counted = played.filter((stream) => !inUnit || stream.counterfactual?.asSent?.cost !== null)
  const turns = counted.flatMap((stream) => stream.turns).filter(({ verdict }) => verdict !== 'failed').length
  if (turns === 0) return [['avoidable', '?', 'not known: the log has no bodies']]
  const answered = totals.turns - totals.failed
  const which = turns === answered ? 'the same requests' : `${formatNumber(turns)} of ${formatCount(answered, 'turn')}`
  const tokens = [asSent, floor].map((one) => (one?.tokens.total ?? 0) - (one?.tokens.read ?? 0))
  const [sent, least] = (inUnit ? costs : tokens) as [number, number]
  const format = inUnit ? unit.amount : formatNumber
  const share =
    sent === 0 ? '' : `: ${formatShare((sent - least) / sent)} of the ${inUnit ? unit.name : 'tokens'} as sent`
  return [
    [
      'as sent',
      format(sent),
      `${inUnit ? 'by the rules of the provider' : 'tokens not read, by the rules'}, for ${which}`,
    ],
    [
      'floor',
      format(least),
      `${inUnit ? '' : 'tokens not read, '}with each segment written once${inUnit ? ' and read afterwards' : ''}`,
    ],
    ['avoidable', format(sent - least), `between the two${share}`],
  ]
}
