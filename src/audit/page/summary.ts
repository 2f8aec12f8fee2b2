/** What stands above everything: how many turns, what they cost, and what they need not have cost. */
import type { AuditReport } from '../report/types.ts'
import { formatNumber, formatShare } from '../words/amounts.ts'
import { figuresOf, titleOf } from '../words/figures.ts'
import { meanings } from '../words/meanings.ts'
import type { Unit } from '../words/unit.ts'
import { element, type Markup } from './markup.ts'
import { table } from './tables.ts'
import { tokensInWords } from './turn-facts.ts'

/** Models without a price that are named. */
const MODELS = 3

/** The head of the page, with the figures. */
export function summarySection(report: AuditReport, unit: Unit): Markup {
  return element(
    'section',
    { 'aria-label': 'Summary' },
    element('p', { class: 'lead' }, titleOf(report)),
    element(
      'dl',
      { class: 'figures' },
      ...figuresOf(report, noBill(report), unit).map(([name, value, text]) =>
        element(
          'div',
          {},
          element('dt', {}, name),
          element('dd', {}, element('strong', {}, value), element('span', {}, ` ${text}`)),
        ),
      ),
    ),
  )
}

/** The sums behind the figures, or nothing where there is no turn. */
export function sumSection({ totals, byModel }: AuditReport, unit: Unit): Markup | null {
  if (totals.turns === 0) return null
  const tokens = tokensInWords(totals.tokens)
  return element(
    'section',
    { 'aria-labelledby': 'sums' },
    element('h2', { id: 'sums' }, 'Sums'),
    tokens === '' ? null : element('p', { class: 'quiet' }, `Tokens as reported: ${tokens}.`),
    byModel.length === 0
      ? null
      : table(
          'By model',
          [
            'model',
            'provider',
            '#turns',
            '#input tokens',
            '#hit rate',
            `#${unit.name === 'seconds' ? 'prefill' : 'cost'}`,
          ],
          byModel.map(({ model, provider, turns, tokens: { total }, hitRate, cost }) => [
            model ?? 'not named',
            provider,
            formatNumber(turns),
            total === null ? '?' : formatNumber(total),
            hitRate === null ? '?' : formatShare(hitRate),
            cost === null ? '?' : unit.amount(cost),
          ]),
        ),
    totals.verdicts.length === 0
      ? null
      : table(
          'By verdict: what the cache made of a turn',
          ['verdict', '#turns', 'what it means'],
          totals.verdicts.map(({ verdict, turns }) => [verdict, formatNumber(turns), meanings[verdict]]),
        ),
  )
}

function noBill({ unpriced }: AuditReport): string {
  const models = [...new Set(unpriced.flatMap(({ model }) => model ?? []))]
  if (models.length === 0) return 'no turn reports usage of a model that is named'
  const left = models.length - MODELS
  return `no price is known for ${models.slice(0, MODELS).join(', ')}${left > 0 ? ` and ${formatNumber(left)} more` : ''}`
}
