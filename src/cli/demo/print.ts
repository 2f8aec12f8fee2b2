/**
 * The demo on a terminal of 80 columns. What was sent before and what is new differ in their signs as well as in colour, so
 * that the picture is the same without colours.
 */
import { clip, clipLines, formatNumber, table, WIDTH } from '../layout.ts'
import type { Paint } from '../output.ts'
import type { Check } from './check.ts'
import type { TurnRecord } from './conversation.ts'
import type { Count } from './count.ts'
import { WAY_NAMES, type DemoReport } from './report.ts'

const SENT = '█'
const NEW = '░'

const BAR_WIDTH = 18
/** A share, a blank and a bar. */
const COLUMN_WIDTH = 4 + 1 + BAR_WIDTH
const GAP = '  '
const TURN_WIDTH = 4
/** What stands before a line about a turn: room for a word that says what the line is. */
const LABEL_WIDTH = 11
/** How much of an update is shown, in lines; the rest is in the file. */
const UPDATE_LINES = 6

/** What stands above the turns. */
export function printHead(turns: number, source: string, paint: Paint): string {
  return join([
    paint('bold', clip(`A conversation of ${turns} turns over ${source}, built three ways`, WIDTH)),
    '',
    '  anew    the context is rendered into one system prompt, every turn',
    '  split   the same, but the instructions before it are a block of their own',
    '  epochs  the context is rendered once, and changes are appended as updates',
    '',
    `  ${paint('green', SENT.repeat(4))} sent before: the cache can serve it`,
    `  ${paint('red', NEW.repeat(4))} new: paid in full`,
    '',
  ])
}

/** Per turn, how much each way sent again and anew; what happened before it; and what the model was told. */
export function printTurns(records: readonly TurnRecord[], paint: Paint): string {
  const most = Math.max(...records.flatMap(({ ways }) => WAY_NAMES.map((name) => ways[name].total)))
  const titles = ['turn', ...WAY_NAMES.map((name) => `     ${name}`.padEnd(COLUMN_WIDTH))]
  const lines = [paint('bold', titles.join(GAP).trimEnd())]
  for (const { turn, user, note, ways } of records) {
    const bars = WAY_NAMES.map((name) => `${percentOf(ways[name])} ${drawBar(ways[name], most, paint)}`)
    lines.push([String(turn).padStart(TURN_WIDTH), ...bars].join(GAP).trimEnd())
    if (user !== null) lines.push(...printAbout('user', [user]).map((line) => paint('dim', line)))
    if (note !== null) lines.push(...printAbout('', [`(${note})`]).map((line) => paint('dim', line)))
    const { update } = ways.epochs
    if (update !== null) lines.push(...printAbout('told', clipLines(withoutFrames(update.text), WIDTH, UPDATE_LINES)))
  }
  return join([...lines, ''])
}

/** Lines under a turn, the first of them behind `label`. */
function printAbout(label: string, lines: readonly string[]): string[] {
  return lines.map((line, index) => {
    const start = (index === 0 ? label : '').padStart(LABEL_WIDTH - GAP.length).padEnd(LABEL_WIDTH)
    return start + clip(line, WIDTH - LABEL_WIDTH)
  })
}

/** Without the lines that mark outside text, which are for the model. */
function withoutFrames(text: string): string {
  return text.replace(/^<\/?outside-text\b.*>$/gm, '')
}

/** The share that was sent before, in four columns. */
function percentOf({ total, reused }: Count): string {
  return `${Math.floor((100 * reused) / total)}%`.padStart(4)
}

/** A bar as long as the request is in proportion to the longest; what is new has a column at least. */
function drawBar({ total, reused }: Count, most: number, paint: Paint): string {
  const length = Math.max(1, Math.round((BAR_WIDTH * total) / most))
  const sent = reused === total ? length : Math.min(length - 1, Math.round((BAR_WIDTH * reused) / most))
  return paint('green', SENT.repeat(sent)) + paint('red', NEW.repeat(length - sent)) + ' '.repeat(BAR_WIDTH - length)
}

/** The sums over all turns. */
export function printTotals({ ways }: DemoReport, paint: Paint): string {
  const anew = ways.find(({ name }) => name === 'anew')!.totals
  const rows = ways.map(({ name, totals }) => [
    name,
    formatNumber(totals.total),
    formatNumber(totals.reused),
    formatNumber(totals.new),
    (totals.new / anew.new).toFixed(2),
  ])
  const [titles = '', ...lines] = table(
    [
      { title: 'characters' },
      { title: 'all', align: 'right' },
      { title: 'sent before', align: 'right' },
      { title: 'new', align: 'right' },
      { title: 'new / anew', align: 'right' },
    ],
    rows,
    WIDTH,
  )
  return join([paint('bold', titles), ...lines, ''])
}

/** The verdicts. */
export function printChecks(checks: readonly Check[], paint: Paint): string {
  return join([
    ...checks.flatMap(({ ok, text }) => {
      const mark = ok ? paint('green', '✓') : paint('red', '✗')
      return clipLines(text, WIDTH - 2, 20).map((line, index) => `${index === 0 ? mark : ' '} ${line}`)
    }),
    '',
  ])
}

/** Where the session is, and how to look at it. */
export function printWhereabouts(file: string, session: string): string {
  return join([
    `The session is kept in a SQLite file. To look inside:`,
    `  npx indelible inspect ${quoteForShell(file)} ${session}`,
  ])
}

/** As a POSIX shell takes it for one word. */
function quoteForShell(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
}

function join(lines: readonly string[]): string {
  return `${lines.join('\n')}\n`
}
