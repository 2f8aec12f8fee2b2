/**
 * Caches whose entries end at places: a request reads the deepest live entry that one of its lookups comes to, and
 * writes one at each of its breakpoints behind it.
 */
import { stateOf, type EntryState } from './entry.ts'
import { afterCommon, throughAnswer, type Outcome, type Play, type Run } from './play.ts'
import type { EntryRules, Place } from './rules.ts'
import { changedParameters } from './scope.ts'
import { laterOf } from './time.ts'
import { type Entry, type Node } from './tree.ts'
import { pathOf } from './walk.ts'
import { isAbandoned, joinWriters } from './writer.ts'

interface Found {
  readonly entry: Entry
  readonly by: Place
}

/** Plays one request. */
export function playEntries(play: Play, rules: EntryRules, isFirst: boolean): Outcome {
  const { walk, positions } = play
  const { writes, lookups } = rules.places(walk)
  const { hit, maybe, refreshed } = lookUp(play, lookups, rules.window)
  const answered = rules.storesOutput && hit !== undefined && hit.entry.node === walk.common
  const found = hit === undefined ? walk.root : answered ? throughAnswer(play).certain : hit.entry.node
  const given = rules.given?.(walk) ?? walk.root
  const readThrough = given.depth > found.depth ? given : found
  // Before anything is stored: the reasons are about what stood there.
  const through = positions.at(readThrough)
  const read = floor(through, rules.step)
  const runs: readonly Run[] = [
    ...(read < through ? [{ reason: 'partial-block' as const, to: readThrough }] : []),
    ...explain(play, rules, readThrough, lookups),
    ...(readThrough.depth >= walk.end.depth ? [] : startingAt(afterCommon(play, isFirst), readThrough)),
  ]
  for (const { entry } of refreshed) {
    entry.usedAt = laterOf(entry.usedAt, play.now)
    entry.usedBy = play.number
  }
  const { written, charged, stored, short } = write(play, rules, writes, readThrough)
  return {
    read,
    range: {
      least: rules.bestEffort === true ? 0 : read,
      most: Math.max(read, maybe === undefined ? 0 : positions.at(maybe.entry.node), mostCommon(play, rules)),
    },
    readThrough,
    hit: readThrough === walk.root ? null : hitOf(readThrough, hit),
    written,
    charged,
    runs,
    whole: null,
    stored,
    short,
  }
}

function hitOf(node: Node, found: Found | undefined): NonNullable<Outcome['hit']> {
  const { entry, by } = found ?? {}
  return { node, breakpoint: by?.node ?? node, writtenBy: entry?.writer.request ?? 0 }
}

function mostCommon({ walk, positions }: Play, { mayReadCommon, minimum, step }: EntryRules): number {
  const tokens = positions.at(walk.common)
  return mayReadCommon === true && tokens >= minimum ? floor(tokens, step) : 0
}

/** The deepest entry that can be read, and every one that a lookup found: looking keeps alive. */
function lookUp(
  play: Play,
  lookups: readonly Place[],
  window: number,
): { hit: Found | undefined; maybe: Found | undefined; refreshed: readonly Found[] } {
  let hit: Found | undefined
  let maybe: Found | undefined
  const refreshed: Found[] = []
  for (let index = lookups.length - 1; index >= 0; index--) {
    const by = lookups[index] as Place
    const last = by.node.position - window
    for (let node: Node | null = by.node; node !== null && node.depth > 0 && node.position > last; node = node.parent) {
      const entry = node.entries?.get(play.scope.sections[node.kind.section])
      if (entry === undefined) continue
      const { type } = stateOf(entry.usedAt, entry.lifetime, entry.writer, play.now)
      if (type === 'maybe-expired' && deeper(entry, maybe)) maybe = { entry, by }
      if (type !== 'alive') continue
      refreshed.push({ entry, by })
      if (deeper(entry, hit)) hit = { entry, by }
      break
    }
  }
  return { hit, maybe, refreshed }
}

function deeper({ node }: Entry, found: Found | undefined): boolean {
  return found === undefined || node.depth > found.entry.node.depth
}

