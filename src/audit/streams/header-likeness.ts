/**
 * How alike the tools and instructions of two turns are. They never decide alone which conversation a turn continues,
 * since a clock, a tool or a model may have changed in between; but turns that share neither belong to different agents,
 * even if both were told the same first message.
 */
import type { Block } from '../record/types.ts'
import { sameHeader, type Header } from './header.ts'
import { blockLikeness } from './likeness.ts'

/** From 0 to 1 each; null where there is nothing to compare. */
export interface HeaderLikeness {
  readonly same: boolean
  /** The share of names that both have; 1 where one list contains the other. */
  readonly tools: number | null
  /** The share of the text that both have. */
  readonly system: number | null
}

/** Compares headers, each pair once. */
export class HeaderComparison {
  readonly #known = new WeakMap<Header, WeakMap<Header, HeaderLikeness>>()

  of(one: Header, other: Header): HeaderLikeness {
    let known = this.#known.get(one)
    if (known === undefined) {
      known = new WeakMap()
      this.#known.set(one, known)
    }
    const found = known.get(other)
    if (found !== undefined) return found
    const made = compare(one, other)
    known.set(other, made)
    return made
  }
}

/** Two agents: neither tools nor instructions have much in common. */
export function isForeign({ tools, system }: HeaderLikeness): boolean {
  return tools !== null && tools < FEW_TOOLS && system !== null && system < LITTLE_TEXT
}

/** Probably two agents: one of both has little in common, and the other does not speak against it. */
export function isUnlike({ tools, system }: HeaderLikeness): boolean {
  if (system !== null && system < LITTLE_TEXT) return tools === null || tools < FEW_TOOLS
  return tools !== null && tools < FEW_TOOLS && system === null
}

/** Whether two first calls are of one family. False where there is nothing to compare. */
export function isKindred({ tools, system }: HeaderLikeness): boolean {
  if (tools === null && system === null) return false
  return (tools ?? 1) >= KINDRED_TOOLS && (system ?? 1) >= KINDRED_TEXT
}

const FEW_TOOLS = 0.5
const LITTLE_TEXT = 0.3
const KINDRED_TOOLS = 0.8
const KINDRED_TEXT = 0.5

function compare(one: Header, other: Header): HeaderLikeness {
  if (sameHeader(one, other)) {
    return { same: true, tools: one.tools.length === 0 ? null : 1, system: one.system.length === 0 ? null : 1 }
  }
  return {
    same: false,
    tools: one.shows.tools && other.shows.tools ? toolLikeness(one.names, other.names) : null,
    system: one.shows.system && other.shows.system ? systemLikeness(one.system, other.system) : null,
  }
}

function toolLikeness(one: ReadonlySet<string>, other: ReadonlySet<string>): number | null {
  if (one.size === 0 && other.size === 0) return null
  if (one.size === 0 || other.size === 0) return 0
  let shared = 0
  for (const name of one) if (other.has(name)) shared++
  return shared === Math.min(one.size, other.size) ? 1 : shared / Math.max(one.size, other.size)
}

function systemLikeness(one: readonly Block[], other: readonly Block[]): number | null {
  if (one.length === 0 && other.length === 0) return null
  const left = new Set(one)
  const right = new Set(other)
  const changed = [one.filter((block) => !right.has(block)), other.filter((block) => !left.has(block))] as const
  let shared = lengthOf(one) - lengthOf(changed[0])
  for (const [index, block] of changed[0].entries()) {
    const counterpart = changed[1][index]
    if (counterpart === undefined) break
    shared += blockLikeness(block, counterpart) * Math.max(block.length, counterpart.length)
  }
  return Math.min(1, shared / Math.max(lengthOf(one), lengthOf(other), 1))
}

function lengthOf(blocks: readonly Block[]): number {
  return blocks.reduce((sum, { length }) => sum + length, 0)
}
