/**
 * Caches of any common start: a request reads what the longest-agreeing earlier one computed, rounded down to whole
 * blocks. The agreement may end inside a segment.
 */
import { isReadable, stateOf } from './entry.ts'
import { afterCommon, throughAnswer, type Outcome, type Play, type Run } from './play.ts'
import type { PrefixRules } from './rules.ts'
import { longestAgreement, siblingsOf } from './siblings.ts'
import { laterOf } from './time.ts'
import { type Entry, type Node, type Touch } from './tree.ts'
import { pathOf } from './walk.ts'
import { isAbandoned, joinWriters, type Writer } from './writer.ts'

/** Plays one request. */
export function playPrefix(play: Play, rules: PrefixRules, isFirst: boolean): Outcome {
  const { walk, positions } = play
  const alive = findAlive(play, rules)
  const reaches = alive.node === walk.common
  const answered = reaches && rules.storesOutput ? throughAnswer(play) : { certain: alive.node, possible: alive.node }
  const readThrough = answered.certain
  const agreed = positions.at(readThrough) + (reaches ? agreeingTokens(play, rules, readThrough) : 0)
  // The last token is always computed: it is what the answer begins from.
  const limit = positions.total(walk.end) - 1
  const read = readable(Math.min(agreed, limit), rules)
  const most = Math.max(
    read,
    ...[answered.possible, alive.maybe].map((node) => readable(tokensTo(play, node, limit), rules)),
  )
  const through = read > 0 ? readThrough : walk.root
  const runs = [...explain(play, rules, alive, through, read, agreed), ...afterCommon(play, isFirst)]
  touchAll(play, { at: play.now, writer: play.writer })
  return {
    read,
    range: { least: rules.bestEffort ? 0 : read, most },
    readThrough: through,
    hit: read > 0 ? { node: through, breakpoint: walk.end, writtenBy: alive.node.firstRequest } : null,
    written: [{ node: walk.end, ttl: null, breakpoint: null }],
    charged: { '5m': 0, '30m': 0, '1h': 0 },
    runs: runs.filter(({ to }) => to.depth >= through.depth),
    whole: wholeOf(play, rules),
    stored: [],
    short: [],
  }
}

function wholeOf({ walk, positions, scope, writer, now, number }: Play, { lifetime }: PrefixRules): Entry | null {
  const { end, request } = walk
  if (end === walk.root) return null
  return {
    node: end,
    key: '',
    ttl: null,
    breakpoint: null,
    lifetime,
    writer,
    tokens: positions.at(end),
    section: end.kind.section,
    model: request.model,
    path: pathOf(walk, end),
    scope: scope.parameters,
    usedAt: now,
    usedBy: number,
  }
}

function tokensTo({ positions }: Play, node: Node | undefined, limit: number): number {
  return node === undefined ? 0 : Math.min(positions.at(node), limit)
}

function readable(tokens: number, { minimum, step }: PrefixRules): number {
  return tokens < minimum ? 0 : Math.floor(tokens / step) * step
}

interface Alive {
  readonly node: Node
  /** Deeper, where the lifetime may not be over. */
  readonly maybe: Node | undefined
  /** Why it does not reach the common end. */
  readonly run: Run | undefined
}

/** The deepest node on the way that is still there: what leads to it was used no less recently. */
function findAlive({ walk, now }: Play, { lifetime }: PrefixRules): Alive {
  let maybe: Node | undefined
  let run: Run | undefined
  let node = walk.common
  for (; node.parent !== null; node = node.parent) {
    const { touched } = node
    if (touched === null || isAbandoned(touched.writer)) continue
    const state = stateOf(touched.at, lifetime, touched.writer, now)
    if (state.type === 'alive') break
    if (state.type === 'maybe-expired') maybe ??= node
    run ??=
      state.type === 'not-readable'
        ? { reason: 'not-readable', to: walk.common }
        : { reason: state.type, seconds: Math.round(state.seconds), to: walk.common }
  }
  return { node, maybe, run }
}

/** Tokens of the first new segment that agree with what an earlier request had there. */
function agreeingTokens(play: Play, { lifetime }: PrefixRules, from: Node): number {
  const { walk, positions, number, countTokens, now } = play
  if (from !== walk.common || from === walk.end) return 0
  let first = walk.end
  while (first.parent !== null && first.parent !== from) first = first.parent
  const length = longestAgreement(siblingsOf(from), first, ({ touched, firstRequest }) => {
    return (
      firstRequest !== number && touched !== null && stateOf(touched.at, lifetime, touched.writer, now).type === 'alive'
    )
  })
  if (length === 0) return 0
  return Math.floor(Math.min(first.counted, countTokens(first.text.slice(0, length))) * positions.ratio)
}

function explain(
  { walk, positions }: Play,
  rules: PrefixRules,
  alive: Alive,
  through: Node,
  read: number,
  agreed: number,
): readonly Run[] {
  if (walk.common.depth === 0) return []
  if (alive.run !== undefined && through.depth < walk.common.depth) return [alive.run]
  if (read === 0) {
    if (positions.at(walk.common) >= rules.minimum && agreed >= rules.step) {
      return [{ reason: 'partial-block', to: walk.common }]
    }
    return [{ reason: 'below-minimum', minimum: Math.max(rules.minimum, rules.step), to: walk.common }]
  }
  return read < agreed ? [{ reason: 'partial-block', to: through }] : []
}

/**
 * Marks the way of this request as used now. What is readable already stays so; what other requests are still computing
 * is readable with the first of them that begins.
 */
function touchAll({ walk, now, number, writer }: Play, touch: Touch): void {
  const at = touch.at
  const ready: Touch = { at, writer: READABLE }
  const joined = new Map<Writer, Touch>()
  for (let node: Node | null = walk.end; node !== null; node = node.parent) {
    const before = node.touched?.writer
    if (before === undefined || node.firstRequest === number) {
      node.touched = touch
    } else if (isReadable(before, now)) {
      const earlier = node.touched?.at ?? null
      node.touched = laterOf(earlier, at) === at ? ready : { at: earlier, writer: READABLE }
    } else {
      const both = joined.get(before) ?? { at, writer: joinWriters(before, writer) }
      joined.set(before, both)
      node.touched = both
    }
  }
}

const READABLE: Touch['writer'] = { request: 0, pending: false, readableAt: undefined }
