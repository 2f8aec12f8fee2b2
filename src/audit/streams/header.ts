/**
 * What stands before a conversation: tools and instructions. Turns mostly share one, so it is kept once, and what it is
 * compared by (the names of its tools) is read once.
 *
 * A log without tools or instructions says nothing of them, which is not that there are none.
 */
import { parseJson } from '../../cache/usage/sse.ts'
import { field, textOf } from '../../cache/layout/peek.ts'
import type { Block, Turn } from '../record/types.ts'
import { sameBlocks } from './messages.ts'

/** Tools and instructions of a turn. */
export interface Header {
  readonly tools: readonly Block[]
  readonly system: readonly Block[]
  /** By which tools are compared. */
  readonly names: ReadonlySet<string>
  /** Whether the log would show tools, and instructions, if there were any. */
  readonly shows: { readonly tools: boolean; readonly system: boolean }
}

/** Headers that are remembered: more than the agents that run at one time. */
const KEPT = 64

/** The headers of a log. */
export class Headers {
  readonly #recent: Header[] = []
  readonly #names = new WeakMap<Block, string>()

  /** The header of a turn, as the same object where it was seen lately. */
  of(turn: Turn): Header {
    const tools: Block[] = []
    const system: Block[] = []
    for (const { section, role, raw } of turn.places) {
      if (section === 'messages') continue
      // Tools that a provider renders among the instructions are tools to whoever sent them.
      const list = section === 'tools' || role === 'tool' ? tools : system
      for (const block of raw.blocks) list.push(block)
    }
    const shows = turn.exchange.fidelity
    const at = this.#recent.findIndex((header) => isHeader(header, tools, system, shows))
    const known = at < 0 ? undefined : this.#recent.splice(at, 1)[0]
    const header = known ?? {
      tools,
      system,
      names: new Set(tools.map((block) => this.#nameOf(block))),
      shows: { tools: shows.tools, system: shows.system },
    }
    if (this.#recent.unshift(header) > KEPT) this.#recent.pop()
    return header
  }

  #nameOf(block: Block): string {
    const known = this.#names.get(block)
    if (known !== undefined) return known
    const name = block.text === null ? '' : toolName(parseJson(block.text))
    this.#names.set(block, name === '' ? block.digest : name)
    return name === '' ? block.digest : name
  }
}

/** The same tools and instructions in the same order. */
export function sameHeader(one: Header, other: Header): boolean {
  return one === other || (sameBlocks(one.tools, other.tools) && sameBlocks(one.system, other.system))
}

function isHeader(header: Header, tools: readonly Block[], system: readonly Block[], shows: Header['shows']): boolean {
  return (
    header.shows.tools === shows.tools &&
    header.shows.system === shows.system &&
    sameBlocks(header.tools, tools) &&
    sameBlocks(header.system, system)
  )
}

/** As the formats name them; a provider's own tool by its type, or by its only key. */
function toolName(tool: unknown): string {
  for (const holder of [tool, field(tool, 'function'), field(tool, 'toolSpec'), field(tool, 'custom')]) {
    const name = textOf(holder, 'name')
    if (name !== '') return name
  }
  const type = textOf(tool, 'type')
  return type === '' && typeof tool === 'object' && tool !== null ? (Object.keys(tool)[0] ?? '') : type
}
