/** A way of building the requests of an agent: whatever SDK it uses, it gets the same world, tools and emulator. */
import type { World } from './world.ts'

/** Where a way sends its requests, and what it is about. */
export interface Setting {
  /** Of the emulator, without a slash at the end. */
  readonly url: string
  readonly apiKey: string
  readonly world: World
}

export interface Agent {
  /** The user says something; resolves when the model has answered without calling a tool. */
  say(text: string): Promise<void>
}

export interface Way {
  /** As in the result and the table. */
  readonly name: string
  /** A rival is one that a user would take in place of Indelible. */
  readonly kind: 'base' | 'rival' | 'indelible'
  open(setting: Setting): Agent
}

/** Of the price table, and one that takes system messages in mid-conversation. */
export const MODEL = 'claude-opus-5'

/** The most that an answer may have, in tokens. */
export const MAX_OUTPUT = 4096
