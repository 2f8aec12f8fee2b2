/** What the report does not know: records that were not read, usage that does not add up, what to record next time. */
import type { AuditReport } from '../report/types.ts'
import { formatCount, formatNumber } from '../words/amounts.ts'
import { firstSentence } from '../words/first-sentence.ts'
import { recordingRemarks } from '../words/recording.ts'
import { element, type Markup } from './markup.ts'
import { turnsInWords, type Numbering } from './numbering.ts'
import { paged, type Rest } from './pages.ts'
import { placeInLog } from './place-in-log.ts'

/** Remarks of a kind of which there are elements at the same time. */
const REMARKS = 20

/** The section, or nothing where all is known. */
export function remarkSection(report: AuditReport, numbering: Numbering, rest: Rest): Markup | null {
  const groups = [
    ['Not read', unreadRemarks(report, false)],
    ['Without a price', priceRemarks(report)],
    ['Usage that does not add up', anomalyRemarks(report, numbering)],
    ['Not reproduced', differingRemarks(numbering)],
    ['To record next time', recordingRemarks(report)],
    ['Reasons that were logged, and what they are here', confusionRemarks(report)],
    ['Other calls, which are no problem', unreadRemarks(report, true)],
  ] as const
  const told = groups.filter(([, remarks]) => remarks.length > 0)
  if (told.length === 0) return null
  return element(
    'section',
    { 'aria-labelledby': 'remarks' },
    element('h2', { id: 'remarks' }, 'What is not known'),
    ...told.map(([title, remarks]) =>
      element(
        'div',
        {},
        element('h3', {}, `${title}: ${formatNumber(remarks.length)}`),
        paged(
          {
            noun: 'Remarks',
            items: remarks.map((remark) => element('li', {}, remark)),
            size: REMARKS,
            name: 'remarks',
          },
          rest,
        ),
      ),
    ),
  )
}

/** Of calls that are none to a model, or of all others. */
function unreadRemarks({ unread }: AuditReport, isOther: boolean): string[] {
  return unread
    .filter(({ kind }) => (kind === 'other-traffic') === isOther)
    .map((problem) => `${placeInLog(problem)}: ${problem.kind}. ${problem.message}`)
}

function priceRemarks({ unpriced }: AuditReport): string[] {
  return unpriced.map(
    ({ model, turns, message }) =>
      `${model ?? 'A model without a name'}, ${formatCount(turns, 'turn')}: ${firstSentence(message)}`,
  )
}

function anomalyRemarks({ anomalies }: AuditReport, numbering: Numbering): string[] {
  return anomalies.map(({ turn, type, message }) => `${type}: ${message} (${turnsInWords([turn], numbering)})`)
}

/** Warm turns that read something else than the rules say. */
function differingRemarks(numbering: Numbering): string[] {
  return numbering.streams.flatMap(({ turns }) =>
    turns.flatMap(({ index, reproduced, tokens, predicted }) => {
      const [read, expected] = [tokens.read ?? 0, predicted?.read ?? 0].map(formatNumber)
      if (reproduced !== false) return []
      return [`${turnsInWords([index], numbering)}: read ${read}, by the rules ${expected}`]
    }),
  )
}

function confusionRemarks({ confusion }: AuditReport): string[] {
  return confusion.map(({ provider, ours, count }) => `${provider} is ${ours} here, ${formatNumber(count)} times`)
}
