/** What of a turn tells which conversation it belongs to: the blocks of its messages, apart from tools and instructions. */
import type { Block, Turn } from '../record/types.ts'
import type { Header } from './header.ts'
import { isWritten } from './messages.ts'

/** A turn as it is looked up. Made once per turn and let go of. */
export interface Prompt {
  readonly turn: Turn
  readonly header: Header
  readonly messages: readonly Block[]
  /** Some of it was written by a model. */
  readonly answered: boolean
  /** Where each block stands; -1 for one that stands at several places. */
  readonly positions: ReadonlyMap<Block, number>
}

/** Takes a turn apart. */
export function promptOf(turn: Turn, header: Header, messages: readonly Block[]): Prompt {
  let positions: Map<Block, number> | undefined
  return {
    turn,
    header,
    messages,
    answered: messages.some(isWritten),
    // Most turns continue one whose blocks they begin with, and are never asked.
    get positions() {
      positions ??= positionsOf(messages)
      return positions
    },
  }
}

function positionsOf(messages: readonly Block[]): Map<Block, number> {
  const positions = new Map<Block, number>()
  for (const [index, block] of messages.entries()) positions.set(block, positions.has(block) ? -1 : index)
  return positions
}
