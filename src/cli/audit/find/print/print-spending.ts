/**
 * What was spent, on a terminal of 80 columns: the sums, the sessions that lost most, why, the table that was asked for,
 * and the one line that would tell the rest. Every text comes out printable; times and days are UTC.
 */
import { notRead, type Unit } from '../../../../audit/words/unit.ts'
import type { SessionSpending, SpendingReport } from '../../../../audit/spending/types.ts'
import { formatNumber, WIDTH, wrap } from '../../../layout.ts'
import type { Paint } from '../../../output.ts'
import { formatCount, formatShare, short } from '../../print/amounts.ts'
import { middleOut } from '../../print/place.ts'
import { claudeCode, codex } from '../places.ts'
import { nextLines } from './next-step.ts'
import { groupLines, sessionLines } from './tables.ts'

/** Causes that are listed, unless all are asked for. */
const CAUSES = 5
/** Lines of an advice. */
const ADVICE_LINES = 2
const INDENT = '   '

/** How to print. */
export interface SpendingPrint {
  readonly all: boolean
  readonly unit: Unit
}

/** The report as text. */
export function printSpending(report: SpendingReport, paint: Paint, { all, unit }: SpendingPrint): string {
  const parts = [
    titleLines(report, paint),
    sumLines(report, unit),
    sessionLines(report, paint, unit, all),
    causeLines(report, paint, unit, all),
    groupLines(report, paint, unit, all),
    remarkLines(report),
    nextLines(report, paint),
  ]
  return `${parts.flatMap((part) => (part.length === 0 ? [] : [part.join('\n')])).join('\n\n')}\n`
}

function titleLines({ range, sessions, totals }: SpendingReport, paint: Paint): string[] {
  const { from, to, since } = range
  const times = from === null || to === null ? ', no times' : `, ${minute(from)} to ${minute(to)} UTC`
  const title = `${formatCount(totals.sessions, 'session')} of ${clientsOf(sessions)}${times}`
  const agents = totals.subagents === 0 ? '' : `, ${formatNumber(totals.subagents)} of them by sub-agents`
  const projects = totals.projects === 0 ? '' : ` in ${formatCount(totals.projects, 'project')}`
  return [
    paint('bold', short(title, WIDTH)),
    short(`${formatCount(totals.turns, 'turn')}${projects}${agents}; since ${minute(since)} UTC`, WIDTH),
  ]
}

/** `2026-11-01 08:00`. */
function minute(time: string): string {
  return time.slice(0, 16).replace('T', ' ')
}

function clientsOf(sessions: readonly SessionSpending[]): string {
  const names = [claudeCode, codex].flatMap(({ name, format }) =>
    sessions.some((session) => session.format === format) ? [name] : [],
  )
  return names.length === 0 ? 'other clients' : names.join(' and ')
}

function sumLines({ totals, causes }: SpendingReport, unit: Unit): string[] {
  const { cost, tokens, hitRate, unpriced, avoidable, failed } = totals
  const lines: string[] = []
  const line = (name: string, value: string, text: string): void => {
    lines.push(short(`${name.padEnd(12)}${value.padStart(9)}  ${text}`, WIDTH))
  }
  const processed = notRead(tokens)
  if (unit.name === 'seconds') {
    line('prefill', processed === null ? '?' : unit.of(null, processed), 'for reported tokens that were not read')
  } else if (cost === null) line('bill', '?', 'no price is known for these models (--prices FILE)')
  else {
    const without = unpriced === 0 ? '' : `; ${formatCount(unpriced, 'turn')} without one`
    line('bill', unit.of(cost, 0), `at list prices, which a subscription does not charge${without}`)
  }
  if (hitRate === null) line('hit rate', '?', 'no turn reports what it read')
  else line('hit rate', formatShare(hitRate), `of ${formatNumber(tokens.total ?? 0)} tokens of input were read`)
  line('avoidable', unit.of(avoidable.cost, avoidable.tokens), `${shareOf(totals, unit)}it was cached, and sent again`)
  for (const { kind, text } of besides) {
    const alike = causes.filter((cause) => cause.kind === kind)
    if (alike.length === 0) continue
    const [money, lost] = [sumOf(alike.map((one) => one.cost)), sumOf(alike.map((one) => one.tokens)) ?? 0]
    line(kind, unit.of(money, lost), `more ${text}`)
  }
  if (failed > 0) line('failed', formatNumber(failed), 'calls were not answered, and not billed')
  return lines
}

/** What was lost and could not have been read. */
const besides = [
  { kind: 'expired', text: 'after pauses that were longer than entries live' },
  { kind: 'compacted', text: 'after compactions' },
] as const

function shareOf({ cost, avoidable, tokens }: SpendingReport['totals'], unit: Unit): string {
  const [part, whole] = unit.name === 'seconds' ? [avoidable.tokens, notRead(tokens)] : [avoidable.cost, cost]
  if (part === null || whole === null || whole === 0) return ''
  return `${formatShare(part / whole)} of ${unit.name === 'seconds' ? 'it' : 'the bill'}: `
}

/** The sum of the numbers; null where there are none. */
function sumOf(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null)
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0)
}

function causeLines({ causes }: SpendingReport, paint: Paint, unit: Unit, all: boolean): string[] {
  if (causes.length === 0) return [paint('bold', 'Nothing that was cached was sent again.')]
  const ordered = causes.toSorted(
    (one, other) =>
      Number(other.avoidable) - Number(one.avoidable) ||
      unit.rank(other.cost, other.tokens) - unit.rank(one.cost, one.tokens),
  )
  const shown = all ? ordered : ordered.slice(0, CAUSES)
  const lines = shown.flatMap(({ kind, names, cost, tokens, turns, avoidable, advice }) => {
    const name = names.length === 0 ? kind : `${kind}: ${names.join(', ')}`
    const tail = `  ${unit.of(cost, tokens)} on ${formatCount(turns, 'turn')}${avoidable ? '' : ', not counted as avoidable'}`
    const head = middleOut(name, WIDTH - tail.length)
    return [
      paint('bold', head) + paint('red', tail),
      ...wrap(advice, WIDTH - INDENT.length)
        .slice(0, ADVICE_LINES)
        .map((line) => INDENT + paint('green', line)),
    ]
  })
  const left = ordered.length - shown.length
  const more = left === 0 ? [] : [`… and ${formatCount(left, 'more cause')} (--all)`]
  return [paint('bold', 'Likely causes'), ...lines, ...more]
}

/** What was not read, and what has no price. */
function remarkLines({ unread, unpriced }: SpendingReport): string[] {
  const remarks = unread.map(({ kind, records, first: { file, message } }) => {
    const name = middleOut(file, 60)
    return `Not read: ${formatCount(records, 'record')} (${kind}). ${name}: ${message}`
  })
  const models = [...new Set(unpriced.flatMap(({ reason, model }) => (reason === 'model' ? (model ?? []) : [])))]
  if (models.length > 0) {
    const more = models.length > 3 ? ` and ${formatNumber(models.length - 3)} more` : ''
    remarks.push(
      `No price is known for ${models
        .slice(0, 3)
        .map((model) => short(model, 40))
        .join(', ')}${more}: give a list with --prices FILE.`,
    )
  }
  return remarks.flatMap((remark) =>
    wrap(short(remark, 3 * WIDTH), WIDTH - 2).map((line, number) => `${number === 0 ? '- ' : '  '}${line}`),
  )
}
