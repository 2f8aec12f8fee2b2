/**
 * Findings that are one culprit. Acts are one by what they are; spans by being one span at one place, by having the same
 * text around them, or, where they travel with the conversation, by doing the same to each message in turn.
 */
import type { Act, Finding, Stretched } from './finding.ts'
import { steadyPath } from './paths.ts'
import { skeleton } from './skeleton.ts'

/** A finding, with where it was found. */
export interface Found {
  readonly finding: Finding
  readonly stream: string
  /** Held against another stream's first turn. */
  readonly isBetween: boolean
  /** Part of what a fork was made for, or of a last message that was written anew: a difference only if others say so. */
  readonly isWeak: boolean
}

/** Findings of one culprit, in the order of turns. */
export interface Group {
  readonly found: Found[]
}

/** Adds what was found of `other` to `group`, one by one: there may be more than a call takes arguments. */
export function addTo(group: Group, other: Group): void {
  for (const found of other.found) group.found.push(found)
}

/** Groups all findings; groups in which nothing is a difference for sure are left out. */
export function groupFindings(all: readonly Found[]): Group[] {
  const first = collect(asMoves(all), (found) => keyOf(found.finding))
  const wandering = collect(first.filter(travels), ({ found }) => wanderingKey(found[0] as Found), true)
  const rest = first.filter((group) => !travels(group))
  return joinByAnchor([...rest, ...wandering.map((groups) => ({ found: groups.flatMap(({ found }) => found) }))])
    .filter(({ found }) => found.some(({ isWeak }) => !isWeak))
    .map(({ found }) => ({ found: found.sort((one, other) => one.finding.turn.number - other.finding.turn.number) }))
}

/** A block that moved from where it was read goes on moving, whatever breakpoint it carries: one habit. */
function asMoves(all: readonly Found[]): readonly Found[] {
  const moves = new Map<string, Act>()
  for (const { finding, stream } of all) {
    const { form } = finding
    if (form.type === 'act' && form.kind === 'moved-block' && form.counting === 'always')
      moves.set(`${stream} ${form.key}`, form)
  }
  if (moves.size === 0) return all
  return all.map((found) => {
    const { form } = found.finding
    const key = form.type === 'act' ? (form.asMove ?? null) : null
    const move = key === null ? undefined : moves.get(`${found.stream} ${key}`)
    return move === undefined ? found : { ...found, finding: { ...found.finding, form: move } }
  })
}

function collect(items: readonly Found[], key: (item: Found) => string): Group[]
function collect(items: readonly Group[], key: (item: Group) => string, whole: true): Group[][]
function collect<T>(items: readonly T[], key: (item: T) => string, whole = false): unknown[] {
  const byKey = new Map<string, T[]>()
  for (const item of items) {
    const name = key(item)
    const list = byKey.get(name)
    if (list === undefined) byKey.set(name, [item])
    else list.push(item)
  }
  return whole ? [...byKey.values()] : [...byKey.values()].map((found) => ({ found }))
}

function keyOf({ form, path, section }: Finding): string {
  if (form.type === 'act') return `act ${form.kind} ${section} ${form.key}`
  return `span ${form.span.root.number} ${steadyPath(path)}`
}

/** A span that was seen once, behind the first message. */
function travels({ found }: Group): boolean {
  const [one, ...others] = found
  const { finding } = one as Found
  return (
    others.length === 0 &&
    finding.form.type === 'span' &&
    finding.section === 'messages' &&
    steadyPath(finding.path).includes('[*]')
  )
}

/** What is done to each message in turn, once it is no longer the last, is one habit; elsewhere values have to be alike. */
function wanderingKey({ finding }: Found): string {
  const { form, path, before, after, isTail, goesOn } = finding
  const { place, operation, role } = form as Stretched
  const deed = `${steadyPath(path)} ${role} ${place} ${operation}`
  return isTail && goesOn ? `end ${deed}` : `${deed} ${skeleton(before ?? '')} > ${skeleton(after ?? '')}`
}

/** Letters that an anchor needs to be told from others. */
const TELLING = 4

/** Joins spans of one path between the same texts, unless a turn has both. */
function joinByAnchor(groups: readonly Group[]): Group[] {
  const result: Group[] = []
  const byAnchor = new Map<string, { readonly group: Group; readonly turns: Set<string> }>()
  for (const group of groups) {
    const [one] = group.found
    const form = one?.finding.form
    const key = form?.type === 'span' ? anchorKey(form, one?.finding.path ?? '') : undefined
    const known = key === undefined ? undefined : byAnchor.get(key)
    const turns = group.found.map(({ finding, isBetween }) => `${finding.turn.number} ${isBetween}`)
    if (known !== undefined && !turns.some((turn) => known.turns.has(turn))) {
      addTo(known.group, group)
      for (const turn of turns) known.turns.add(turn)
      continue
    }
    if (key !== undefined && known === undefined) byAnchor.set(key, { group, turns: new Set(turns) })
    result.push(group)
  }
  return result
}

function anchorKey({ span }: Stretched, path: string): string | undefined {
  const { before, after } = span.root.anchor
  const letters = `${before}${after}`.match(/\p{L}/gu)?.length ?? 0
  return letters < TELLING ? undefined : JSON.stringify([steadyPath(path), before, after])
}
