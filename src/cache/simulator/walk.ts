/** One request, followed through the tree of all before it. */
import { itemPath, tokensOf } from '../layout/layout.ts'
import { segmentKey, type FormatReader, type Item, type ItemSegment, type RequestItems } from '../layout/types.ts'
import type { CountTokens } from '../tokens/count-tokens.ts'
import { insert, remove } from './siblings.ts'
import { addLink, dropLinks, findLink, kindOf, Node, type Link, type Marked } from './tree.ts'

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
  /** Of a request that begins with the same items. */
  readonly after?: Walk | undefined
}

/**
 * Follows a request from `root` and adds what is new: one pass, in which an item that was sent before costs one
 * comparison. Throws {@link RequestUnreadableError} on an item that cannot be cut, and then leaves no trace.
 */
export function walk(request: RequestItems, root: Node, options: WalkOptions): Walk {
  const { items } = request
  const { ends, marks } = startOf(request, root, options)
  let node = ends.at(-1) ?? root
  let common = node
  try {
    for (let index = ends.length; index < items.length; index++) {
      const item = items[index] as Item
      const start = node
      const link = findLink(start, item, options.reader) ?? cut(start, item, options)
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

/** As far as a request begins like the one that it follows, its way is known: the same items lead to the same nodes. */
function startOf(
  { items }: RequestItems,
  root: Node,
  { after, reader }: WalkOptions,
): { readonly ends: Node[]; readonly marks: Marked[] } {
  if (after === undefined || after.root !== root || after.reader !== reader) return { ends: [], marks: [] }
  const before = after.request
  let same = 0
  while (same < items.length && isSameItem(before.items[same], items[same] as Item)) same++
  const last = after.ends[same - 1]
  // What was forgotten is followed anew.
  if (last === undefined || last.dropped) return { ends: [], marks: [] }
  const isOfStart = ({ node, breakpoint }: Marked): boolean =>
    node.depth <= last.depth && breakpoint !== before.automatic
  return { ends: after.ends.slice(0, same), marks: after.marks.filter(isOfStart) }
}

function isSameItem(one: Item | undefined, other: Item): boolean {
  if (one === other) return true
  return (
    one?.raw === other.raw && one?.role === other.role && one?.variant === other.variant && one?.mark === other.mark
  )
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
    node.parent?.removeChild(node)
    if (node.parent?.siblings) remove(node.parent.siblings, node)
    node = node.parent
  }
  if (node !== null) dropLinks(node)
}

const noMarks: readonly Marked[] = []

/** Cuts an item that was not seen at this place, or not with these marks. */
function cut(start: Node, item: Item, options: WalkOptions): Link {
  let node = start
  const marks: Marked[] = []
  for (const segment of options.reader.split(item)) {
    node = step(node, item, segment, options)
    if (segment.mark !== null) marks.push({ node, breakpoint: segment.mark })
  }
  const link: Link = {
    raw: item.raw,
    role: item.role,
    variant: item.variant,
    end: node,
    marks: marks.length === 0 ? noMarks : marks,
  }
  addLink(start, link)
  return link
}

function step(node: Node, item: Item, segment: ItemSegment, { countTokens, runs, number }: WalkOptions): Node {
  const key = segmentKey(item, segment)
  const known = node.childOf(key)
  if (known !== undefined) return known
  const { section, role } = item
  const { type, markable } = segment
  const run = node.kind.type === type && node.kind.role === role && runs.includes(type)
  const child = new Node(
    node,
    kindOf(section, role, type, markable),
    key,
    segment.text ?? segment.content,
    tokensOf(segment, countTokens),
    run,
    number,
  )
  node.addChild(child)
  if (node.siblings !== null) insert(node.siblings, child)
  return child
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
    const link = findLink(node, item, reader)
    if (link !== undefined) {
      node = link.end
      continue
    }
    for (const segment of reader.split(item)) {
      const next = node.childOf(segmentKey(item, segment))
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
