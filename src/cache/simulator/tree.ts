/**
 * All that the requests of a scope began with, as a tree of segments: two requests share the nodes up to where they first
 * differ, so a place in a prompt is a node, and "the same prefix" is "the same node".
 *
 * A node also knows items that were seen to follow it, each with the node that it led to. The same item sent again is
 * compared by content and leads there at once; it is neither cut nor hashed nor counted a second time.
 */
import type { Breakpoint, FormatReader, Item, Lifetime, Section } from '../layout/types.ts'
import { sameItem } from './same-item.ts'
import type { RequestScope } from './scope.ts'
import type { Instant, LifetimeRange } from './time.ts'
import type { Writer } from './writer.ts'

/** A mark of the caller, and the place that it stands at. */
export interface Marked {
  readonly node: Node
  readonly breakpoint: Breakpoint
}

/** An item that was seen behind a node. */
export interface Link {
  /** Of the first request that sent it. Later ones are not kept, so that their bodies die young. */
  readonly raw: unknown
  readonly role: string
  readonly variant: string
  readonly end: Node
  readonly marks: readonly Marked[]
}

/** What a segment is, as the rules look at it. */
export interface NodeKind {
  readonly section: Section
  readonly role: string
  readonly type: string
  readonly markable: boolean
}

/** A place in a prompt: the end of one segment, after all that leads there. */
export class Node {
  readonly parent: Node | null
  /** Segments up to here, this one included. */
  readonly depth: number
  readonly kind: NodeKind
  /** The segment's identity among its siblings. */
  readonly key: string
  /** The text that was counted; siblings are compared by it. */
  readonly text: string
  /** The counter's tokens of this segment, and of all up to here. */
  readonly counted: number
  readonly sum: number
  /** The step of a look-back that it belongs to: neighbours of one run share it. */
  readonly position: number
  /** The request that first came here. */
  readonly firstRequest: number

  /** The first child alone, since most nodes never have another, and a map is larger than a node. */
  #child: Node | null = null
  #children: Map<string, Node> | null = null
  /** The newest of the items that were seen to follow; most nodes have one, and an array is larger than that. */
  link: Link | null = null
  /** Those before it, the newest first. */
  olderLinks: Link[] | null = null
  /** The children in the order of their texts; only kept for caches of any common start. */
  siblings: Node[] | null = null
  /** The last request that ended here; 0 for none. */
  endedBy = 0
  /** The answer's tokens of that request, once they were reported. */
  output: number | undefined = undefined
  /** By the values that scope this node's section. */
  entries: Map<string, Entry> | null = null
  /** The last request that came through. */
  passedBy = 0
  touched: Touch | null = null
  /** Reported tokens up to here. */
  known: number | undefined = undefined
  /** Whether `known` was read off a report, or placed between two that were. */
  exact = false
  /** The nearest node up to here, itself included, whose tokens are known; as it was at `anchoredAt` of what is learned. */
  anchor: Node | null = null
  anchoredAt = 0
  /** Forgotten: nothing may lead here any more. */
  dropped = false

  constructor(
    parent: Node | null,
    kind: NodeKind,
    key: string,
    text: string,
    counted: number,
    run: boolean,
    request: number,
  ) {
    this.parent = parent
    this.kind = kind
    this.key = key
    this.text = text
    this.counted = counted
    this.firstRequest = request
    this.depth = parent === null ? 0 : parent.depth + 1
    this.sum = parent === null ? 0 : parent.sum + counted
    this.position = parent === null ? 0 : run ? parent.position : parent.position + 1
    this.anchor = parent === null ? null : parent.anchor
    this.anchoredAt = parent === null ? 0 : parent.anchoredAt
  }

  get hasChildren(): boolean {
    return this.#child !== null || (this.#children !== null && this.#children.size > 0)
  }

