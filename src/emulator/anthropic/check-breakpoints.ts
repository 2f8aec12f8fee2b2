/** What the Messages API refuses of `cache_control`: too many, out of order, where none may stand. */
import { anthropicBreakpoints } from '../../cache/anthropic/breakpoints.ts'
import { fields, text, type Fields } from '../fields.ts'
import { isBlank, placedSystem, placedTools, type PlacedBlock, type PlacedMessage } from './blocks.ts'

interface Candidate extends PlacedBlock {
  readonly section: 'tools' | 'system' | 'messages'
  readonly turnScoped: boolean
}

interface Mark {
  readonly path: string
  readonly ttl: string
}

/** The first thing that is refused, in the API's words. */
export function checkBreakpoints(body: Fields, messages: readonly PlacedMessage[]): string | null {
  const marks: Mark[] = []
  for (const candidate of candidates(body, messages)) {
    const nested = nestedMark(candidate)
    if (nested !== null) return nested
    const mark = candidate.block['cache_control']
    if (mark === undefined || mark === null) continue
    const refused = checkShape(mark, candidate.path) ?? checkPlace(candidate)
    if (refused !== null) return refused
    marks.push({ path: `${candidate.path}.cache_control`, ttl: ttlOf(mark) })
  }
  const automatic = body['cache_control']
  if (automatic !== undefined && automatic !== null) {
    const refused = checkShape(automatic, '')
    if (refused !== null) return refused
    const ttl = ttlOf(automatic)
    const target = [...candidates(body, messages, isEligible)].at(-1)
    const standing = target?.block['cache_control']
    if (target === undefined || standing === undefined || standing === null) {
      if (target !== undefined) marks.push({ path: 'cache_control', ttl })
    } else if (ttlOf(standing) !== ttl) {
      return `Top-level cache_control has ttl='${ttl}' but the target block already has cache_control with ttl='${ttlOf(standing)}'`
    }
  }
  return checkCount(marks) ?? checkOrder(marks)
}

type Wanted = (block: Fields, section: Candidate['section'], turnScoped: boolean) => boolean

/** The blocks that carry a mark, or may hold one inside; or those that are wanted. */
function* candidates(
  body: Fields,
  messages: readonly PlacedMessage[],
  wanted: Wanted = (block) => block['cache_control'] !== undefined || Array.isArray(block['content']),
): Iterable<Candidate> {
  for (const [section, placed] of [
    ['tools', placedTools(body)],
    ['system', placedSystem(body)],
  ] as const) {
    for (const { path, block } of placed)
      if (wanted(block, section, false)) yield { path, block, section, turnScoped: false }
  }
  for (const { blocks, turnScoped } of messages) {
    for (const placed of blocks) {
      // The path is made for those that are wanted alone.
      if (!wanted(placed.block, 'messages', turnScoped)) continue
      yield { path: placed.path, block: placed.block, section: 'messages', turnScoped }
    }
  }
}

function checkShape(mark: unknown, path: string): string | null {
  const prefix = path === '' ? 'cache_control' : `${path}.cache_control`
  const { type, ttl } = fields(mark)
  if (type !== 'ephemeral') return `${prefix}.type: Input should be 'ephemeral'`
  const { ttls } = anthropicBreakpoints
  if (ttl === undefined || ttl === null || ttls.some((known) => known === ttl)) return null
  return `${prefix}.ttl: Input should be ${ttls.map((known) => `'${known}'`).join(' or ')}`
}

function checkPlace({ path, block, section, turnScoped }: Candidate): string | null {
  if (section === 'tools') {
    if (block['defer_loading'] !== true) return null
    const name = text(block['name']) ?? ''
    return `Tool '${name}' cannot have both defer_loading=true and cache_control set. Tools with defer_loading cannot use prompt caching.`
  }
  if (isBlank(block)) return `${path}: cache_control cannot be set for empty text blocks`
  if (turnScoped) return `${path}: cache_control cannot be set in a system message with clear_at`
  const type = text(block['type']) ?? ''
  const { markable, accepted } = anthropicBreakpoints
  if (section === 'system' || markable.includes(type) || accepted.includes(type)) return null
  return `${path}.${type}.cache_control: Extra inputs are not permitted`
}

/** Where automatic caching may put its breakpoint. */
function isEligible(block: Fields, section: Candidate['section'], turnScoped: boolean): boolean {
  if (section === 'tools') return block['defer_loading'] !== true
  if (turnScoped || isBlank(block)) return false
  return section === 'system' || anthropicBreakpoints.markable.includes(text(block['type']) ?? '')
}

/** A mark on a block inside another one. */
function nestedMark({ path, block }: PlacedBlock): string | null {
  for (const [index, inner] of (Array.isArray(block['content']) ? block['content'] : []).entries()) {
    const { type, cache_control: mark } = fields(inner)
    if (mark === undefined || mark === null) continue
    const place = `${path}.${text(block['type']) ?? ''}.content.${index}.${text(type) ?? ''}`
    return `${place}.cache_control: Extra inputs are not permitted`
  }
  return null
}

function checkCount(marks: readonly Mark[]): string | null {
  const { limit } = anthropicBreakpoints
  if (marks.length <= limit) return null
  return `A maximum of ${limit} blocks with cache_control may be provided. Found ${marks.length}.`
}

function checkOrder(marks: readonly Mark[]): string | null {
  const [shortest, longest] = anthropicBreakpoints.ttls
  const first = marks.findIndex(({ ttl }) => ttl === shortest)
  const late = first < 0 ? undefined : marks.slice(first).find(({ ttl }) => ttl === longest)
  if (late === undefined) return null
  return `${late.path}.ttl: a ttl='${longest}' cache_control block must not come after a ttl='${shortest}' cache_control block. Note that blocks are processed in the following order: \`tools\`, \`system\`, \`messages\`.`
}

function ttlOf(mark: unknown): string {
  return text(fields(mark)['ttl']) ?? anthropicBreakpoints.defaultTtl
}
