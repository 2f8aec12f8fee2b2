/** The blocks of a conversation: all of a turn but tools and instructions. */
import type { Block, Turn } from '../record/types.ts'

/** The blocks of a turn's conversation, in order. */
export function messagesOf({ places }: Pick<Turn, 'places'>): Block[] {
  const messages: Block[] = []
  for (const { section, raw } of places) {
    if (section !== 'messages') continue
    for (const block of raw.blocks) messages.push(block)
  }
  return messages
}

/** A model wrote it, whatever its provider calls the role. */
export function isWritten({ role }: Block): boolean {
  return role === 'assistant' || role === 'model'
}

/** Two lists of the same blocks in the same order. */
export function sameBlocks(one: readonly Block[], other: readonly Block[]): boolean {
  return one.length === other.length && one.every((block, index) => block === other[index])
}
