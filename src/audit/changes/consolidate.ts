/**
 * One edit of a text is often many stretches. Where they changed together, in one block, they are one culprit: rules
 * that were edited, a definition that was.
 */
import { isGitStatus } from './classify/git.ts'
import type { Finding } from './finding.ts'
import { addTo, type Found } from './group.ts'
import type { Named } from './name-group.ts'
import { steadyPath } from './paths.ts'

/** Below this, a value seen once among edits of the text around it is taken for part of them. */
const SURE = 0.7
/** From here on, a value is what it looks like, whatever changed beside it. */
const CERTAIN = 0.85
/** Stretches of one block that change in one turn and never again, from which they are one edit. */
const MANY = 4
/** UTF-16 units; what is longer is text that somebody wrote. */
const LONGEST_VALUE = 120

/** Joins what is one edit. */
export function consolidate(groups: readonly Named[]): Named[] {
  const result: Named[] = []
  const edits = new Map<string, Named>()
  const crowds = crowdedTurns(groups)
  for (const group of groups) {
    const named = crowds.has(placeOf(group) ?? '') ? asEdit(group) : group
    const key = editKey(named)
    const known = key === undefined ? undefined : edits.get(key)
    if (known !== undefined) addTo(known, group)
    else {
      if (key !== undefined) edits.set(key, named)
      result.push(named)
    }
  }
  const places = new Map<string, Named>()
  for (const edit of edits.values()) {
    if (edit.kind !== 'rules-text' && edit.kind !== 'tool-edited') continue
    for (const found of edit.found) places.set(placeOf({ ...edit, found: [found] }) ?? '', edit)
  }
  return result.filter((group) => !isAbsorbed(group, places)).map(inOrder)
}

/** What is one culprit however many stretches of a block it has: edited text, and lists of lines. */
function editKey(group: Named): string | undefined {
  const { finding } = group.found[0] as Found
  if (finding.form.type !== 'span') return undefined
  const isText = group.kind === 'tool-edited' || (group.kind === 'rules-text' && !isValue(group))
  const isList =
    (group.kind === 'git' || group.kind === 'path') && group.found.some((found) => isOfLines(found.finding))
  return isText || isList ? `${group.kind} ${steadyPath(finding.path)}` : undefined
}

/** A short stretch that changed again and again is a value of its own, whatever is edited around it. */
function isValue({ found }: Named): boolean {
  const turns = new Set(found.map(({ finding }) => finding.turn.number))
  return turns.size > 1 && found.every(({ finding }) => isShort(finding.before) && isShort(finding.after))
}

function isShort(value: string | null): boolean {
  return value !== null && value.length <= LONGEST_VALUE && !value.includes('\n')
}

/** Whole lines came or went, or lines of a status did. */
function isOfLines({ before, after }: Finding): boolean {
  return [before ?? '', after ?? ''].some((value) => value.includes('\n') || isGitStatus(value))
}

function asEdit(group: Named): Named {
  if (group.kind === 'tool-edited' || group.confidence >= CERTAIN) return group
  const { section } = (group.found[0] as Found).finding
  return { ...group, kind: section === 'tools' ? 'tool-edited' : 'rules-text', confidence: SURE }
}

function inOrder(group: Named): Named {
  return { ...group, found: group.found.sort((one, other) => one.finding.turn.number - other.finding.turn.number) }
}

/** Gives a doubtful value that changed once to the edit around it. */
function isAbsorbed(group: Named, edits: ReadonlyMap<string, Named>): boolean {
  const key = placeOf(group)
  const edit = key === undefined ? undefined : edits.get(key)
  if (edit === undefined || edit === group || group.confidence >= SURE || group.found.length > 1) return false
  addTo(edit, group)
  return true
}

function crowdedTurns(groups: readonly Named[]): ReadonlySet<string> {
  const counts = new Map<string, number>()
  for (const group of groups) {
    const key = group.found.length === 1 ? placeOf(group) : undefined
    if (key !== undefined) counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return new Set([...counts].filter(([, count]) => count >= MANY).map(([key]) => key))
}

/** The block and the turns in which it changed. */
function placeOf({ found }: Named): string | undefined {
  const [one] = found
  if (one?.finding.form.type !== 'span') return undefined
  const turns = found.map(({ finding, isBetween }) => `${finding.turn.number}${isBetween ? 'b' : ''}`)
  return `${steadyPath(one.finding.path)} ${turns.join()}`
}