function write(
  play: Play,
  rules: EntryRules,
  writes: readonly Place[],
  readThrough: Node,
): Pick<Outcome, 'written' | 'charged' | 'stored' | 'short'> {
  const { walk, positions, now, number } = play
  const charged = { '5m': 0, '30m': 0, '1h': 0 }
  const written: Place[] = []
  const stored: Entry[] = []
  const short: Entry[] = []
  let through = positions.at(readThrough)
  for (const place of detected(play, rules, writes)) {
    const { node, ttl, breakpoint } = place
    const tokens = positions.at(node)
    const { section } = node.kind
    const key = play.scope.sections[section]
    const entry: Entry = {
      node,
      key,
      ttl,
      breakpoint,
      lifetime: rules.lifetime(ttl),
      writer: play.writer,
      tokens,
      section,
      model: walk.request.model,
      path: pathOf(walk, node),
      scope: play.scope.parameters,
      usedAt: now,
      usedBy: number,
    }
    if (tokens < rules.minimum) {
      short.push(entry)
      continue
    }
    written.push(place)
    if (rules.charges && tokens > through && ttl !== null) {
      charged[ttl] += tokens - through
      through = tokens
    }
    const standing = node.entries?.get(key)
    const state = standing && stateOf(standing.usedAt, standing.lifetime, standing.writer, now).type
    // Another request writes the same: readable as soon as either response has begun.
    if (standing !== undefined && state === 'not-readable' && !isAbandoned(standing.writer)) {
      standing.writer = joinWriters(standing.writer, play.writer)
      standing.usedAt = laterOf(standing.usedAt, now)
      standing.usedBy = number
      if (entry.lifetime.least > standing.lifetime.least) {
        standing.ttl = ttl
        standing.lifetime = entry.lifetime
      }
      stored.push(standing)
    } else if (state !== 'alive') {
      play.store(entry)
      stored.push(entry)
    }
  }
  return { written, charged, stored, short }
}

/** Where the caller's places are, and for providers that notice it, where this request leaves an earlier one. */
function detected({ walk }: Play, { detectsCommon }: EntryRules, writes: readonly Place[]): readonly Place[] {
  const { common, end } = walk
  if (detectsCommon !== true || common.depth === 0 || common === end || common.endedBy > 0) return writes
  return [{ node: common, ttl: null, breakpoint: null }, ...writes]
}

/** Why what an earlier request sent as well was not read. */
function explain(play: Play, rules: EntryRules, readThrough: Node, lookups: readonly Place[]): readonly Run[] {
  const { walk, positions } = play
  if (readThrough.depth >= walk.common.depth) return []
  const runs: Run[] = []
  for (let node = walk.common; node.depth > readThrough.depth && node.parent !== null; node = node.parent) {
    const run = node.entries === null ? undefined : unread(play, rules, node, lookups)
    if (run === undefined) continue
    runs.push(run)
    break
  }
  const [found] = runs
  if (found === undefined || found.to !== walk.common) {
    const short = positions.at(walk.common) < rules.minimum
    runs.push(
      short
        ? { reason: 'below-minimum', minimum: rules.minimum, to: walk.common }
        : { reason: 'not-marked', to: walk.common },
    )
  }
  return runs
}

/** Why the entries at a node could not be read; undefined where they could, or are gone for all. */
function unread(play: Play, rules: EntryRules, node: Node, lookups: readonly Place[]): Run | undefined {
  const own = node.entries?.get(play.scope.sections[node.kind.section])
  if (own !== undefined) {
    const state = stateOf(own.usedAt, own.lifetime, own.writer, play.now)
    if (state.type !== 'alive') return { ...reasonOf(state), to: node }
    const isLookedFor = lookups.some((place) => place.node.depth >= node.depth)
    return isLookedFor
      ? { reason: 'outside-window', window: rules.window, to: node }
      : { reason: 'not-marked', to: node }
  }
  for (const entry of node.entries?.values() ?? []) {
    if (stateOf(entry.usedAt, entry.lifetime, entry.writer, play.now).type !== 'alive') continue
    const parameters = changedParameters(entry.scope, play.scope.parameters, node.kind.section)
    if (parameters.length > 0) return { reason: 'scope-changed', parameters, to: node }
  }
  return undefined
}

function reasonOf(state: Exclude<EntryState, { type: 'alive' }>): Omit<Run, 'to'> {
  if (state.type === 'not-readable') return { reason: 'not-readable' }
  return { reason: state.type, seconds: Math.round(state.seconds) }
}

function startingAt(runs: readonly Run[], from: Node): readonly Run[] {
  return runs.filter(({ to }) => to.depth > from.depth)
}

function floor(tokens: number, step: number): number {
  return step <= 1 ? tokens : Math.floor(tokens / step) * step
}
