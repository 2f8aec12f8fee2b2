/**
 * How much of a request a provider has seen before: its segments in the order in which a provider reads them (tools, system,
 * messages), counted in characters of their JSON, up to the first that differs from every earlier request.
 */
import type { Block, Body } from './message.ts'

/** The smallest unit that a provider can cache. */
export interface Segment {
  /** Where it stands: the same text elsewhere is another segment. */
  readonly place: string
  readonly text: string
}

/** The characters of one request. */
export interface Count {
  readonly total: number
  /** In the longest run of segments, from the start, that an earlier request began with too. */
  readonly reused: number
  /** All others. */
  readonly new: number
}

/** The segments of a request. Cache marks are no content, and a string is the text block that it stands for. */
export function segmentsOf({ tools = [], system = [], messages }: Body): readonly Segment[] {
  return [
    ...tools.map((tool) => toSegment('tools', tool)),
    ...blocksOf(system).map((block) => toSegment('system', block)),
    ...messages.flatMap(({ role, content }, index) =>
      blocksOf(content).map((block) => toSegment(`message ${index}, ${role}`, block)),
    ),
  ]
}

function blocksOf(content: string | readonly Block[]): readonly Block[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content
}

function toSegment(place: string, block: object): Segment {
  const { cache_control: _mark, ...content } = block as { cache_control?: unknown }
  return { place, text: JSON.stringify(content) }
}

/** A segment that was sent, and what has followed it. */
type Sent = Map<string, Sent>

/** The requests of one way, as the tree of all that they began with: a request is counted in one walk, however many came before. */
export class SentRequests {
  readonly #root: Sent = new Map()

  /** Counts a request against all earlier ones, and remembers it. */
  count(segments: readonly Segment[]): Count {
    let total = 0
    let reused = 0
    let known = true
    let sent = this.#root
    for (const { place, text } of segments) {
      const key = `${place}: ${text}`
      let next = sent.get(key)
      if (next === undefined) {
        known = false
        next = new Map()
        sent.set(key, next)
      }
      total += text.length
      if (known) reused += text.length
      sent = next
    }
    return { total, reused, new: total - reused }
  }
}
