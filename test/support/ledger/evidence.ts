/** What each operation leaves in the log of its session, and what is wrong with it. */
import { canonicalJson } from '../../../src/base/json.ts'
import type { StoredEvent } from '../../../src/index.ts'
import type { Done, Operation, Outcome } from './operations.ts'

/** The rows of one session, oldest first. */
export type Rows = readonly StoredEvent[]

/** The types of the one event that an operation may write in its session; none for the others. */
const eventTypes: Partial<Record<Operation['type'], readonly string[]>> = {
  submit: ['input'],
  turn: ['boundary', 'epoch'],
  answer: ['answer'],
  append: ['append'],
  compact: ['compaction'],
  move: ['move'],
}

/** True when the operation may have written `row` in its session. */
export function couldWrite(operation: Operation, row: StoredEvent): boolean {
  const hasType = eventTypes[operation.type]?.includes(row.type) === true
  return hasType && (!('id' in operation) || operation.id === row.id)
}

/** The rows that the operation has written, as far as what its caller was told tells. */
export function rowsOf([operation, { turn }]: Done, rows: Rows): Rows {
  return rows.filter((row) => {
    if (!couldWrite(operation, row)) return false
    switch (operation.type) {
      case 'turn':
        return row.revision === turn?.revision
      case 'compact':
        return canonicalJson(bodyOf(row)['summary']) === canonicalJson(operation.summary)
      default:
        return true
    }
  })
}

/** Why the log of its session does not show the operation as its caller was told; null when it does. */
export function problemOf(done: Done, rows: Rows): string | null {
  const [operation, outcome] = done
  switch (operation.type) {
    case 'submit':
    case 'append':
    case 'answer': {
      const name = `${operation.type} ${operation.id}`
      const [row, ...others] = rowsOf(done, rows)
      if (row === undefined) return `${name} is lost`
      if (others.length > 0) return `${name} is there ${others.length + 1} times`
      if (row.revision !== outcome.revision) return `${name} is at ${row.revision}, not at ${outcome.revision}`
      const { message, messages = [message] } = bodyOf(row)
      return canonicalJson(messages) === canonicalJson(operation.messages) ? null : `${name} has other content`
    }
    case 'turn':
      return turnProblem(outcome, rows)
    case 'compact': {
      const found = rowsOf(done, rows).filter((row) => bodyOf(row)['through'] === operation.through)
      return found.length === 1 ? null : `the compaction through ${operation.through} is there ${found.length} times`
    }
    case 'move': {
      const from = epochStart(operation.epoch, rows) ?? Infinity
      const to = epochStart(operation.epoch + 1, rows) ?? Infinity
      const isThere = rows.some((row) => row.type === 'move' && row.revision > from && row.revision < to)
      return isThere ? null : `the move in epoch ${operation.epoch} is lost`
    }
    default:
      return null
  }
}

function turnProblem({ turn }: Outcome, rows: Rows): string | null {
  if (turn === undefined) return null
  const row = rows[turn.revision - 1]
  if (row === undefined) return `the turn at ${turn.revision} is lost`
  if (turn.started && row.type !== 'epoch') return `the epoch at ${turn.revision} is lost`
  const update = (bodyOf(row)['update'] ?? null) as { readonly text: string } | null
  return turn.update === null || turn.update === update?.text ? null : `the update at ${turn.revision} is lost`
}

function epochStart(number: number, rows: Rows): number | undefined {
  return rows.find((row) => row.type === 'epoch' && bodyOf(row)['epoch'] === number)?.revision
}

/** The stored event without its head. */
export function bodyOf(row: StoredEvent): Readonly<Record<string, unknown>> {
  return JSON.parse(row.body) as Record<string, unknown>
}
