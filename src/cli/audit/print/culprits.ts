/**
 * What broke the cache, in order of money: where it stands, what its values were, what it cost, and what to do.
 *
 * Each that is listed says at least where it stands and what to do. What the plan names is listed first of all, then what
 * costs most; numbers are those of the whole list.
 */
import type { AuditReport } from '../../../audit/index.ts'
import type { Item } from '../../../audit/words/items.ts'
import { dollars, savingIn, type Unit } from '../../../audit/words/unit.ts'
import { formatNumber, WIDTH, wrap } from '../../layout.ts'
import type { Paint } from '../../output.ts'
import { formatCount } from './amounts.ts'
import { middleOut } from './place.ts'
import { valueLines, valuesLine } from './values.ts'

const INDENT = '   '
/** Lines of advice. */
const FIX_LINES = 2
/** Lines of what was lost otherwise. */
const OTHER_LINES = 2

/** Items that are told of in full before others are listed at all. */
const FULL = 2

/** How much is told of an item: the place and a short advice; the values too; the whole advice too. */
type Detail = 'brief' | 'values' | 'whole'

/** The fewest lines in which the items with the indexes `named` fit, with all that stands around them. */
export function leastLines(
  items: readonly Item[],
  named: ReadonlySet<number>,
  totals: AuditReport['totals'],
  paint: Paint,
  unit: Unit = dollars,
): number {
  const blocks = [...named].reduce((sum, index) => sum + block(items[index]!, index, 'brief', paint, unit).length, 0)
  return 1 + blocks + (named.size < items.length ? 1 : 0) + otherLossLines(totals, false, unit).length
}

/** All items, or what of them fits into `limit` lines, those with the indexes `named` first; then what was lost otherwise. */
export function culpritLines(
  items: readonly Item[],
  named: ReadonlySet<number>,
  totals: AuditReport['totals'],
  paint: Paint,
  limit: number,
  unit: Unit = dollars,
): string[] {
  const other = otherLossLines(totals, limit === Infinity, unit)
  if (items.length === 0 && other.length === 0) {
    return totals.turns === 0 ? [] : [paint('bold', 'Nothing breaks the cache.')]
  }
  const by = unit.name === 'seconds' ? 'time' : 'money'
  const title = paint('bold', items.length === 0 ? 'No culprit was found.' : `What breaks the cache, by ${by}`)
  return [title, ...itemLines(items, named, paint, limit - 1 - other.length, unit), ...other]
}

function itemLines(
  items: readonly Item[],
  named: ReadonlySet<number>,
  paint: Paint,
  limit: number,
  unit: Unit,
): string[] {
  if (limit === Infinity) return items.flatMap((item, index) => wholeBlock(item, index, paint, unit))
  const shown = new Map<number, readonly string[]>()
  let height = 0
  const show = (index: number, detail: Detail): boolean => {
    const lines = block(items[index]!, index, detail, paint, unit)
    const grown = height + lines.length - (shown.get(index)?.length ?? 0)
    // One line is for what is left out.
    const left = items.length - shown.size - (shown.has(index) ? 0 : 1)
    if (grown + (left > 0 ? 1 : 0) > limit) return false
    height = grown
    shown.set(index, lines)
    return true
  }
  for (const index of named) show(index, 'brief')
  for (let index = 0; index < Math.min(FULL, items.length); index++) {
    if (!show(index, 'whole') && !shown.has(index)) show(index, 'brief')
  }
  for (let index = 0; index < items.length && (shown.has(index) || show(index, 'brief')); index++);
  const listed = [...shown.keys()].sort((one, other) => one - other)
  for (const detail of ['values', 'whole'] as const) {
    for (const index of listed) if (index >= FULL || detail === 'whole') show(index, detail)
  }
  const lines = listed.flatMap((index) => shown.get(index)!)
  const left = items.length - listed.length
  return left === 0 ? lines : [...lines, `… and ${formatCount(left, 'more culprit')} (--all)`]
}

function block(item: Item, index: number, detail: Detail, paint: Paint, unit: Unit): string[] {
  const values = detail === 'brief' ? '' : valuesLine(item.culprits[0], WIDTH - INDENT.length)
  const fix = detail === 'whole' ? wrap(item.fix, WIDTH - INDENT.length).slice(0, FIX_LINES) : [shortFix(item.fix)]
  return [
    ...headLines(item, index, paint, unit, false),
    ...(values === '' ? [] : [INDENT + values]),
    ...fix.map((line) => INDENT + paint('green', line)),
  ]
}

