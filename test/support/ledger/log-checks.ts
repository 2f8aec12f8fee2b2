/** What must hold in a log whatever was done to it, and what must hold between logs. */
import { canonicalJson } from '../../../src/base/json.ts'
import { plainFormat, type PlainMessage } from '../../../src/index.ts'
import { decodeEvent } from '../../../src/session/event.ts'
import { Fold } from '../../../src/session/fold.ts'
import { bodyOf, type Rows } from './evidence.ts'
import { requestOf, type TurnClaim } from './operations.ts'

/** Every input is promoted once, in order, by the first boundary after it; those after the last one are in the inbox. */
export function checkPromotions(rows: Rows): string[] {
  const problems: string[] = []
  let inbox: number[] = []
  for (const row of rows) {
    if (row.type === 'input') inbox.push(row.revision)
    if (row.type !== 'boundary' && row.type !== 'epoch') continue
    const promoted = canonicalJson(bodyOf(row)['promoted'])
    if (promoted !== canonicalJson(inbox)) {
      problems.push(`the boundary at ${row.revision} promotes ${promoted} of the inbox ${canonicalJson(inbox)}`)
    }
    inbox = []
  }
  return problems
}

/** Each turn that a caller was given can be built again from the log, to the byte. */
export function checkRequests(session: string, rows: Rows, claims: readonly TurnClaim[]): string[] {
  const byRevision = Map.groupBy(claims, (claim) => claim.revision)
  const problems: string[] = []
  const fold = new Fold<PlainMessage>(plainFormat)
  try {
    for (const row of rows) {
      fold.apply(decodeEvent(session, row, plainFormat))
      const { epoch, revision, entries } = fold
      if (epoch === null || !byRevision.has(row.revision)) continue
      const request = requestOf({ ...epoch, epoch: epoch.number, revision, entries })
      if (byRevision.get(row.revision)!.some((claim) => claim.request !== request)) {
        problems.push(`the turn at ${row.revision} is another now`)
      }
    }
  } catch (error) {
    problems.push(`cannot be replayed: ${(error as Error).message}`)
  }
  return problems
}

/** The rows of a child that its fork wrote in one append: the newest `fork` event, and all before it. */
export function forkedRows(rows: Rows): Rows {
  return rows.slice(0, rows.findLastIndex((row) => row.type === 'fork') + 1)
}

/** A fork is there as a whole, and what it copied is what the parent has, where the parent is not deleted. */
export function checkFork(rows: Rows, parent: Rows | undefined): string[] {
  const copied = forkedRows(rows)
  const last = copied.at(-1)
  if (last === undefined) return ['the fork is torn: its last event is missing']
  if (bodyOf(last)['through'] !== copied.length - 1) {
    return [`the fork is torn: it has ${copied.length - 1} events before its last`]
  }
  if (parent === undefined) return []
  const differs = copied.slice(0, -1).find((row, index) => {
    const original = parent[index]
    const isSame = row.type === original?.type && row.body === original.body
    return !isSame && !(row.type === 'withheld' && original?.type === 'input')
  })
  return differs === undefined ? [] : [`event ${differs.revision} is not what the parent has`]
}
