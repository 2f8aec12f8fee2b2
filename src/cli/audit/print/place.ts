/** Where a record stands, in few columns: the project that a log belongs to is the last thing to go. */
import type { AuditTurn } from '../../../audit/index.ts'
import { printableLine } from '../../printable.ts'
import { short } from './amounts.ts'

/** Code points of a path that are looked at. */
const LONGEST = 400
/** The fewest columns in which a name says anything. */
const NAME = 12

/** `a/b/c.jsonl:7` in at most `width` columns: whole, or the file with its last two folders, or with one of them. */
export function placeOf({ file, line }: AuditTurn['source'], width: number): string {
  const end = line === null ? '' : `:${line}`
  const path = printableLine(file.length > LONGEST ? `…${file.slice(-LONGEST)}` : file)
  const parts = path.split('/')
  const name = parts.at(-1) ?? ''
  const folders = parts.slice(0, -1)
  const tails = [2, 1].filter((count) => count < folders.length).map((count) => folders.slice(-count))
  for (const tail of [`${path}${end}`, ...tails.map((kept) => `…/${kept.join('/')}/${name}${end}`)]) {
    if (Array.from(tail).length <= width) return tail
  }
  // The name of a file is often an id, of which both ends tell enough.
  for (const kept of tails) {
    const front = `…/${kept.join('/')}/`
    const room = width - Array.from(front).length - end.length
    if (room >= NAME) return front + middleOut(name, room) + end
  }
  return width - end.length < 1 ? '' : middleOut(name, width - end.length) + end
}

/** `text` on one line of `width` columns; what is cut is in the middle. */
export function middleOut(text: string, width: number): string {
  // Of a text of any length, no more is looked at than may be shown.
  const long = text.length > 40 * width
  const points = Array.from(printableLine(long ? `${text.slice(0, 20 * width)}…${text.slice(-20 * width)}` : text))
  if (points.length <= width) return points.join('')
  const end = Math.floor((width - 1) / 2)
  return short(`${points.slice(0, width - 1 - end).join('')}…${end === 0 ? '' : points.slice(-end).join('')}`, width)
}
