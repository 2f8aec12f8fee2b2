/**
 * Conversations turn by turn. Neighbours that went the same way are drawn together, and of many conversations those that
 * lost most are shown, unless all are asked for.
 */
import type { AuditReport, AuditStream, AuditTurn } from '../../../audit/index.ts'
import { costOf, lossOf, wayOf, type Kinds } from '../../../audit/words/turn.ts'
import { dollars, type Unit } from '../../../audit/words/unit.ts'
import { WIDTH } from '../../layout.ts'
import type { Paint } from '../../output.ts'
import { formatCount, short } from './amounts.ts'
import { placeOf } from './place.ts'
import { drawRows, legend, type Row } from './rows.ts'

/** A run of turns that went the same way is drawn whole up to this length. */
const RUN = 3

/** Columns of the name of a model, and those that a place should have. */
const MODEL = { least: 16, most: 30 }
const PLACE = 36

/** All turns of all conversations, or what of them fits into `limit` lines. */
export function turnLines(
  { streams, culprits }: AuditReport,
  paint: Paint,
  limit: number,
  unit: Unit = dollars,
): string[] {
  if (streams.length === 0) return []
  const kinds = new Map(culprits.map(({ id, kind }) => [id, kind]))
  const lines = [`${paint('bold', 'Turns')}   ${legend(paint)}`]
  const all = limit === Infinity
  const ordered = all ? streams : streams.toSorted((one, other) => lossOf(other) - lossOf(one))
  for (const [index, stream] of ordered.entries()) {
    // One line is for what is left out, one for the title.
    const room = limit - lines.length - (index < ordered.length - 1 ? 1 : 0) - 1
    const rows = rowsOf(stream.turns, kinds, all)
    if (rows.length > room && (room < 3 || index > 0)) {
      lines.push(short(`… and ${formatCount(ordered.length - index, 'more conversation')} (--all)`, WIDTH))
      break
    }
    const shown = rows.length <= room ? rows : rows.slice(0, room - 1)
    lines.push(titleOf(stream, paint, unit), ...drawRows(shown, stream.turns, kinds, paint, unit))
    const left = stream.turns.length - shown.reduce((sum, { turns }) => sum + turns.length, 0)
    if (left > 0) lines.push(`… and ${formatCount(left, 'more turn')} of it (--all)`)
  }
  return lines
}

function titleOf({ model, provider, turns, parent, session }: AuditStream, paint: Paint, unit: Unit): string {
  const costs = turns.map(costOf).filter((cost) => cost !== null)
  const cost = costs.length === 0 ? '' : `, ${unit.amount(costs.reduce((sum, one) => sum + one, 0))}`
  const source = turns[0]?.source
  const count = `, ${formatCount(turns.length, 'turn')}${cost}${parent === null ? '' : ', a fork'}`
  // Below the width of a place, models are cut, of which there are few, and not places.
  const name = short(model ?? provider, Math.min(MODEL.most, Math.max(MODEL.least, WIDTH - count.length - PLACE - 2)))
  const start = name + count
  const room = WIDTH - Array.from(start).length - 2
  const place = source === undefined ? short(session ?? '', room) : placeOf(source, room)
  return paint('bold', start) + (place === '' ? '' : paint('dim', `  ${place}`))
}

function rowsOf(turns: readonly AuditTurn[], kinds: Kinds, all: boolean): readonly Row[] {
  if (all) return turns.map((turn, index) => ({ index, turns: [turn] }))
  const rows: Row[] = []
  for (let start = 0; start < turns.length;) {
    const way = wayOf(turns[start]!, kinds)
    let end = start + 1
    while (end < turns.length && wayOf(turns[end]!, kinds) === way) end++
    const run = turns.slice(start, end).map((turn, index): Row => ({ index: start + index, turns: [turn] }))
    if (run.length <= RUN) rows.push(...run)
    else rows.push(run[0]!, { index: start + 1, turns: turns.slice(start + 1, end - 1) }, run.at(-1)!)
    start = end
  }
  return rows
}
