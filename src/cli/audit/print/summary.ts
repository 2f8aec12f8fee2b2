/** What stands above everything: how many turns, what they cost, and what they need not have cost. */
import type { AuditReport } from '../../../audit/index.ts'
import { formatNumber, WIDTH, wrap } from '../../layout.ts'
import type { Paint } from '../../output.ts'
import { formatCount, formatDollars, formatShare, short } from './amounts.ts'
import { middleOut } from './place.ts'

/** Models that are named. */
const MODELS = 3

/** The summary, in at most ten lines. */
export function summaryLines(report: AuditReport, paint: Paint, all: boolean): string[] {
  const { totals, range, byModel, reproduced } = report
  const { tokens, hitRate, cost, unpriced, billed, failed } = totals
  const title = `${formatCount(totals.turns, 'turn')} in ${formatCount(totals.streams, 'conversation')}${rangeOf(range)}`
  const lines = [paint('bold', short(title, WIDTH)), ...modelLines(byModel), '']
  const line = (name: string, value: string, text: string): void => {
    lines.push(short(`${name.padEnd(12)}${value.padStart(9)}  ${text}`, WIDTH))
  }
  if (hitRate === null) line('hit rate', '?', 'no turn reports what it read')
  else
    line(
      'hit rate',
      formatShare(hitRate),
      `of ${formatNumber(tokens.total ?? 0)} tokens of input were read from the cache`,
    )
  if (cost === null) line('bill', '?', whyNoBill(report))
  else {
    const without = unpriced === 0 ? '' : `; ${formatCount(unpriced, 'turn')} without one`
    line('bill', formatDollars(cost), `for reported tokens, at list prices${without}`)
  }
  if (billed !== null)
    line('charged', formatDollars(billed.amount), `as reported for ${formatCount(billed.turns, 'turn')}`)
  for (const [name, value, text] of playedRows(report)) line(name, value, text)
  const checked =
    reproduced.of === 0
      ? 'no warm turn can be checked against the rules'
      : `warm turns read what the rules say${reproduced.warm === reproduced.of || all ? '' : ' (the others: --all)'}`
  line('reproduced', reproduced.of === 0 ? '-' : `${reproduced.warm} of ${reproduced.of}`, checked)
  if (failed > 0) line('failed', formatNumber(failed), 'calls were not answered, and not billed')
  return lines
}

function rangeOf({ from, to }: AuditReport['range']): string {
  if (from === null || to === null) return ', no times'
  const [start, end] = [from, to].map((time) => time.slice(0, 16).replace('T', ' ')) as [string, string]
  const sameDay = start.slice(0, 10) === end.slice(0, 10)
  return `, ${start} to ${sameDay ? end.slice(11) : end} UTC`
}

function modelLines(models: AuditReport['byModel']): string[] {
  const named = models.slice(0, MODELS).map(({ model, turns, cost }) => {
    const price = cost === null ? '' : `, ${formatDollars(cost)}`
    return `${short(model ?? 'no model named', 40)} (${formatCount(turns, 'turn')}${price})`
  })
  if (models.length > MODELS) named.push(`${formatNumber(models.length - MODELS)} more`)
  return named.length === 0 ? [] : wrap(named.join(', '), WIDTH).slice(0, 2)
}

/** Columns of what stands beside a figure. */
const TEXT_WIDTH = WIDTH - 23
const PRICES = ' (--prices FILE)'

function whyNoBill({ unpriced }: AuditReport): string {
  const models = [...new Set(unpriced.flatMap(({ model }) => model ?? []))].map((model) => short(model, WIDTH))
  const [first] = models
  if (first === undefined) return 'no turn reports usage of a model that is named'
  const room = TEXT_WIDTH - PRICES.length
  for (let count = Math.min(MODELS, models.length); count > 0; count--) {
    for (const start of ['no price is known for', 'no price for']) {
      const text = `${start} ${models.slice(0, count).join(', ')}${moreOf(models.length - count)}`
      if (Array.from(text).length <= room) return text + PRICES
    }
  }
  const more = moreOf(models.length - 1)
  return `no price for ${middleOut(first, room - 13 - more.length)}${more}${PRICES}`
}

function moreOf(count: number): string {
  return count === 0 ? '' : ` and ${formatNumber(count)} more`
}

type Row = readonly [name: string, value: string, text: string]

/** What was played: in dollars, in tokens that were not read where nothing has a price, or why it was not. */
function playedRows({ totals, streams, counterfactual }: AuditReport): readonly Row[] {
  if (totals.turns === 0) return []
  const { asSent, floor } = counterfactual
  const played = streams.filter((stream) => stream.counterfactual !== null)
  const costs = [asSent?.cost ?? null, floor?.cost ?? null]
  const inDollars = !costs.includes(null)
  const counted = played.filter((stream) => !inDollars || stream.counterfactual?.asSent?.cost !== null)
  const turns = counted.flatMap((stream) => stream.turns).filter(({ verdict }) => verdict !== 'failed').length
  if (turns === 0) return [['avoidable', '?', 'not known: the log has no bodies']]
  const answered = totals.turns - totals.failed
  const which = turns === answered ? 'the same requests' : `${formatNumber(turns)} of ${formatCount(answered, 'turn')}`
  const tokens = [asSent, floor].map((one) => (one?.tokens.total ?? 0) - (one?.tokens.read ?? 0))
  const [sent, least] = (inDollars ? costs : tokens) as [number, number]
  const format = inDollars ? formatDollars : formatNumber
  const share =
    sent === 0 ? '' : `: ${formatShare((sent - least) / sent)} of the ${inDollars ? 'dollars' : 'tokens'} as sent`
  return [
    [
      'as sent',
      format(sent),
      `${inDollars ? 'by the rules of the provider' : 'tokens not read, by the rules'}, for ${which}`,
    ],
    [
      'floor',
      format(least),
      `${inDollars ? '' : 'tokens not read, '}with each segment written once${inDollars ? ' and read afterwards' : ''}`,
    ],
    ['avoidable', format(sent - least), `between the two${share}`],
  ]
}