/** All that there is to say. */
function wholeBlock(item: Item, index: number, paint: Paint, unit: Unit): string[] {
  const width = WIDTH - INDENT.length
  return [
    ...headLines(item, index, paint, unit, true),
    ...item.culprits.flatMap((culprit) => {
      const alone = culprit.savesAlone === null ? '' : `: alone ${savingIn(unit, culprit.savesAlone)}`
      const place = culprit.offset === null ? '' : `character ${formatNumber(culprit.offset)}`
      const title = item.culprits.length === 1 ? [] : wrap(`${place}${alone}`, width)
      return [...title, ...valueLines(culprit, width)].map((line) => INDENT + line)
    }),
    ...wrap(item.fix, width).map((line) => INDENT + paint('green', line)),
  ]
}

/** Where it is, and what it cost: on one line in the longest words that fit, or else on two. */
function headLines(item: Item, index: number, paint: Paint, unit: Unit, all: boolean): string[] {
  const { kind, path, scope, culprits, turns, tokensLost, cost, savesAlone } = item
  const number = `${index + 1}. `.padEnd(INDENT.length)
  const between = scope === 'within' ? '' : scope === 'between' ? ', between sessions' : ', also between sessions'
  const places = culprits.length === 1 ? '' : `, ${culprits.length} places`
  const offset = culprits[0].offset
  const character = places !== '' || offset === null ? '' : `, character ${formatNumber(offset)}`
  const loss = unit.of(cost, tokensLost)
  const alone = savesAlone === null ? '' : `; alone ${savingIn(unit, savesAlone)}`
  const longTail = `${loss} on ${formatCount(turns, 'turn')}${alone}`
  const headOf = (where: string, detail: string): string => `${number}${kind} at ${where}${detail}`
  const where = middleOut(path, all ? 20 * WIDTH : WIDTH)
  for (const detail of [character + places + between, places + between]) {
    const head = headOf(where, detail)
    for (const tail of [longTail, `${loss}, ${formatCount(turns, 'turn')}${alone}`]) {
      if (lengthOf(head) + 2 + tail.length <= WIDTH) return [paint('bold', head) + paint('red', `  ${tail}`)]
    }
  }
  const detail = places + between
  const whole = headOf(where, character + detail)
  if (lengthOf(whole) <= WIDTH) return [paint('bold', whole), INDENT + paint('red', longTail)]
  const heads = all
    ? wrap(headOf(where, detail), WIDTH - INDENT.length).map((line, row) => (row === 0 ? line : INDENT + line))
    : [headOf(middleOut(path, WIDTH - lengthOf(headOf('', detail))), detail)]
  const first = character === '' ? '' : `${character.replace(', ', 'at ')}: `
  return [...heads.map((line) => paint('bold', line)), INDENT + paint('red', first + longTail)]
}

/** Of an advice, as much as is a sentence and fits into a line: up to a mark that stands in no brackets or quotes. */
function shortFix(fix: string): string {
  const [first = '', ...rest] = wrap(fix, WIDTH - INDENT.length)
  if (rest.length === 0) return first
  const bare = first.replace(/\([^)]*\)?|\{[^}]*\}?|'[^']*'?(?=\W|$)|"[^"]*"?/g, (quote) => '_'.repeat(quote.length))
  const end = Math.max(
    ...[':', ';', ',', '.'].map((mark) => bare.lastIndexOf(`${mark} `)),
    /[:;,.]$/.test(bare) ? bare.length - 1 : -1,
  )
  return end < 1 ? `${first.slice(0, WIDTH - INDENT.length - 1)}…` : `${first.slice(0, end)}.`
}

/** What no culprit is to blame for. */
function otherLossLines({ otherLosses }: AuditReport['totals'], all: boolean, unit: Unit): string[] {
  if (otherLosses.length === 0) return []
  const parts = otherLosses.map(
    ({ reason, turns, cost, tokens }) => `${reason} ${unit.of(cost, tokens)} on ${formatCount(turns, 'turn')}`,
  )
  const lines = wrap(`Lost otherwise: ${parts.join('; ')}`, WIDTH)
  return all ? lines : lines.slice(0, OTHER_LINES)
}

function lengthOf(text: string): number {
  return Array.from(text).length
}
