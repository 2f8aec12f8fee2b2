/** What the report does not know: records that were not read, usage that does not add up, what to record next time. */
import type { AuditReport } from '../../../audit/index.ts'
import { firstSentence } from '../../../audit/words/first-sentence.ts'
import { recordingRemarks } from '../../../audit/words/recording.ts'
import { formatNumber, WIDTH, wrap } from '../../layout.ts'
import type { Paint } from '../../output.ts'
import { formatCount, short } from './amounts.ts'
import { placeOf } from './place.ts'

/** Models without a price that are named. */
const MODELS = 3

/** All remarks, or what of them fits into `limit` lines; the first line of each comes before the second of any. */
export function remarkLines(report: AuditReport, paint: Paint, limit: number): string[] {
  const remarks = [
    ...unreadRemarks(report),
    ...priceRemarks(report),
    ...anomalyRemarks(report),
    ...recordingRemarks(report),
    ...(limit === Infinity ? differingRemarks(report) : []),
    ...noteRemarks(report),
    ...confusionRemarks(report),
  ]
  if (remarks.length === 0) return []
  const lines = [paint('bold', 'What is not known')]
  for (const [index, remark] of remarks.entries()) {
    const shown =
      limit === Infinity
        ? wrap(short(remark, 20 * WIDTH), WIDTH - 2)
        : wrap(short(remark, 2 * WIDTH - 6), WIDTH - 2).slice(0, 2)
    const left = remarks.length - index
    if (lines.length + shown.length + (left > 1 ? 1 : 0) > limit) {
      lines.push(`… and ${formatCount(left, 'more remark')} (--all)`)
      break
    }
    lines.push(...shown.map((line, number) => `${number === 0 ? '- ' : '  '}${line}`))
  }
  return lines
}

function unreadRemarks({ unread }: AuditReport): string[] {
  // Other traffic in a log is no problem.
  const problems = unread.filter(({ kind }) => kind !== 'other-traffic')
  const [first] = problems
  if (first === undefined) return []
  const which = problems.length === 1 ? '' : ' The first:'
  return [
    `Not read: ${formatCount(problems.length, 'record')} (${kindsOf(problems)}).${which} ${placeOf(first, 50)}: ${first.message}`,
  ]
}

function priceRemarks({ unpriced }: AuditReport): string[] {
  const unknown = unpriced.filter(({ reason }) => reason === 'model')
  const names = unknown
    .slice(0, MODELS)
    .map(({ model, turns }) => `${short(model ?? 'a model without a name', 30)} (${formatCount(turns, 'turn')})`)
  const more = unknown.length > names.length ? ` and ${formatNumber(unknown.length - names.length)} more` : ''
  return [
    ...(names.length === 0
      ? []
      : [`No price is known for ${names.join(', ')}${more}: give a list with --prices FILE.`]),
    ...unpriced
      .filter(({ reason }) => reason !== 'model')
      .map(
        ({ model, turns, message }) =>
          `No price for ${formatCount(turns, 'turn')} of ${short(model ?? 'no model', 30)}: ${firstSentence(message)}`,
      ),
  ]
}

function anomalyRemarks({ anomalies }: AuditReport): string[] {
  const [first] = anomalies
  if (first === undefined) return []
  const kinds = kindsOf(anomalies.map(({ type }) => ({ kind: type })))
  return [`Usage that does not add up, on ${formatCount(anomalies.length, 'turn')} (${kinds}): ${first.message}`]
}

/** Warm turns that read something else than the rules say; of each conversation in one remark. */
function differingRemarks({ streams }: AuditReport): string[] {
  return streams.flatMap(({ turns }) => {
    const differing = turns.flatMap(({ reproduced, tokens, predicted }, index) => {
      const [read, expected] = [tokens.read ?? 0, predicted?.read ?? 0].map(formatNumber)
      return reproduced === false ? [`turn ${index + 1} (read ${read}, by the rules ${expected})`] : []
    })
    const source = turns[0]?.source
    const place = source === undefined ? '' : ` in ${placeOf(source, 50)}`
    return differing.length === 0 ? [] : [`Not reproduced${place}: ${differing.join(', ')}.`]
  })
}

/** What differs and costs nothing. */
function noteRemarks({ streams }: AuditReport): string[] {
  const notes = streams.flatMap((stream) => stream.notes)
  return [
    ...Map.groupBy(
      notes,
      ({ kind, path, text }) => `${kind === 'raw' ? '' : `${kind} at ${short(path ?? '', 40)}: `}${text}`,
    ),
  ].map(([text, found]) => {
    const turns = found.reduce((sum, note) => sum + note.turns.length, 0)
    return `No break, on ${formatCount(turns, 'turn')}: ${text}`
  })
}

/** Miss reasons in the words of the provider or client, beside ours. */
function confusionRemarks({ confusion }: AuditReport): string[] {
  if (confusion.length === 0) return []
  const pairs = confusion.map(({ provider, ours, count }) => `${short(provider, 30)} is ${ours} here ${count} times`)
  return [`Reasons that were logged: ${pairs.join(', ')}.`]
}

/** `broken 10, truncated 2`: the most frequent first. */
function kindsOf(items: readonly { readonly kind: string }[]): string {
  return [...Map.groupBy(items, ({ kind }) => kind)]
    .toSorted(([, one], [, other]) => other.length - one.length)
    .map(([kind, { length }]) => `${kind} ${length}`)
    .join(', ')
}
