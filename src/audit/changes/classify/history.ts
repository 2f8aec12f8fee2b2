/** What a span was over the turns: all that its kind is told by. */
import type { CulpritKind } from '../types.ts'

/** One change of a value. */
export interface Transition {
  readonly before: string
  readonly after: string
  /** When the two requests started, in milliseconds since the epoch; undefined where a log does not say. */
  readonly beforeAt: number | undefined
  readonly afterAt: number | undefined
}

/** A span's values and surroundings. */
export interface History {
  /** In the order of turns, stream by stream. */
  readonly transitions: readonly Transition[]
  /** Turns in which it could have changed. */
  readonly turns: number
  /** The text in front of it on its line. */
  readonly label: string
  /** The text behind it on its line. */
  readonly trailer: string
  /** The lines in front, for what they say of all that follows. */
  readonly heading: string
  /** It stands in what was said, behind the first message. */
  readonly isConversation: boolean
  /** UTF-16 units of the block that it stands in. */
  readonly blockLength: number
}

/** A kind that a history speaks for. */
export interface Guess {
  readonly kind: CulpritKind
  /** From 0 to 1. */
  readonly confidence: number
}

/** All values in the order of turns, each once in a row. */
export function valuesOf({ transitions }: Pick<History, 'transitions'>): string[] {
  const values: string[] = []
  for (const { before, after } of transitions) {
    if (values.at(-1) !== before) values.push(before)
    values.push(after)
  }
  return values
}

/** The share of turns in which it changed. */
export function changeRate({ transitions, turns }: Pick<History, 'transitions' | 'turns'>): number {
  return turns === 0 ? 0 : Math.min(1, transitions.length / turns)
}

/** The share of `items` that pass; 0 of none. */
export function shareOf<T>(items: readonly T[], passes: (item: T) => boolean): number {
  return items.length === 0 ? 0 : items.filter(passes).length / items.length
}
