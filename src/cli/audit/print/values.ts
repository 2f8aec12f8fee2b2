/**
 * The values of a culprit. On one line, what all of them begin and end with is left out before anything that differs is
 * cut; of tools in another order, those that moved are named.
 */
import type { AuditCulprit, ReportText } from '../../../audit/index.ts'
import { formatNumber } from '../../layout.ts'
import { printableLine } from '../../printable.ts'
import { short } from './amounts.ts'

/** Values that are looked at for one line; how many fit is another matter. */
const VALUES = 6
/** Code points of a value that are looked at; a report has no more. */
const LONGEST = 400
/** Code points of a word that are kept beside what differs. */
const WORD = 24

const ARROW = ' → '

/** As many of the values as fit into one line, but two at least, then the text around them where there is room. */
export function valuesLine(culprit: AuditCulprit, width: number): string {
  const { kind, values, path } = culprit
  // The path names what was added or removed.
  if (values.length === 1 && path === `tools[${values[0]?.text}]`) return ''
  const moved = kind === 'tool-reordered' ? movedTools(values) : null
  if (moved !== null) return short(moved, width)
  const looked = values.slice(0, VALUES)
  if (looked.length === 0) return ''
  if (looked.length > 1 && new Set(looked.map(wholeOf)).size === 1) {
    return short(`${formatNumber(values.length)} texts of one shape: ${wholeOf(looked[0]!)}`, width)
  }
  for (let count = looked.length; count > 0; count--) {
    const end = count < values.length ? `${ARROW}…` : ''
    const some = looked.slice(0, count)
    for (const shown of [some.map(wholeOf), differing(some)]) {
      const line = shown.join(ARROW) + end
      if (lengthOf(line) <= width) return withAnchor(line, culprit, width)
    }
    if (count > 2) continue
    const room = Math.floor((width - lengthOf(end) - (count - 1) * ARROW.length) / count)
    const shown = differing(some, room)
    // Nothing is gained by saying the same twice.
    if (count === 1 || new Set(shown).size > 1) return shown.join(ARROW) + end
  }
  return ''
}

/** All values in full: on one line where they fit, or each on lines of its own. */
export function valueLines(culprit: AuditCulprit, width: number): string[] {
  const { kind, values } = culprit
  const line = valuesLine(culprit, width)
  if (line.startsWith(values.map(wholeOf).join(ARROW))) return line === '' ? [] : [line]
  const moved = kind === 'tool-reordered' ? movedTools(values) : null
  return [
    ...(moved === null ? [] : broken(moved, width)),
    ...values.flatMap((value, index) => broken(`${index === 0 ? '' : '→ '}${wholeOf(value)}`, width)),
  ]
}

/** A value that is shown, or the shape of one that is not, and its length. */
function wholeOf({ text, preview, length }: ReportText): string {
  if (length === 0) return '""'
  return text === null ? `${printableLine(preview)} [${formatNumber(length)}]` : quoted(pointsOf(text))
}

function quoted(points: readonly string[]): string {
  return printableLine(JSON.stringify(points.join('')))
}

/** Each value, in `room` columns, without what all begin and end with; masked ones and others have nothing in common. */
function differing(values: readonly ReportText[], room: number = Infinity): string[] {
  const masked = values.filter(({ text }) => text === null).length
  const points = values.map(({ text, preview }) => pointsOf(text ?? preview))
  const [front, back] = masked === 0 || masked === values.length ? commonEnds(points) : [0, 0]
  return points.map((all, index) => {
    const kept = all.slice(front, all.length - back)
    const { text, length } = values[index]!
    const size = text === null ? ` [${formatNumber(length)}]` : ''
    const start = front > 0 ? '…' : ''
    const whole = text === null ? printableLine(kept.join('')) : quoted(kept)
    const end = back > 0 ? '…' : ''
    const shown = short(whole, Math.max(1, room - start.length - end.length - size.length))
    return start + shown + (shown === whole ? end : '') + size
  })
}

/** How many code points at both ends can go: up to the word that differs. */
function commonEnds(values: readonly (readonly string[])[]): readonly [number, number] {
  const [first = [], ...others] = values
  const shortest = Math.min(...values.map(({ length }) => length))
  let front = 0
  while (front < shortest && others.every((other) => other[front] === first[front])) front++
  let back = 0
  while (back < shortest - front && others.every((other) => other.at(-1 - back) === first.at(-1 - back))) back++
  if (others.length === 0 || (front === first.length && front === shortest)) return [0, 0]
  let word = front
  while (word > 0 && front - word < WORD && !isBlank(first[word - 1])) word--
  let rest = back
  while (rest > 0 && back - rest < WORD && !isBlank(first.at(-rest))) rest--
  return [word > 2 ? word : 0, rest > 2 ? rest : 0]
}

function isBlank(point: string | undefined): boolean {
  return point === undefined || /[\s,]/.test(point)
}

function withAnchor(line: string, { anchor }: AuditCulprit, width: number): string {
  const [before, after] = [anchor?.before.text ?? '', anchor?.after.text ?? '']
  if (before === '' && after === '') return line
  const around = `${line}   (${short(before.slice(-20), 20)}…${short(after.slice(0, 20), 20)})`
  return lengthOf(around) <= width ? around : line
}

/** Which tools stand elsewhere, and where they stood: `bash from place 1 to 4`; null where the lists do not tell. */
function movedTools(values: readonly ReportText[]): string | null {
  const lists = values.slice(0, VALUES).map(namesOf)
  const moves = lists.slice(1).map((list, index) => movesBetween(lists[index]!, list))
  const [first] = moves
  if (first === undefined || first.length === 0) return null
  const told = moves.filter((move) => move.length > 0).map((move) => move.join(', '))
  return `moved: ${told.join('; then ')}`
}

/** Of a list that is cut, the last name may be half of one. */
function namesOf({ text, length }: ReportText): string[] {
  const names = (text ?? '').split(/\s*,\s*/).filter((name) => name !== '')
  return text !== null && text.length < length ? names.slice(0, -1) : names
}

function movesBetween(before: readonly string[], after: readonly string[]): string[] {
  const places = after.map((name) => before.indexOf(name))
  const steady = new Set(longestRise(places.filter((place) => place >= 0)))
  return after.flatMap((name, to) => {
    const from = places[to]!
    return from < 0 || steady.has(from) ? [] : [`${name} from place ${from + 1} to ${to + 1}`]
  })
}

/** The longest of the rising sequences in `numbers`, which are few. */
function longestRise(numbers: readonly number[]): readonly number[] {
  const ending: (readonly number[])[] = []
  for (const [index, number] of numbers.entries()) {
    const before = ending.slice(0, index).filter((rise) => rise.at(-1)! < number)
    const longest = before.reduce<readonly number[]>((best, rise) => (rise.length > best.length ? rise : best), [])
    ending.push([...longest, number])
  }
  return ending.reduce<readonly number[]>((best, rise) => (rise.length > best.length ? rise : best), [])
}

/** A text in lines that are full, wherever its words end. */
function broken(text: string, width: number): string[] {
  const points = Array.from(printableLine(text))
  const lines: string[] = []
  for (let start = 0; start < points.length; start += width) lines.push(points.slice(start, start + width).join(''))
  return lines
}

function pointsOf(text: string): string[] {
  return Array.from(text.slice(0, 2 * LONGEST)).slice(0, LONGEST)
}

function lengthOf(text: string): number {
  return Array.from(text).length
}
