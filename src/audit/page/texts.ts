/** Texts out of logs, as the report has them: shown, or as a shape where they are masked. */
import type { ReportText } from '../report/types.ts'
import { formatNumber } from '../words/amounts.ts'
import { element, type Markup } from './markup.ts'

/** Digits of a hash that tell texts of one page. */
const HASH = 6

/** The text; of one that is masked, its shape, its length and a hash that tells equal texts. */
export function reportText({ text, preview, length, hash }: ReportText): Markup {
  if (length === 0) return element('span', { class: 'quiet' }, 'empty')
  const size = `${formatNumber(length)} character${length === 1 ? '' : 's'}`
  if (text === null) {
    return element(
      'span',
      {},
      element('code', { class: 'masked' }, preview),
      element('span', { class: 'quiet' }, ` masked, ${size}, #${hash.slice(0, HASH)}`),
    )
  }
  const shown = element('code', {}, text)
  return text.length < length ? element('span', {}, shown, element('span', { class: 'quiet' }, ` cut, ${size}`)) : shown
}
