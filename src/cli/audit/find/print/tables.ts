/** The sessions that lost most, and sums by model, project or day: one line each, in columns of fixed meaning. */
import { notRead, type Unit } from '../../../../audit/words/unit.ts'
import type { GroupSpending, SessionSpending, Spent, SpendingReport } from '../../../../audit/spending/types.ts'
import { formatNumber, table, WIDTH } from '../../../layout.ts'
import type { Paint } from '../../../output.ts'
import { formatCount, formatShare, short } from '../../print/amounts.ts'
import { middleOut } from '../../print/place.ts'

const SESSIONS = 5
/** All days of the usual span. */
const GROUPS = 31
const PROJECT_WIDTH = 24
const CAUSE_WIDTH = 18
const NAME_WIDTH = 30

/** The sessions with the most that could have been avoided; all sessions where all are asked for. */
export function sessionLines(report: SpendingReport, paint: Paint, unit: Unit, all: boolean): string[] {
  const ordered = report.sessions.toSorted((one, other) => rankOf(other, unit) - rankOf(one, unit))
  const shown = all ? ordered : ordered.slice(0, SESSIONS)
  const rows = shown.map((session) => [
    short(projectOf(session), PROJECT_WIDTH),
    session.from === null ? '?' : session.from.slice(5, 16).replace('T', ' '),
    formatNumber(session.turns),
    billOf(session, unit),
    unit.of(session.avoidable.cost, session.avoidable.tokens),
    causeOf(session),
  ])
  const columns = [
    { title: 'project' },
    { title: 'from (UTC)' },
    { title: 'turns', align: 'right' },
    { title: unit.name === 'seconds' ? 'prefill' : 'bill', align: 'right' },
    { title: 'avoidable', align: 'right' },
    { title: 'cause' },
  ] as const
  const title = all ? 'Sessions, the worst first' : shown.length === 1 ? 'The session' : 'The worst sessions'
  return [paint('bold', title), ...table(columns, rows, WIDTH)]
}

function rankOf({ avoidable, cost, tokens }: SessionSpending, unit: Unit): number {
  return unit.rank(avoidable.cost, avoidable.tokens) + unit.rank(cost, notRead(tokens) ?? 0) / 1e9
}

/** The last folders of the project, as many as fit. */
function projectOf({ project, file }: SessionSpending): string {
  const parts = (project ?? file).split(/[/\\]/).filter((part) => part !== '')
  const two = parts.slice(-2).join('/')
  return two.length <= PROJECT_WIDTH ? two : middleOut(parts.at(-1) ?? '?', PROJECT_WIDTH)
}

function causeOf({ cause }: SessionSpending): string {
  if (cause === null) return '-'
  return short(cause.names.length === 0 ? cause.kind : cause.names.join(', '), CAUSE_WIDTH)
}

function billOf({ cost, tokens }: Spent, unit: Unit): string {
  const processed = notRead(tokens)
  if (unit.name === 'seconds') return processed === null ? '?' : unit.of(null, processed)
  return cost === null ? '?' : unit.of(cost, 0)
}

/** The sums that were asked for; none where none were. */
export function groupLines({ groups }: SpendingReport, paint: Paint, unit: Unit, all: boolean): string[] {
  if (groups === null) return []
  const { by } = groups
  const shown = all ? groups.rows : groups.rows.slice(0, GROUPS)
  const rows = shown.map((row) => [
    nameOf(row, by),
    formatNumber(row.turns),
    row.tokens.total === null ? '?' : formatNumber(row.tokens.total),
    row.hitRate === null ? '?' : formatShare(row.hitRate),
    billOf(row, unit),
    unit.of(row.avoidable.cost, row.avoidable.tokens),
  ])
  const columns = [
    { title: by === 'day' ? 'day (UTC)' : by },
    { title: 'turns', align: 'right' },
    { title: 'input', align: 'right' },
    { title: 'hit rate', align: 'right' },
    { title: unit.name === 'seconds' ? 'prefill' : 'bill', align: 'right' },
    { title: 'avoidable', align: 'right' },
  ] as const
  const left = groups.rows.length - shown.length
  const more = left === 0 ? [] : [`… and ${formatCount(left, `more ${by}`)} (--all)`]
  return [paint('bold', `By ${by}`), ...table(columns, rows, WIDTH), ...more]
}

function nameOf({ name }: GroupSpending, by: string): string {
  if (name === null) return by === 'day' ? 'no time' : 'not named'
  return by === 'project' ? middleOut(name, NAME_WIDTH) : short(name, NAME_WIDTH)
}
