/** Two logs side by side on a terminal of 80 columns: the figures, and which culprits are gone, new and left. */
import type { AuditComparison, ComparedCulprit, ComparedLog, CulpritLoss, LeftCulprit } from '../../../audit/index.ts'
import { dollars, type Unit } from '../../../audit/words/unit.ts'
import { formatNumber, WIDTH } from '../../layout.ts'
import type { Paint } from '../../output.ts'
import { formatCount, formatShare, short } from '../print/amounts.ts'
import { middleOut } from '../print/place.ts'

/** Culprits of each list that are named unless all are asked for. */
const CULPRITS = 8
/** Columns of what a row is called, and of a figure. */
const NAME = 32
const FIGURE = 14
/** Columns of a culprit; what it lost stands behind it. */
const CULPRIT = 44

/** The comparison as text; every text in it comes out printable. */
export function printComparison(comparison: AuditComparison, paint: Paint, all: boolean, unit: Unit = dollars): string {
  const { before, after, culprits } = comparison
  const parts = [
    [titleOf('Before', before, paint), titleOf('After', after, paint)],
    figureLines(before, after, paint, unit),
    [
      ...culpritLines('Culprits gone', culprits.gone, (one) => goneLine(one), paint, all),
      ...culpritLines('New', culprits.new, (one) => goneLine(one), paint, all),
      ...culpritLines('Left', culprits.left, (one) => leftLine(one), paint, all),
    ],
  ]
  return `${parts.map((lines) => lines.join('\n')).join('\n\n')}\n`
}

function titleOf(name: string, { turns, streams, files }: ComparedLog, paint: Paint): string {
  const size = `${formatCount(turns, 'turn')} in ${formatCount(streams, 'conversation')}`
  const [first] = files
  const more = files.length > 1 ? ` and ${formatNumber(files.length - 1)} more` : ''
  const room = WIDTH - 10 - size.length - more.length
  const where = first === undefined ? '' : `, ${middleOut(first, room)}${more}`
  return `${paint('bold', name.padEnd(8))}${size}${where}`
}

/** How a figure is written, and how its change. */
interface Style {
  readonly format: (value: number) => string
  readonly change: (before: number, after: number) => string
  /** Whether more of it is better; null where neither is. */
  readonly more: 'better' | 'worse' | null
}

const share: Style = { format: formatShare, change: points, more: 'better' }
const tokens: Style = { format: (value) => formatNumber(Math.round(value)), change: percent, more: 'worse' }
const size: Style = { ...tokens, more: null }

function figureLines(before: ComparedLog, after: ComparedLog, paint: Paint, unit: Unit): string[] {
  const row = (name: string, style: Style, valueOf: (log: ComparedLog) => number | null): string =>
    rowOf(name, style, valueOf(before), valueOf(after), paint)
  const money: Style = { format: (amount) => unit.amount(amount), change: percent, more: 'worse' }
  const bill = unit.name === 'seconds' ? 'prefill' : 'bill'
  const figures = (of: (log: ComparedLog) => ComparedLog['perTurn']): string[] => [
    row(`  ${bill}, as reported`, money, (log) => of(log).cost),
    row(`  ${bill}, by the rules`, money, (log) => of(log).asSent),
    row('  tokens lost', tokens, (log) => of(log).lostTokens),
    row('  tokens rewritten, by the rules', tokens, (log) => of(log).rewrittenTokens),
  ]
  return [
    paint('bold', ''.padEnd(NAME) + ['before', 'after', 'change'].map((title) => title.padStart(FIGURE)).join('')),
    row('hit rate, as reported', share, ({ hitRate }) => hitRate),
    row('hit rate, by the rules', share, ({ predictedHitRate }) => predictedHitRate),
    'per turn',
    row('  tokens of input', size, ({ inputTokensPerTurn }) => inputTokensPerTurn),
    ...figures(({ perTurn }) => perTurn),
    'per million tokens of input',
    ...figures(({ perMillion }) => perMillion),
  ]
}

function rowOf(
  name: string,
  { format, change, more }: Style,
  before: number | null,
  after: number | null,
  paint: Paint,
): string {
  const cells = [before, after].map((value) => (value === null ? '?' : format(value)).padStart(FIGURE))
  const changed = before === null || after === null || format(before) === format(after) ? '' : change(before, after)
  const isBetter = (after ?? 0) > (before ?? 0) === (more === 'better')
  const cell = changed.padStart(FIGURE)
  const painted = changed === '' || more === null ? cell : paint(isBetter ? 'green' : 'red', cell)
  return `${name.padEnd(NAME)}${cells.join('')}${painted}`.trimEnd()
}

/** Percentage points between two shares. */
function points(before: number, after: number): string {
  return `${signed(100 * (after - before))} points`
}

function percent(before: number, after: number): string {
  return before === 0 ? '' : `${signed((100 * (after - before)) / before)} %`
}

function signed(value: number): string {
  return `${value < 0 ? '' : '+'}${formatTenths(value)}`
}

function formatTenths(value: number): string {
  const text = value.toFixed(1)
  return Math.abs(value) < 1000 ? text : formatNumber(Math.round(value))
}

function culpritLines<T>(
  title: string,
  culprits: readonly T[],
  lineOf: (culprit: T) => string,
  paint: Paint,
  all: boolean,
): string[] {
  if (culprits.length === 0) return [`${paint('bold', title)}: none`]
  const shown = all ? culprits : culprits.slice(0, CULPRITS)
  const left = culprits.length - shown.length
  return [
    `${paint('bold', title)}: ${formatNumber(culprits.length)}`,
    ...shown.map(lineOf),
    ...(left === 0 ? [] : [`  … and ${formatNumber(left)} more (--all)`]),
  ]
}

function goneLine({ kind, path, loss }: ComparedCulprit): string {
  return short(`  ${culpritAt(kind, path)}  ${formatLost(loss)} a turn`, WIDTH)
}

function leftLine({ kind, path, before, after, idBefore }: LeftCulprit): string {
  const line = short(`  ${culpritAt(kind, path)}  ${formatLost(before)} → ${formatLost(after)} a turn`, WIDTH)
  return idBefore === null ? line : `${line}\n    by its kind and place: the text around it was edited`
}

function culpritAt(kind: string, path: string): string {
  return `${kind} at ${middleOut(path, CULPRIT - kind.length - 4)}`.padEnd(CULPRIT)
}

function formatLost({ tokensPerTurn }: CulpritLoss): string {
  return formatCount(Math.round(tokensPerTurn), 'token')
}
