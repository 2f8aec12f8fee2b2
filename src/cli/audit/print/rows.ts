/**
 * Rows of a conversation: a bar as long as the request, with what was read, what was sent again although the cache had
 * had it, and what was new. The three differ in their signs as well as in colour.
 */
import type { AuditTurn } from '../../../audit/index.ts'
import { costOf, endOf, partsOf, wayOf, type Kinds, type Parts } from '../../../audit/words/turn.ts'
import { dollars, type Unit } from '../../../audit/words/unit.ts'
import { formatNumber, WIDTH } from '../../layout.ts'
import type { Paint } from '../../output.ts'
import { formatCount, short } from './amounts.ts'

const READ = '█'
const AGAIN = '░'
const NEW = '▒'

const TURN_WIDTH = 6
const TOKENS_WIDTH = 10
const COST_WIDTH = 8
/** Of a bar and a verdict together: where a verdict needs more columns, bars have fewer, in all rows. */
const REST_WIDTH = WIDTH - TURN_WIDTH - TOKENS_WIDTH - COST_WIDTH - 4
const BAR_WIDTHS = { least: 14, most: 28 }

/** A turn, or several that went the same way and are one line, from `index` in their conversation on. */
export interface Row {
  readonly index: number
  readonly turns: readonly AuditTurn[]
}

/** What the signs mean. */
export function legend(paint: Paint): string {
  return `${paint('green', READ)} read  ${paint('red', AGAIN)} sent again  ${paint('yellow', NEW)} new: written or uncached`
}

/** Some rows of a conversation that has the turns `all`. */
export function drawRows(
  rows: readonly Row[],
  all: readonly AuditTurn[],
  kinds: Kinds,
  paint: Paint,
  unit: Unit = dollars,
): string[] {
  const most = all.reduce((largest, turn) => Math.max(largest, partsOf(turn)?.total ?? 0), 0)
  const longest = rows.reduce(
    (length, { turns }) => (turns.length === 1 ? Math.max(length, endOf(turns[0]!, kinds).length) : length),
    0,
  )
  const bar = Math.max(BAR_WIDTHS.least, Math.min(BAR_WIDTHS.most, REST_WIDTH - longest))
  return rows.map(({ index, turns }) =>
    turns.length === 1
      ? drawTurn(turns[0]!, index + 1, { most, bar, kinds, unit }, paint)
      : drawRun(turns, wayOf(turns[0]!, kinds), paint, unit),
  )
}

function drawRun(turns: readonly AuditTurn[], way: string, paint: Paint, unit: Unit): string {
  const tokens = turns.reduce((sum, { lost }) => sum + lost.tokens, 0)
  const costs = turns.map(({ lost }) => lost.cost).filter((cost) => cost !== null)
  const cost = costs.length === 0 ? null : costs.reduce((sum, one) => sum + one, 0)
  const lost = tokens === 0 ? '' : `, ${unit.of(cost, tokens)} for what was sent again`
  return paint(
    'dim',
    short(`${'⋮'.padStart(TURN_WIDTH)} ${formatCount(turns.length, 'turn')} more, ${way}${lost}`, WIDTH),
  )
}

/** What rows have in common. */
interface Columns {
  /** Tokens of the largest request. */
  readonly most: number
  readonly bar: number
  readonly kinds: Kinds
  readonly unit: Unit
}

function drawTurn(turn: AuditTurn, position: number, { most, bar, kinds, unit }: Columns, paint: Paint): string {
  const parts = partsOf(turn)
  const tokens = parts === null ? '?' : `${parts.reported ? '' : '~'}${formatNumber(Math.round(parts.total))}`
  const cost = costOf(turn)
  return [
    String(position).padStart(TURN_WIDTH),
    short(tokens, TOKENS_WIDTH).padStart(TOKENS_WIDTH),
    parts === null ? ' '.repeat(bar) : drawBar(parts, most, bar, paint),
    (cost === null ? '' : unit.amount(cost)).padStart(COST_WIDTH),
    short(endOf(turn, kinds), REST_WIDTH - bar),
  ]
    .join(' ')
    .trimEnd()
}

/** A bar in proportion to the longest; what is there has a column at least, what was sent again before all else. */
function drawBar({ total, read, again }: Parts, most: number, width: number, paint: Paint): string {
  const length = most === 0 ? 0 : Math.max(1, Math.round((width * total) / most))
  const columns = (tokens: number): number =>
    tokens <= 0 ? 0 : Math.max(1, Math.round((length * tokens) / Math.max(1, total)))
  const red = Math.min(length, columns(again))
  const yellow = Math.min(length - red, columns(total - read - again))
  const green = length - red - yellow
  // What little was read must not vanish behind what is rounded up.
  const bar = [paint('green', READ.repeat(green)), paint('red', AGAIN.repeat(red)), paint('yellow', NEW.repeat(yellow))]
  return bar.join('') + ' '.repeat(width - length)
}
