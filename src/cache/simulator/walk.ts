/** One request, followed through the tree of all before it. */
import { itemPath, tokensOf } from '../layout/layout.ts'
import type { FormatReader, Item, ItemSegment, RequestItems } from '../layout/types.ts'
import type { CountTokens } from '../tokens/count-tokens.ts'
import { insert, remove } from './siblings.ts'
import { addLink, findLink, Node, type Link, type Marked } from './tree.ts'

/** Where a request led. */
export interface Walk {
  readonly request: RequestItems
  readonly root: Node
  /** The node behind each item. */
  readonly ends: readonly Node[]
  readonly end: Node
  /** Marks of the caller, in the order of the request; the automatic one too. */
  readonly marks: readonly Marked[]
  /** The deepest node that an earlier request came to. */
  readonly common: Node
  readonly reader: FormatReader
}

/** What a walk needs to know about the way. */
export interface WalkOptions {
  readonly reader: FormatReader
  readonly countTokens: CountTokens
  /** Types of which neighbours are one position. */
  readonly runs: readonly string[]
  /** The number of this request. */
  readonly number: number
}

/**
 * Follows a request from `root` and adds what is new: one pass, in which an item that was sent before costs one
 * comparison. Throws {@link RequestUnreadableError} on an item that cannot be cut, and then leaves no trace.
 */
export function walk(request: RequestItems, root: Node, options: WalkOptions): Walk {
  const ends: Node[] = []
  const marks: Marked[] = []
  let node = root
  let common = root
  try {
    for (const item of request.items) {
      const start = node
      const link = findLink(start, item) ?? cut(start, item, options)
      node = link.end
      for (const mark of link.marks) marks.push(mark)
      if (item.mark !== null && node !== start) marks.push({ node, breakpoint: item.mark })
      if (node.firstRequest !== options.number) common = node
      ends.push(node)
    }
  } catch (error) {
    removeNew(node, options.number)
    throw error
  }
  common = deepestOld(node, common, options.number)
  addAutomatic(request, node, marks)
  return { request, root, ends, end: node, marks, common, reader: options.reader }
}

/** An item may have been known in part: the node between its segments where what is new begins. */
function deepestOld(end: Node, known: Node, number: number): Node {
  let node = end
  while (node !== known && node.firstRequest === number && node.parent !== null) node = node.parent
  return node
}

function removeNew(end: Node, number: number): void {
  let node: Node | null = end
  while (node !== null && node.firstRequest === number) {
    node.dropped = true
    node.parent?.children?.delete(node.key)
    if (node.parent?.siblings) remove(node.parent.siblings, node)
    node = node.parent
  }
  if (node !== null) node.links = node.links.filter((link) => !link.end.dropped)
}

/** Cuts an item that was not seen at this place, or not with these marks. */
function cut(start: Node, item: Item, options: WalkOptions): Link {
  let node = start
  const marks: Marked[] = []
  for (const segment of options.reader.split(item)) {
    node = step(node, item, segment, options)
    if (segment.mark !== null) marks.push({ node, breakpoint: segment.mark })
  }
  const link: Link = { raw: item.raw, role: item.role, variant: item.variant, end: node, marks }
  addLink(start, link)
  return link
}

function step(node: Node, item: Item, segment: ItemSegment, { countTokens, runs, number }: WalkOptions): Node {
  const key = keyOf(item, segment)
  const known = node.children?.get(key)
  if (known !== undefined) return known
  const { section, role } = item
  const { type, markable } = segment
  const run = node.kind.type === type && node.kind.role === role && runs.includes(type)
  const child = new Node(
    node,
    { section, role, type, markable },
    key,
    segment.text ?? segment.content,
    tokensOf(segment, countTokens),
    run,
    number,
  )
  node.children ??= new Map()
  node.children.set(key, child)
  if (node.siblings !== null) insert(node.siblings, child)
  return child
}

function keyOf({ section, role }: Item, { joined, type, content }: ItemSegment): string {
  return `${joined ? '' : '+'}${section} ${role} ${type} ${content}`
}

/** The automatic breakpoint stands on the last segment that may carry one, unless that carries one already. */
function addAutomatic({ automatic }: RequestItems, end: Node, marks: Marked[]): void {
  if (automatic === null) return
  let node: Node | null = end
  while (node !== null && !node.kind.markable) node = node.parent
  if (node === null || marks.some((mark) => mark.node === node)) return
  marks.push({ node, breakpoint: automatic })
}

/** The last node of another tree that a request agrees with. Adds nothing. */
export function agreement(request: RequestItems, root: Node, reader: FormatReader): Node {
  let node = root
  for (const item of request.items) {
    const link = findLink(node, item)
    if (link !== undefined) {
      node = link.end
      continue
    }
    for (const segment of reader.split(item)) {
      const next = node.children?.get(keyOf(item, segment))
      if (next === undefined) return node
      node = next
    }
  }
  return node
}

/** The path that a node's segment has in this request. */
export function pathOf({ request, ends, reader, root }: Walk, node: Node): string {
  let low = 0
  let high = ends.length - 1
  while (low < high) {
    const middle = (low + high) >> 1
    if ((ends[middle] as Node).depth >= node.depth) high = middle
    else low = middle + 1
  }
  const item = request.items[low]
  if (item === undefined) return ''
  const before = low === 0 ? root.depth : (ends[low - 1] as Node).depth
  const segment = reader.split(item)[node.depth - before - 1]
  return itemPath(item) + (segment?.path ?? '')
}

/** The node at `depth` on the way of a walk. */
export function nodeAt({ end }: Walk, depth: number): Node {
  let node = end
  while (node.depth > depth && node.parent !== null) node = node.parent
  return node
}
