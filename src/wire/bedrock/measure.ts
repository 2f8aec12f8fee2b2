/** How long the parts of a request are, roughly: places are only compared with one another. Every block is a position. */
import type { ContentBlock, Message } from '@aws-sdk/client-bedrock-runtime'
import { mediaTokens } from '../../cache/layout/media.ts'
import type { Extent } from '../plan/index.ts'

/** A block of a message. */
export interface Spot {
  readonly message: number
  readonly block: number
}

export const nothing: Extent = { tokens: 0, positions: 0 }

export function plus(one: Extent, other: Extent): Extent {
  return { tokens: one.tokens + other.tokens, positions: one.positions + other.positions }
}

/** Per token, roughly. */
const CHARACTERS = 4

/** Tokens of a text, roughly. */
export function guess(text: string): number {
  return text.length / CHARACTERS
}

/** A block is told apart by the one key that is set. */
export function typeOf(block: ContentBlock): string {
  return Object.entries(block).find(([, value]) => value !== undefined)?.[0] ?? ''
}

/** The blocks behind `from` up to and with `to`. */
export function measureMessages(messages: readonly Message[], from: Spot | undefined, to: Spot): Extent {
  let tokens = 0
  let positions = 0
  for (let index = from?.message ?? 0; index <= to.message; index++) {
    const { content = [] } = messages[index] ?? {}
    const first = index === from?.message ? from.block + 1 : 0
    const last = index === to.message ? to.block : content.length - 1
    for (const block of content.slice(first, last + 1)) tokens += guessBlock(block)
    positions += Math.max(0, last + 1 - first)
  }
  return { tokens, positions }
}

function guessBlock(block: ContentBlock): number {
  if (block.text !== undefined) return guess(block.text)
  return mediaTokens('bedrock-converse', typeOf(block)) ?? lengthOf(block) / CHARACTERS
}

/** Characters of all keys and texts in a value, without writing it out. Bytes are no measure. */
function lengthOf(value: unknown): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return 1
  let length = 0
  for (const [key, inner] of Object.entries(value)) length += key.length + lengthOf(inner)
  return length
}
