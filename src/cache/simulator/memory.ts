/** What a simulator remembers, and what it forgets first: the requests that were used longest ago. */
import { remove } from './siblings.ts'
import { dropLinks, type Entry, type Node } from './tree.ts'

/** Text that is kept for comparison, whatever its segments: some 200 MB of memory. */
const MAX_CHARACTERS = 50_000_000

/** Entries and request ends of a scope, in the order of use. */
export class Memory {
  readonly entries: Set<Entry> = new Set()
  /** Where requests ended, the one used longest ago first. */
  readonly ends: Map<Node, Entry | null> = new Map()
  #segments = 0
  #tokens = 0
  #characters = 0
  readonly #maxSegments: number
  readonly #maxTokens: number

  constructor(maxSegments: number, maxTokens: number) {
    this.#maxSegments = maxSegments
    this.#maxTokens = maxTokens
  }

  get segments(): number {
    return this.#segments
  }

  put(entry: Entry): void {
    const { node, key } = entry
    const before = node.entries?.get(key)
    if (before !== undefined) this.entries.delete(before)
    node.entries ??= new Map()
    node.entries.set(key, entry)
    this.entries.add(entry)
  }

  remove(entry: Entry): void {
    this.entries.delete(entry)
    if (entry.node.entries?.get(entry.key) !== entry) return
    entry.node.entries.delete(entry.key)
    if (entry.node.entries.size === 0) entry.node.entries = null
  }

  /** A request came through here, and ended: the nodes that it brought count from now on. */
  pass(end: Node, request: number, whole: Entry | null): void {
    for (let node: Node | null = end; node !== null; node = node.parent) {
      node.passedBy = request
      if (node.firstRequest !== request) continue
      this.#segments++
      this.#tokens += node.counted
      this.#characters += node.key.length
    }
    end.endedBy = request
    const before = this.ends.get(end)
    this.ends.delete(end)
    this.ends.set(end, before ? Object.assign(before, { usedAt: whole?.usedAt, usedBy: request }) : whole)
  }

  /** Forgets until the rest fits; the newest request always does. True when anything was forgotten. */
  trim(): boolean {
    let forgot = false
    for (const end of this.ends.keys()) {
      if (this.#fits()) break
      if (this.ends.size === 1) break
      this.ends.delete(end)
      this.#drop(end)
      forgot = true
    }
    return forgot
  }

  #fits(): boolean {
    return this.#segments <= this.#maxSegments && this.#tokens <= this.#maxTokens && this.#characters <= MAX_CHARACTERS
  }

  clear(): void {
    this.entries.clear()
    this.ends.clear()
    this.#segments = 0
    this.#tokens = 0
    this.#characters = 0
  }

  /** Drops a way from its end up to where another goes on from. */
  #drop(end: Node): void {
    let node = end
    end.endedBy = 0
    while (node.parent !== null && !this.ends.has(node) && !node.hasChildren) {
      node.dropped = true
      this.#segments--
      this.#tokens -= node.counted
      this.#characters -= node.key.length
      for (const entry of node.entries?.values() ?? []) this.entries.delete(entry)
      node.parent.removeChild(node)
      if (node.parent.siblings !== null) remove(node.parent.siblings, node)
      node = node.parent
    }
    dropLinks(node)
  }
}
