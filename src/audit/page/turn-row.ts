/**
 * A turn on a page: a row with a bar as wide as its request, which opens to all that is known of it. What was read, sent
 * again and new differ in pattern as well as in colour, and a label says them in words.
 */
import type { AuditTurn } from '../report/types.ts'
import { formatNumber } from '../words/amounts.ts'
import { costOf, endOf, partsOf, type Parts } from '../words/turn.ts'
import { element, type Markup } from './markup.ts'
import type { Numbering } from './numbering.ts'
import { turnFacts } from './turn-facts.ts'

/** Row `position`, from 1, of a conversation whose largest request has `most` tokens. */
export function turnRow(turn: AuditTurn, position: number, most: number, numbering: Numbering): Markup {
  const parts = partsOf(turn)
  const cost = costOf(turn)
  const tokens = parts === null ? '?' : `${parts.reported ? '' : '~'}${formatNumber(Math.round(parts.total))}`
  return element(
    'li',
    {},
    element(
      'details',
      { class: 'turn' },
      element(
        'summary',
        {},
        element('span', { class: 'number' }, element('span', { class: 'hidden' }, 'Turn '), position),
        element('span', { class: 'tokens' }, tokens, element('span', { class: 'hidden' }, ' tokens')),
        parts === null ? element('span', { class: 'bar' }) : bar(parts, most),
        element('span', { class: 'cost' }, cost === null ? '' : numbering.unit.amount(cost)),
        element('span', { class: turn.lost.tokens > 0 ? 'way lost' : 'way' }, endOf(turn, numbering.kinds)),
      ),
      turnFacts(turn, numbering),
    ),
  )
}

/** Decimals of a width in percent. */
const DECIMALS = 3

function bar({ total, read, again }: Parts, most: number): Markup {
  const fresh = total - read - again
  const kinds = [
    ['read', read, 'read'],
    ['again', again, 'sent again'],
    ['new', fresh, 'new'],
  ] as const
  const percent = (tokens: number): string => `${Number(((100 * tokens) / Math.max(1, most)).toFixed(DECIMALS))}%`
  let start = 0
  const stretches = kinds.map(([name, tokens]) => {
    const x = percent(start)
    start += tokens
    return tokens <= 0 ? null : element('rect', { class: name, x, width: percent(tokens), height: '100%' })
  })
  const label = kinds.map(([, tokens, words]) => `${words} ${formatNumber(Math.round(tokens))}`).join(', ')
  return element('svg', { class: 'bar', role: 'img', 'aria-label': label }, ...stretches)
}
