/**
 * How far a new segment agrees with those that an earlier request had in its place. Kept in the order of their texts, the
 * longest agreement is with a neighbour: a place with thousands of rivals costs no more than one with two.
 */
import type { Node } from './tree.ts'

/** The segments behind one node, in the order of their texts. */
type Siblings = Node[]

/** Neighbours that are looked at on each side, where the nearest can no longer be read. */
const NEIGHBOURS = 8

/** The children of a node in order; from now on they are kept so. */
export function siblingsOf(parent: Node): Siblings {
  if (parent.siblings === null) {
    parent.siblings = []
    for (const child of parent.children()) insert(parent.siblings, child)
  }
  return parent.siblings
}

/** Puts a new node among its siblings. */
export function insert(siblings: Siblings, node: Node): void {
  siblings.splice(find(siblings, node), 0, node)
}

/** Takes `node` out. */
export function remove(siblings: Siblings, node: Node): void {
  const at = find(siblings, node)
  if (siblings[at] === node) siblings.splice(at, 1)
}

/** Characters that `node` begins with and a sibling that `counts` too. */
export function longestAgreement(siblings: Siblings, node: Node, counts: (sibling: Node) => boolean): number {
  const at = find(siblings, node)
  return Math.max(agreement(siblings, node, at, -1, counts), agreement(siblings, node, at, 1, counts))
}

function agreement(
  siblings: Siblings,
  node: Node,
  at: number,
  direction: 1 | -1,
  counts: (sibling: Node) => boolean,
): number {
  for (let distance = 1; distance <= NEIGHBOURS; distance++) {
    const sibling = siblings[at + direction * distance]
    if (sibling === undefined || kindOf(sibling) !== kindOf(node)) return 0
    if (counts(sibling)) return commonLength(sibling.text, node.text)
  }
  return 0
}

function find(siblings: Siblings, node: Node): number {
  let low = 0
  let high = siblings.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (isBefore(siblings[middle] as Node, node)) low = middle + 1
    else high = middle
  }
  // Siblings of one text may differ in what is not counted.
  while (siblings[low] !== node && siblings[low]?.text === node.text && kindOf(siblings[low] as Node) === kindOf(node))
    low++
  return low
}

function isBefore(one: Node, other: Node): boolean {
  const [kind, otherKind] = [kindOf(one), kindOf(other)]
  return kind === otherKind ? one.text < other.text : kind < otherKind
}

function kindOf({ kind: { role, type } }: Node): string {
  return `${role} ${type}`
}

function commonLength(one: string, other: string): number {
  const length = Math.min(one.length, other.length)
  let index = 0
  while (index < length && one.charCodeAt(index) === other.charCodeAt(index)) index++
  return index
}
