/**
 * The demo on a terminal of 80 columns. What was read from the cache and what was not differ in their signs as well as in
 * colour, so that the picture is the same without colours.
 */
import { clip, clipLines, formatNumber, table, WIDTH, wrap } from '../layout.ts'
import type { Paint } from '../output.ts'
import { writtenOf, type Bill } from './bill.ts'
import type { Check } from './check.ts'
import type { TurnRecord } from './conversation.ts'
import { WAY_NAMES, type DemoReport } from './report.ts'

const READ = '█'
const NOT_READ = '░'

const BAR_WIDTH = 11
const USD_WIDTH = 7
/** A share, a bar and a price, with blanks between them. */
const COLUMN_WIDTH = 4 + 1 + BAR_WIDTH + 1 + USD_WIDTH
/** Under them three numbers: read, written, uncached. */
const TOKEN_WIDTHS = [7, 8, 9] as const
const GAP = ' '
const TURN_WIDTH = 4
/** What stands before a line about a turn: room for a word that says what the line is. */
const LABEL_WIDTH = 11
/** How much of an update is shown, in lines; the rest is in the file. */
const UPDATE_LINES = 6

/** What stands above the turns. */
export interface Head {
  readonly turns: number
  /** What the conversation is about. */
  readonly source: string
  /** What the requests were sent with; null where they were not sent. */
  readonly client: string | null
  /** What the ways do for the cache. */
  readonly caching: string
  readonly report: DemoReport
}

/** What is compared, and what the numbers rest on. */
export function printHead({ turns, source, client, caching, report }: Head, paint: Paint): string {
  const { model, prices } = report
  const answered =
    client === null
      ? 'Nothing is sent: each request is held against the rules of the API in this process,'
      : `Each request goes over HTTP (${client}) to a strict emulator of the API,`
  return join([
    paint('bold', clip(`A conversation of ${turns} turns over ${source}, sent three ways`, WIDTH)),
    '',
    '  anew    the context is rendered into one system prompt, every turn',
    '  split   the same, but the instructions before it are a block of their own',
    '  epochs  the context is rendered once, and changes are appended as updates',
    '',
    ...wrap(caching, WIDTH),
    ...printMinimum(report),
    '',
    `  ${paint('green', READ.repeat(4))} read from the cache`,
    `  ${paint('red', NOT_READ.repeat(4))} written to it or uncached: paid in full, or with a surcharge`,
    '',
    ...wrap(
      `${answered} which bills it as ${model}: tokens estimated, dollars by the list prices of ${prices.day} (${prices.source}).`,
      WIDTH,
    ),
    '',
  ])
}

/** What is too short for the cache, where something is. */
function printMinimum({ model, minimum, head, ways }: DemoReport): readonly string[] {
  const { turns } = ways.find(({ name }) => name === 'epochs')!
  const short = turns.filter(({ total }) => total < minimum).length
  const rule = `${model} caches nothing shorter than ${formatNumber(minimum)} tokens.`
  if (short === turns.length)
    return wrap(`${rule} All requests are shorter: let the conversation go on, with --turns.`, WIDTH)
  if (short > 0) return wrap(`${rule} Up to turn ${short}, requests are shorter.`, WIDTH)
  return head < minimum
    ? wrap(`${rule} Tools and instructions alone are shorter, so "split" has no more to read than "anew".`, WIDTH)
    : []
}

