/** How long the messages of a prompt are, for its breakpoints: tokens by length, and look-back positions. */
import type { ModelMessage } from 'ai'
import type { Extent } from '../plan/index.ts'

const CHARACTERS_PER_TOKEN = 4
/** What a file may cost, whatever its bytes. */
const FILE_CHARACTERS = 6_000

/** Tokens of a text. */
export function tokensOf(text: string): number {
  return text.length / CHARACTERS_PER_TOKEN
}

// A message is measured once; a history is the same objects from turn to turn.
const known = new WeakMap<ModelMessage, Extent>()

/** The extent of messages, `undefined` for none. Neighbouring calls are one position to Claude, and so are results. */
export function extentOf(messages: readonly ModelMessage[]): Extent | undefined {
  if (messages.length === 0) return undefined
  let tokens = 0
  let positions = 0
  for (const message of messages) {
    const extent = known.get(message) ?? measure(message)
    known.set(message, extent)
    tokens += extent.tokens
    positions += extent.positions
  }
  return { tokens, positions }
}

function measure({ content }: ModelMessage): Extent {
  if (typeof content === 'string') return { tokens: tokensOf(content), positions: 1 }
  let positions = 0
  let behind = ''
  for (const { type } of content) {
    if (type !== behind || !(type === 'tool-call' || type === 'tool-result')) positions++
    behind = type
  }
  return { tokens: charactersIn(content) / CHARACTERS_PER_TOKEN, positions }
}

function charactersIn(value: unknown): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return 4
  const { type } = value as { type?: unknown }
  if (type === 'file' || type === 'image' || value instanceof Uint8Array) return FILE_CHARACTERS
  return Object.values(value).reduce<number>((sum, item) => sum + charactersIn(item), 0)
}
