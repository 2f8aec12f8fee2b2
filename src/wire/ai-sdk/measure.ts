/** How long the messages of a prompt are, for its breakpoints: tokens by length, and look-back positions. */
import type { ModelMessage } from 'ai'
import type { LookbackRule } from '../../cache/index.ts'
import type { Extent } from '../plan/index.ts'

const CHARACTERS_PER_TOKEN = 4
/** What a file may cost, whatever its bytes. */
const FILE_CHARACTERS = 6_000

/** Tokens of a text. */
export function tokensOf(text: string): number {
  return text.length / CHARACTERS_PER_TOKEN
}

/** A message by itself: tokens, and its parts, as they are or with neighbouring calls or results as one. */
interface Measure {
  readonly tokens: number
  readonly parts: number
  readonly runs: number
}

// A message is measured once; a history is the same objects from turn to turn.
const known = new WeakMap<ModelMessage, Measure>()

/** The extent of messages, `undefined` for none. Neighbouring calls are one position where the rule says so, and so are results. */
export function extentOf(messages: readonly ModelMessage[], { runs }: Pick<LookbackRule, 'runs'>): Extent | undefined {
  if (messages.length === 0) return undefined
  let tokens = 0
  let positions = 0
  for (const message of messages) {
    const measured = known.get(message) ?? measure(message)
    known.set(message, measured)
    tokens += measured.tokens
    positions += runs.length > 0 ? measured.runs : measured.parts
  }
  return { tokens, positions }
}

function measure({ content }: ModelMessage): Measure {
  if (typeof content === 'string') return { tokens: tokensOf(content), parts: 1, runs: 1 }
  let runs = 0
  let behind = ''
  for (const { type } of content) {
    if (type !== behind || !(type === 'tool-call' || type === 'tool-result')) runs++
    behind = type
  }
  return { tokens: charactersIn(content) / CHARACTERS_PER_TOKEN, parts: content.length, runs }
}

function charactersIn(value: unknown): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return 4
  const { type } = value as { type?: unknown }
  if (type === 'file' || type === 'image' || value instanceof Uint8Array) return FILE_CHARACTERS
  return Object.values(value).reduce<number>((sum, item) => sum + charactersIn(item), 0)
}