/** Per turn, what happened before it, what the model was told, and what each way was billed. */
export function printTurns(records: readonly TurnRecord[], paint: Paint): string {
  const most = Math.max(...records.flatMap(({ ways }) => WAY_NAMES.map((name) => ways[name].bill.total)))
  const names = WAY_NAMES.map((name) => `     ${name}`.padEnd(COLUMN_WIDTH))
  const titles = WAY_NAMES.map(() => tokenColumns('read', 'written', 'uncached'))
  const lines = [paint('bold', row('turn', names)), paint('dim', row('', titles))]
  for (const { turn, user, note, ways } of records) {
    const bills = WAY_NAMES.map((name) => ways[name].bill)
    const pictures = bills.map((bill) => `${percentOf(bill)} ${drawBar(bill, most, paint)} ${dollarsOf(bill.usd)}`)
    const tokens = bills.map((bill) => tokenColumns(...[bill.read, writtenOf(bill), bill.uncached].map(formatNumber)))
    if (user !== null) lines.push(...printAbout('user', [user]).map((line) => paint('dim', line)))
    if (note !== null) lines.push(...printAbout('', [`(${note})`]).map((line) => paint('dim', line)))
    const { update } = ways.epochs
    if (update !== null) lines.push(...printAbout('told', clipLines(withoutFrames(update.text), WIDTH, UPDATE_LINES)))
    lines.push(row(String(turn), pictures), paint('dim', row('', tokens)))
  }
  return join([...lines, ''])
}

/** A line with a column for each way. */
function row(turn: string, columns: readonly string[]): string {
  return [turn.padStart(TURN_WIDTH), ...columns].join(GAP).trimEnd()
}

function tokenColumns(...texts: readonly string[]): string {
  return texts.map((text, index) => text.padStart(TOKEN_WIDTHS[index] ?? 0)).join('')
}

/** Lines above a turn, the first of them behind `label`. */
function printAbout(label: string, lines: readonly string[]): string[] {
  return lines.map((line, index) => {
    const start = (index === 0 ? label : '').padStart(LABEL_WIDTH - 2).padEnd(LABEL_WIDTH)
    return start + clip(line, WIDTH - LABEL_WIDTH)
  })
}

/** Without the lines that mark outside text, which are for the model. */
function withoutFrames(text: string): string {
  return text.replace(/^<\/?outside-text\b.*>$/gm, '')
}

/** The share of the input that was read from the cache, in four columns. */
function percentOf({ total, read }: Bill): string {
  return `${Math.floor((100 * read) / total)}%`.padStart(4)
}

/** A bar as long as the request is in proportion to the longest; what was not read has a column at least. */
function drawBar({ total, read }: Bill, most: number, paint: Paint): string {
  const length = Math.max(1, Math.round((BAR_WIDTH * total) / most))
  const served = read === total ? length : Math.min(length - 1, Math.round((BAR_WIDTH * read) / most))
  const bar = paint('green', READ.repeat(served)) + paint('red', NOT_READ.repeat(length - served))
  return bar + ' '.repeat(BAR_WIDTH - length)
}

function dollarsOf(usd: number): string {
  return `$${usd.toFixed(4)}`
}

/** The sums over all turns. */
export function printTotals({ ways }: DemoReport, paint: Paint): string {
  const anew = ways.find(({ name }) => name === 'anew')!.totals
  const rows = ways.map(({ name, totals }) => [
    name,
    formatNumber(totals.read),
    formatNumber(writtenOf(totals)),
    formatNumber(totals.uncached),
    formatNumber(totals.output),
    dollarsOf(totals.usd),
    (totals.usd / anew.usd).toFixed(2),
  ])
  const [titles = '', ...lines] = table(
    [
      { title: 'tokens' },
      { title: 'read', align: 'right' },
      { title: 'written', align: 'right' },
      { title: 'uncached', align: 'right' },
      { title: 'output', align: 'right' },
      { title: 'dollars', align: 'right' },
      { title: 'dollars / anew', align: 'right' },
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
export function printWhereabouts({ file, logs }: Whereabouts, session: string): string {
  return join([
    `The session is kept in a SQLite file. To look inside:`,
    `  npx indelible inspect ${quoteForShell(file)} ${session}`,
    ...(logs === undefined
      ? []
      : [
          `The requests of each way are kept as logs. To see what breaks the cache:`,
          `  npx indelible audit ${quoteForShell(`${logs}/anew.jsonl`)}`,
        ]),
  ])
}

/** Where things are kept. */
export interface Whereabouts {
  readonly file: string
  /** A folder. */
  readonly logs: string | undefined
}

/** As a POSIX shell takes it for one word. */
function quoteForShell(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
}

function join(lines: readonly string[]): string {
  return `${lines.join('\n')}\n`
}
