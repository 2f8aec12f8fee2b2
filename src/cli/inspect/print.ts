/** Sessions as text for a terminal of 80 columns; every text in it comes out printable. */
import type { SessionSummary, Verification } from '../../session/index.ts'
import { clipLines, formatNumber, table, WIDTH } from '../layout.ts'
import { printableLine } from '../printable.ts'
import { describeChange, type SessionView, type UpdateView } from './read-session.ts'

/** How much of an update is shown, in lines; `--json` has all of it. */
const UPDATE_LINES = 12

/** The sessions of a file. */
export function printSessions(file: string, sessions: readonly SessionSummary[]): string {
  const lines = table(
    [{ title: 'session' }, { title: 'events', align: 'right' }, { title: 'first' }, { title: 'last' }],
    sessions.map(({ id, revision, createdAt, updatedAt }) => [
      id,
      formatNumber(revision),
      toTime(createdAt),
      toTime(updatedAt),
    ]),
    WIDTH,
  )
  const title = `${printableLine(file)} holds ${count(sessions.length, 'session')}.`
  return join(sessions.length === 0 ? [title] : [title, '', ...lines])
}

/** The epochs, updates and events of one session. */
export function printSession({ id, epochs, updates, events }: SessionView): string {
  return join([
    `Session ${printableLine(id)}`,
    '',
    ...section(
      'Epochs',
      table(
        [
          { title: 'epoch', align: 'right' },
          { title: 'revision', align: 'right' },
          { title: 'cause' },
          { title: 'instructions', align: 'right' },
          { title: 'baseline', align: 'right' },
          { title: 'updates', align: 'right' },
        ],
        epochs.map((epoch) => [
          String(epoch.epoch),
          String(epoch.revision),
          epoch.cause,
          formatNumber(epoch.instructionsSize),
          formatNumber(epoch.baselineSize),
          String(epoch.updates),
        ]),
        WIDTH - 2,
      ),
      epochs.length,
    ),
    ...section('Updates', updates.flatMap(printUpdate), updates.length),
    ...section(
      'Events',
      table(
        [{ title: 'revision', align: 'right' }, { title: 'type' }, { title: 'time' }, { title: '' }],
        events.map(({ revision, type, at, summary }) => [String(revision), type, toTime(at), summary]),
        WIDTH - 2,
      ),
      events.length,
    ).slice(0, -1),
  ])
}

function printUpdate({ revision, changes, text }: UpdateView): string[] {
  return [
    `revision ${revision}: ${changes.map(describeChange).join(', ')}`,
    ...clipLines(text, WIDTH - 6, UPDATE_LINES).map((line) => `  | ${line}`),
  ].map(printableLine)
}

function section(title: string, lines: readonly string[], size: number): string[] {
  if (size === 0) return [`${title}: none`, '']
  return [title, ...lines.map((line) => `  ${line}`), '']
}

/** The verdict on one session. */
export function printVerification(id: string, events: number, { ok, problems }: Verification): string {
  const name = `session ${printableLine(id)}`
  if (ok) return `✓ ${name}: ${count(events, 'event')} replayed, no problems\n`
  return join([
    `✗ ${name}: ${count(problems.length, 'problem')}`,
    ...problems.map(({ revision, law, message }) => printableLine(`  at revision ${revision}, ${law}: ${message}`)),
  ])
}

/** To the second; a time that is none is shown as it is stored. */
function toTime(at: string): string {
  return /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(at) ? `${at.slice(0, 10)} ${at.slice(11, 19)}` : at
}

function count(size: number, noun: string): string {
  return `${formatNumber(size)} ${noun}${size === 1 ? '' : 's'}`
}

function join(lines: readonly string[]): string {
  return `${lines.join('\n')}\n`
}
