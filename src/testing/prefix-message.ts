/**
 * What a failed check says: the first break with both texts, its kind, what it costs and what to do; the others in a line
 * each. At most {@link MOST_LINES} lines, however much was broken.
 *
 * Texts are shown, since they are those of the test; as literals, so that nothing in them moves a cursor, and without what
 * looks like a key.
 */
import { fixFor } from '../audit/report/fixes.ts'
import { keySpans, maskKeys } from '../audit/report/keys.ts'
import { literal } from '../sources/literal.ts'
import type { NumberedBreak } from './prefix-check.ts'
import type { ChangeKind, PrefixChange, PrefixPlace } from './prefix-break.ts'

/** Lines of a message at most. */
export const MOST_LINES = 25

/** Code points of a text that are shown. */
const LONGEST = 120
/** Further changes of the first break, and further breaks, that have a line. */
const MORE_CHANGES = 4
const MORE_BREAKS = 6

/** What the two requests are called. */
export interface Names {
  readonly request: (number: number) => string
  readonly previous: (number: number) => string
  /** Says how the one comes to be held against the other; behind the name of the earlier one. */
  readonly link: string
}

const numbered: Names = {
  request: (number) => `Request ${number}`,
  previous: (number) => `request ${number}`,
  link: ', which it goes on from',
}

/** Of two requests without a list. */
export const unnumbered: Names = {
  request: () => 'The request',
  previous: () => 'the earlier one',
  link: '',
}

/** The message of a failed check. `breaks` are those that are not allowed; never empty. */
export function breakMessage(
  [first, ...others]: readonly [NumberedBreak, ...NumberedBreak[]],
  names: Names = numbered,
): string {
  const { request, previous, changes, place, tokens } = first
  const [change, ...further] = changes
  const deed = change.kind === 'parameter' ? 'cannot read the cache of' : 'does not begin with'
  const earlier = names.previous(previous)
  const lines = [
    `${names.request(request)} ${deed} ${earlier}${names.link}.`,
    '',
    `  kind:   ${change.kind}${isNamed(change, place) ? ` (${maskKeys(change.path)})` : ''}`,
    `  path:   ${maskKeys(place.path)}${place.offset === null ? '' : `, at character ${place.offset}`}`,
    `  before: ${shown(place.before)}`,
    `  after:  ${place.type === 'shortened' ? '(the request ends here)' : shown(place.after)}`,
    ...valueLines(change, place),
    `  cost:   about ${count(tokens.lost)} of the ${count(tokens.all)} tokens of ${earlier} are not read from the cache`,
    `  fix:    ${fixOf(change.kind)}`,
  ]
  if (further.length > 0) {
    lines.push('', 'Also changed there:', ...listed(further.map(changeLine), MORE_CHANGES))
  }
  if (others.length > 0) lines.push('', 'Also broken:', ...listed(others.map(breakLine), MORE_BREAKS))
  return lines.slice(0, MOST_LINES).join('\n')
}

/** The path of the change names more than an index: `tools[read_file]`. */
function isNamed({ path }: PrefixChange, place: PrefixPlace): boolean {
  return path !== place.path && path.startsWith('tools[')
}

/** A text as a literal of limited length, without keys; in words where there is none. */
export function shown(text: string | null): string {
  return text === null ? '(nothing is there)' : literal(masked(text), LONGEST)
}

/** Texts here are cut out of longer ones, and may hold a part of a key. */
function masked(text: string): string {
  return maskKeys(text, keySpans(text, { cut: true }))
}

/** The value alone, where it is only a part of the text that is shown. */
function valueLines({ before, after }: PrefixChange, place: PrefixPlace): string[] {
  if (before === null || after === null || (before === place.before && after === place.after)) return []
  return [`  value:  ${literal(masked(before), LONGEST / 2)} became ${literal(masked(after), LONGEST / 2)}`]
}

function changeLine({ kind, path, before, after }: PrefixChange): string {
  const values = before === null && after === null ? '' : `: ${brief(before)} became ${brief(after)}`
  return `${kind} at ${maskKeys(path)}${values}`
}

function brief(text: string | null): string {
  return text === null ? 'nothing' : literal(masked(text), 30)
}

function breakLine({ request, previous, changes, tokens }: NumberedBreak): string {
  const kinds = changes.map(({ kind, path }) => `${kind} at ${maskKeys(path)}`)
  const more = kinds.length > 2 ? ` and ${kinds.length - 2} more` : ''
  return `request ${request} after ${previous}: ${kinds.slice(0, 2).join(', ')}${more} (about ${count(tokens.lost)} tokens)`
}

function listed(lines: readonly string[], most: number): string[] {
  const all = lines.length > most ? [...lines.slice(0, most), `${lines.length - most} more`] : lines
  return all.map((line) => `  - ${line}`)
}

function fixOf(kind: ChangeKind): string {
  return kind === 'compaction'
    ? "If the conversation was meant to go on from a summary, allow it: { allow: ['compaction'] }."
    : fixFor(kind)
}

/** As `12,345`, whatever the locale. */
function count(tokens: number): string {
  return Math.round(tokens).toLocaleString('en-US')
}
