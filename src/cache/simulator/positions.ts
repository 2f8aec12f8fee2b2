/**
 * How many tokens lie before a place. Reported usage says it exactly for a few places; between and behind those it is the
 * counter's figure, scaled by how the provider counted so far.
 */
import type { TokenRules } from './rules.ts'
import type { Node } from './tree.ts'

/** What was learned about one model. */
export interface Calibration {
  /** Tokens that the provider counted, and the counter for the same text. */
  reported: number
  counted: number
  /** Tokens behind the last segment; undefined until seen. */
  tail: number | undefined
  /** How often a place became known: what was looked up before may be out of date. */
  version: number
}

/** As many of the counter's tokens as the first guess of the ratio weighs against reports. */
const PRIOR = 400

/** Nothing learned yet. */
export function createCalibration(): Calibration {
  return { reported: 0, counted: 0, tail: undefined, version: 0 }
}

/** Positions for one model. */
export class Positions {
  readonly #rules: TokenRules
  readonly #calibration: Calibration

  constructor(rules: TokenRules, calibration: Calibration) {
    this.#rules = rules
    this.#calibration = calibration
  }

  get ratio(): number {
    const { reported, counted } = this.#calibration
    return (reported + this.#rules.ratio * PRIOR) / (counted + PRIOR)
  }

  get tail(): number {
    return this.#calibration.tail ?? this.#rules.tail
  }

  /** Whole tokens from the start through `node`. */
  at(node: Node): number {
    return Math.round(this.#exact(node))
  }

  /** All input tokens of a request that ends at `node`. */
  total(node: Node): number {
    return node.depth === 0 ? 0 : Math.round(this.#exact(node) + this.tail)
  }

  #exact(node: Node): number {
    const anchor = this.#anchorOf(node)
    return (anchor.known as number) + this.#between(anchor, node) + (node.sum - anchor.sum) * this.ratio
  }

  /** Learns that `tokens` lie before `node`. The stretch since the last known place also teaches the ratio. */
  learn(node: Node, tokens: number): void {
    if (node.depth === 0 || tokens <= 0) return
    const before = this.#anchorOf(node.known === undefined ? node : (node.parent as Node))
    const counted = node.sum - before.sum
    const reported = tokens - (before.known as number) - this.#between(before, node)
    // A place cannot lie before one that leads to it; then one of the two was another's report.
    if (reported <= 0 || counted < 0) return
    if (node.known === undefined || !node.exact) {
      this.#calibration.reported += reported
      this.#calibration.counted += counted
    }
    this.#setKnown(node, tokens, true)
    this.#placeBetween(before, node)
  }

  learnTail(tokens: number): void {
    if (tokens >= 0) this.#calibration.tail = tokens
  }

  /**
   * Between two known places the stretch says more than the model's ratio does, now and when that has moved on: a place
   * never comes to lie behind one that it leads to.
   */
  #placeBetween(from: Node, to: Node): void {
    const known = from.known as number
    const scale = ((to.known as number) - known - this.#between(from, to)) / Math.max(1, to.sum - from.sum)
    for (let node = to.parent; node !== null && node !== from; node = node.parent) {
      if (node.exact) continue
      this.#setKnown(node, known + this.#between(from, node) + (node.sum - from.sum) * scale, false)
    }
  }

  /** What the provider puts between the system prompt and the messages, where one place lies before it and one behind. */
  #between(from: Node, to: Node): number {
    return to.kind.section === 'messages' && from.kind.section !== 'messages' ? this.#rules.beforeMessages : 0
  }

  /** Takes it that `tokens` lie before `node`, without a report of it. */
  place(node: Node, tokens: number): void {
    const before = this.#anchorOf(node)
    this.#setKnown(node, tokens, false)
    this.#placeBetween(before, node)
  }

  #setKnown(node: Node, tokens: number, exact: boolean): void {
    node.known = tokens
    node.exact = exact
    this.#calibration.version++
    if (node.hasChildren) raiseBehind(node, tokens)
  }

  /** The nearest known place up to `node`; the root is one. */
  #anchorOf(node: Node): Node {
    if (node.anchor !== null && node.anchoredAt === this.#calibration.version) return node.anchor
    let anchor = node
    while (anchor.known === undefined && anchor.parent !== null) anchor = anchor.parent
    node.anchor = anchor
    node.anchoredAt = this.#calibration.version
    return anchor
  }
}

/**
 * Two reports can contradict each other, and the newer one holds: what it puts at a place, all that this place leads to has
 * as well. What leads to a known place is known, so it is enough to go on where something gives way.
 */
function raiseBehind(node: Node, tokens: number): void {
  const raised = [node]
  for (let next = raised.pop(); next !== undefined; next = raised.pop()) {
    for (const child of next.children()) {
      if (child.known === undefined || child.known >= tokens) continue
      child.known = tokens
      child.exact = false
      raised.push(child)
    }
  }
}
