/** What stands above everything: how many turns, what they cost, and what they need not have cost. */
import type { AuditReport } from '../../../audit/index.ts'
import { figuresOf, titleOf } from '../../../audit/words/figures.ts'
import { dollars, type Unit } from '../../../audit/words/unit.ts'
import { formatNumber, WIDTH, wrap } from '../../layout.ts'
import type { Paint } from '../../output.ts'
import { formatCount, short } from './amounts.ts'
import { middleOut } from './place.ts'

/** Models that are named. */
const MODELS = 3

/** The summary, in at most ten lines. */
export function summaryLines(report: AuditReport, paint: Paint, all: boolean, unit: Unit = dollars): string[] {
  const { warm, of } = report.reproduced
  const others = warm === of || all ? '' : ' (the others: --all)'
  return [
    paint('bold', short(titleOf(report), WIDTH)),
    ...modelLines(report.byModel, unit),
    '',
    ...figuresOf(report, whyNoBill(report), unit).map(([name, value, text]) =>
      short(`${name.padEnd(12)}${value.padStart(9)}  ${text}${name === 'reproduced' ? others : ''}`, WIDTH),
    ),
  ]
}

function modelLines(models: AuditReport['byModel'], unit: Unit): string[] {
  const named = models.slice(0, MODELS).map(({ model, turns, cost }) => {
    const price = cost === null ? '' : `, ${unit.amount(cost)}`
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