  childOf(key: string): Node | undefined {
    if (this.#children !== null) return this.#children.get(key)
    return this.#child !== null && this.#child.key === key ? this.#child : undefined
  }

  children(): Iterable<Node> {
    if (this.#children !== null) return this.#children.values()
    return this.#child === null ? [] : [this.#child]
  }

  addChild(child: Node): void {
    if (this.#children !== null) this.#children.set(child.key, child)
    else if (this.#child === null || this.#child.key === child.key) this.#child = child
    else {
      this.#children = new Map([
        [this.#child.key, this.#child],
        [child.key, child],
      ])
      this.#child = null
    }
  }

  removeChild({ key }: Node): void {
    if (this.#children !== null) this.#children.delete(key)
    else if (this.#child?.key === key) this.#child = null
  }

  static root(): Node {
    const node = new Node(null, { section: 'tools', role: '', type: '', markable: false }, '', '', 0, false, 0)
    node.known = 0
    node.exact = true
    node.anchor = node
    return node
  }
}

/** What a request wrote at a place. */
export interface Entry {
  readonly node: Node
  /** Of its scope, among the entries of the node. */
  readonly key: string
  /** The longest that one of its writers asked for. */
  ttl: Lifetime | null
  readonly breakpoint: Breakpoint | null
  lifetime: LifetimeRange
  writer: Writer
  /** From the start through the node, as they were counted when it was written. */
  readonly tokens: number
  readonly section: Section
  readonly model: string | undefined
  /** The path of its last segment in the request that wrote it. */
  readonly path: string
  /** The scope that it was written under, by parameter: what a later request that misses it is compared with. */
  readonly scope: RequestScope['parameters']
  usedAt: Instant | null
  usedBy: number
}

/** That requests came through a node; shared by all nodes that one of them came through. */
export interface Touch {
  /** When the last did. */
  readonly at: Instant | null
  /** Who computed it, for as long as that is not readable. */
  readonly writer: Writer
}

/** How many items of one place are remembered: the tail of a conversation has few rivals, an agent's first message many. */
const LINKS = 8

/** Finds where `item` leads from `node`, if it was seen there. */
export function findLink(node: Node, item: Item, { prepared }: FormatReader): Link | undefined {
  const isSame = prepared === true ? isOne : sameItem
  while (node.link?.end.dropped === true) node.link = node.olderLinks?.shift() ?? null
  const { link: newest, olderLinks: older } = node
  if (newest === null) return undefined
  if (leadsTo(newest, item, isSame)) return newest
  if (older === null) return undefined
  for (let index = 0; index < older.length; index++) {
    const link = older[index] as Link
    if (link.end.dropped) {
      older.splice(index--, 1)
      continue
    }
    if (!leadsTo(link, item, isSame)) continue
    // The newest first: a conversation goes on from where it was.
    older.splice(index, 1)
    older.unshift(newest)
    node.link = link
    return link
  }
  return undefined
}

function leadsTo({ raw, role, variant }: Link, item: Item, isSame: typeof isOne): boolean {
  return variant === item.variant && role === item.role && isSame(raw, item.raw)
}

function isOne(one: unknown, other: unknown): boolean {
  return one === other
}

/** Remembers where an item led. */
export function addLink(node: Node, link: Link): void {
  const before = node.link
  node.link = link
  if (before === null) return
  if (node.olderLinks === null) node.olderLinks = [before]
  else if (node.olderLinks.unshift(before) >= LINKS) node.olderLinks.pop()
}

/** Forgets the items that lead to what is forgotten. */
export function dropLinks(node: Node): void {
  node.olderLinks = node.olderLinks?.filter((link) => !link.end.dropped) ?? null
  if (node.link?.end.dropped === true) node.link = node.olderLinks?.shift() ?? null
}

/** Kinds that are shared by nodes; a log has few. */
const kinds: NodeKind[] = []
const MOST_KINDS = 64

/** What a segment is, as one object for all that are the same. */
export function kindOf(section: Section, role: string, type: string, markable: boolean): NodeKind {
  for (const kind of kinds) {
    if (kind.type === type && kind.role === role && kind.markable === markable && kind.section === section) return kind
  }
  const kind = { section, role, type, markable }
  if (kinds.length < MOST_KINDS) kinds.push(kind)
  return kind
}
