/**
 * A report for a terminal: at most {@link LINES} lines of {@link WIDTH} characters, without colour. Lists are cut, and say
 * how much is left out; what comes from outside (keys, values, ids) can neither move a cursor nor turn text around.
 */
import type { CostTotal, ReportAnomaly, SessionReport, SourceStaleness, TurnReport } from './types.ts'

const WIDTH = 80
/** What stands before a line says what it is about. */
const LABEL = 8
/** Lines of one list. */
const LISTED = 4

/** The report as text, newline at the end. */
export function formatReport(report: SessionReport): string {
  return [
    section('Session', [headOf(report)]),
    section('Tokens', [tokensOf(report)]),
    section('Cost', [costLine(report), ...partsOf(report.totals.cost)]),
    section('Saved', savedOf(report)),
    section('Unread', unreadOf(report)),
    section('Short', listed(report.turns.filter(({ inherited }) => !inherited).flatMap(shortfallOf), 'more turns')),
    section('Stale', listed(report.staleness.flatMap(staleOf), 'more sources')),
    section('Odd', listed(report.anomalies.map(anomalyOf), 'more')),
  ]
    .flat()
    .map((line) => `${clip(line)}\n`)
    .join('')
}

function section(label: string, lines: readonly string[]): readonly string[] {
  return lines.map((line, index) => `${(index === 0 ? label : '').padEnd(LABEL)}${line}`)
}

function headOf({ session, turns, totals }: SessionReport): string {
  const epochs = new Set(turns.map(({ epoch }) => epoch)).size
  const parts = [
    `${session}: ${plural(totals.turns, 'turn')}`,
    `${number(totals.answered)} answered`,
    `${number(totals.withUsage)} with usage`,
    plural(epochs, 'epoch'),
    ...(totals.inherited > 0 ? [`${number(totals.inherited)} inherited`] : []),
    ...(totals.notRebuilt > 0 ? [`${number(totals.notRebuilt)} no longer in the history`] : []),
  ]
  return parts.join(', ')
}

function tokensOf({ totals: { withUsage, tokens, hitRate } }: SessionReport): string {
  if (withUsage === 0) return 'not known: no usage was reported'
  const share = hitRate === null ? '' : ` (${percent(hitRate)})`
  const { read, total, written, uncached, output } = tokens
  return `${number(read)} of ${number(total)} read${share}, ${number(written)} written, ${number(uncached)} uncached, ${number(output)} out`
}

function costLine({ turns, totals: { cost } }: SessionReport): string {
  const { amount, priced, unpriced } = cost
  if (amount === null) {
    if (unpriced === 0) return 'not known: no usage was reported'
    if (turns.every(({ model }) => model === null)) return 'not known: no model is; give the report `model` or `lower`'
    return `not known for ${plural(unpriced, 'turn')}: no price`
  }
  const rest = unpriced === 0 ? '' : `, and ${plural(unpriced, 'turn')} without a price`
  return `${dollars(amount)} for ${plural(priced, 'turn')}${rest}`
}

function partsOf({ parts }: CostTotal): readonly string[] {
  return parts.length === 0 ? [] : [parts.map(({ bucket, amount }) => `${bucket} ${dollars(amount)}`).join(', ')]
}

function savedOf({ anew }: SessionReport): readonly string[] {
  if (anew.type === 'none') return [`not known: ${anew.reason}`]
  const { tokens, amount } = anew.saved
  const [sign, verb] = tokens < 0 ? [-1, 'more'] : [1, 'fewer']
  const money = amount === null ? '' : `, ${dollars(Math.abs(amount))} ${amount < 0 ? 'dearer' : 'cheaper'}`
  return [
    `about ${number(sign * tokens)} ${verb} tokens processed${money}`,
    'than with each change rendered into the system prompt (estimate)',
  ]
}

/** Why the rest was not read, by reason, what weighs most first. */
function unreadOf({ turns }: SessionReport): readonly string[] {
  const tokens = new Map<string, number>()
  for (const { inherited, expected } of turns) {
    if (inherited) continue
    for (const miss of expected?.misses ?? []) tokens.set(miss.reason, (tokens.get(miss.reason) ?? 0) + miss.tokens)
  }
  const reasons = [...tokens].sort(([, a], [, b]) => b - a).map(([reason, count]) => `${reason} ${number(count)}`)
  return reasons.length === 0 ? [] : [`by the rules: ${reasons.join(', ')}`]
}

function shortfallOf({ revision, shortfall }: TurnReport): readonly string[] {
  if (shortfall === null) return []
  const behind = shortfall.writtenBy === null ? '' : `, left by turn ${shortfall.writtenBy}`
  return [`turn ${revision}: ${number(shortfall.tokens)} tokens less than expected (${shortfall.reason}${behind})`]
}

function staleOf({ key, told, now, since }: SourceStaleness): readonly string[] {
  if (now === null || now.state === 'same') return []
  const was = told === null ? 'never told' : `told ${short(told.value)}`
  const is = 'value' in now ? `is ${short(now.value)}` : `is ${now.state}`
  return [`${key}: ${was}, ${is}${since === null ? '' : `, since ${since.slice(0, 16).replace('T', ' ')}`}`]
}

function anomalyOf({ revision, message }: ReportAnomaly): string {
  return `turn ${revision}: ${message}`
}

function listed(lines: readonly string[], more: string): readonly string[] {
  if (lines.length <= LISTED) return lines
  return [...lines.slice(0, LISTED - 1), `and ${number(lines.length - LISTED + 1)} ${more}`]
}

function short(value: unknown): string {
  const text = printable(JSON.stringify(value))
  return text.length <= 20 ? text : `${text.slice(0, 19)}…`
}

function clip(line: string): string {
  const text = printable(line)
  return text.length <= WIDTH ? text : `${text.slice(0, WIDTH - 1)}…`
}

/** Control characters, separators of lines and what turns text around, escaped. */
function printable(text: string): string {
  return text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (found) => `\\u{${found.codePointAt(0)!.toString(16)}}`)
}

function plural(count: number, noun: string): string {
  return `${number(count)} ${noun}${count === 1 ? '' : 's'}`
}

/** With commas, whatever the locale. */
function number(count: number): string {
  return String(Math.round(count)).replace(/\B(?=(?:\d{3})+$)/g, ',')
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)}%`
}

/** Four decimals, as many as cents of a turn need. */
function dollars(amount: number): string {
  return `$${amount.toFixed(4)}`
}
