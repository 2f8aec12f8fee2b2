/** Whether reported usage is read as `usage.csv` has it; a field that was not reported must not be there. */
import { writeOf } from '../../src/audit/verdicts/reported.ts'
import { at, count } from '../../src/cache/usage/fields.ts'
import { rowOf, turnOfRow, type Turn } from './replay.ts'
import type { UsageRow } from './usage-table.ts'

/** One line for every difference, and for every row with usage that no turn belongs to. */
export function usageProblems(rows: readonly UsageRow[], turns: readonly Turn[]): string[] {
  const unplayed = rows.filter(({ call, total }) => total !== undefined && turnOfRow(turns, call) === undefined)
  return [
    ...turns.flatMap((turn) => differences(turn, rows)),
    ...unplayed.map(({ call }) => `call ${call} is in usage.csv and was not found`),
  ]
}

function differences(turn: Turn, rows: readonly UsageRow[]): string[] {
  const row = rowOf(rows, turn.call)
  const { reported, call } = turn
  if (row === undefined) return hasNoRow(turn) ? [] : [`call ${call.index} is not in usage.csv`]
  const pairs: readonly (readonly [string, number | undefined, number | undefined])[] = [
    ['total', reported.total, row.total],
    ['read', reported.read, row.read],
    ['write', writeOf(reported), row.write],
    ['output', withoutThoughts(turn), row.output],
  ]
  return pairs
    .filter(([, ours, theirs]) => ours !== theirs)
    .map(([name, ours, theirs]) => `call ${call.index}: ${name} read as ${ours ?? '–'}, usage.csv has ${theirs ?? '–'}`)
}

/** The table has what was answered; of a connection with several calls, the last. */
export function hasNoRow({ call: { row, exchange } }: Turn): boolean {
  return row === undefined || exchange.response === undefined
}

/** The table has Gemini's answers without its thoughts, which are billed as output all the same. */
function withoutThoughts({ reported: { output }, call }: Turn): number | undefined {
  const thoughts = count(at(call.exchange.response, 'usageMetadata', 'thoughtsTokenCount')) ?? 0
  return output === undefined ? undefined : output - thoughts
}
