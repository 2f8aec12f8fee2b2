/** What broke the cache, in order of money: where it stands, what its values were, what it cost, and what to do. */
import type { AuditCulprit, AuditReport } from '../report/types.ts'
import { formatCount, formatNumber, formatShare } from '../words/amounts.ts'
import type { Item } from '../words/items.ts'
import { savingIn, type Unit } from '../words/unit.ts'
import { factList, type Fact } from './facts.ts'
import { element, type Markup } from './markup.ts'
import { turnsInWords, type Numbering } from './numbering.ts'
import { paged, type Rest } from './pages.ts'
import { reportText } from './texts.ts'

/** Items of which there are elements at the same time, and those that are open from the start. */
const ITEMS = 25
const OPEN = 5
/** Values that are seen at once; all others open. */
const VALUES = 6

const SCOPES: Readonly<Record<AuditCulprit['scope'], string>> = {
  within: 'from turn to turn',
  between: 'between sessions',
  both: 'from turn to turn, and between sessions',
}

/** The section. */
export function culpritSection(report: AuditReport, items: readonly Item[], numbering: Numbering, rest: Rest): Markup {
  const { totals } = report
  const none = totals.otherLosses.length === 0 ? 'Nothing breaks the cache.' : 'No culprit was found.'
  return element(
    'section',
    { 'aria-labelledby': 'culprits' },
    element('h2', { id: 'culprits' }, 'What breaks the cache, by money'),
    items.length === 0
      ? element('p', {}, totals.turns === 0 ? 'There is no turn.' : none)
      : paged(
          {
            noun: 'Culprits',
            items: items.map((item, index) => itemEntry(item, index, numbering)),
            size: ITEMS,
            name: 'culprits',
          },
          rest,
        ),
    totals.lost.tokens === 0 && totals.otherLosses.length === 0
      ? null
      : element('p', {}, lossLine(totals, numbering.unit)),
  )
}

function lossLine({ lost, otherLosses }: AuditReport['totals'], unit: Unit): string {
  const others = otherLosses.map(
    ({ reason, turns, cost, tokens }) => `${reason} ${unit.of(cost, tokens)} on ${formatCount(turns, 'turn')}`,
  )
  const otherwise = others.length === 0 ? '' : ` Of that, not due to culprits: ${others.join('; ')}.`
  return `Lost in all: ${lossInWords(lost.cost, lost.tokens, unit)}.${otherwise}`
}

function lossInWords(cost: number | null, tokens: number, unit: Unit): string {
  const counted = formatCount(Math.round(tokens), 'token')
  return cost === null ? counted : `${unit.of(cost, tokens)} (${counted})`
}

function itemEntry(item: Item, index: number, numbering: Numbering): Markup {
  const { kind, path, culprits, turns, tokensLost, cost, savesAlone, scope, fix } = item
  const places = culprits.length === 1 ? '' : `, ${culprits.length} places`
  const alone = savesAlone === null ? '' : `; fixed alone ${savingIn(numbering.unit, savesAlone)}`
  return element(
    'li',
    {},
    element(
      'details',
      { class: 'culprit', ...(index < OPEN && { open: '' }) },
      element(
        'summary',
        {},
        element('h3', {}, `${index + 1}. ${kind} at `, element('code', {}, path), places),
        element(
          'span',
          { class: 'loss' },
          `${numbering.unit.of(cost, tokensLost)} on ${formatCount(turns, 'turn')}${alone}`,
        ),
      ),
      element('p', { class: 'fix' }, fix),
      element('p', { class: 'quiet' }, `It changes ${SCOPES[scope]}.`),
      ...culprits.map((culprit) => culpritFacts(culprit, culprits.length > 1, numbering)),
    ),
  )
}

function culpritFacts(culprit: AuditCulprit, isOneOfMany: boolean, numbering: Numbering): Markup {
  const { offset, anchor, values, occurrences, confidence, tokensLost, cost, savesAlone, savesLast, id } = culprit
  const loss: Fact[] = [
    ['lost', lossInWords(cost, tokensLost, numbering.unit)],
    ['fixed alone', savesAlone === null ? 'not played' : savingIn(numbering.unit, savesAlone)],
    ['fixed last', savesLast === null ? null : savingIn(numbering.unit, savesLast)],
  ]
  return element(
    'div',
    { class: isOneOfMany ? 'place' : undefined },
    factList([
      ['values', valuesOf(values)],
      ['differs on', turnsInWords([...new Set(occurrences.map(({ turn }) => turn))], numbering)],
      ...loss,
      ['place', offset === null ? null : `character ${formatNumber(offset)} of the block`],
      ['behind', anchor === null || anchor.before.length === 0 ? null : reportText(anchor.before)],
      ['in front of', anchor === null || anchor.after.length === 0 ? null : reportText(anchor.after)],
      ['confidence', formatShare(confidence)],
      ['id', element('code', {}, id)],
    ]),
  )
}

function valuesOf(values: AuditCulprit['values']): Markup | null {
  if (values.length === 0) return null
  const items = values.map((value) => element('li', {}, reportText(value)))
  const left = items.slice(VALUES)
  return element(
    'div',
    {},
    element('ol', { class: 'values' }, ...items.slice(0, VALUES)),
    left.length === 0
      ? null
      : element(
          'details',
          {},
          element('summary', {}, formatCount(left.length, 'more value')),
          element('ol', { class: 'values', start: VALUES + 1 }, ...left),
        ),
  )
}
