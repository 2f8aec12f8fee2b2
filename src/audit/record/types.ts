/**
 * Calls as the analysis holds them. A log of many gigabytes says the same few megabytes again and again: every segment
 * and every element of a body is kept once, and a turn is a list of references.
 */
import type { Usage } from '../../base/usage.ts'
import type { Breakpoint, RequestFormat, ScopeParameter, Section } from '../../cache/index.ts'
import type { PreparedItem, PreparedPlace } from '../../cache/layout/prepared.ts'
import type { Json } from '../../base/json.ts'
import type { Exchange } from '../exchange.ts'

/** The content of a segment, once for all places that have it. Two segments are the same to a cache when they have one block. */
export interface Block {
  readonly id: number
  /** Of the content alone. */
  readonly digest: string
  readonly section: Section
  readonly role: string
  /** As in a segment: `text`, `tool_use`, `tool`, … */
  readonly type: string
  /** Continues the message before it. */
  readonly joined: boolean
  readonly markable: boolean
  /** UTF-16 units of the content. */
  readonly length: number
  /** The counter's estimate, not scaled. */
  readonly tokens: number
  /** The content as `layout` gives it; null once memory was needed for newer ones. */
  text: string | null
  /** The last turn that sent it. */
  usedBy: number
}

/** One element of a body (a tool, a system block, a message), cut. Equal elements with equal marks are one object. */
export interface Element extends PreparedItem {
  readonly blocks: readonly Block[]
  /** Per block: behind the path of the element, as `.content[1]`. */
  readonly paths: readonly string[]
  /** Per block; the mark that stands behind an element is on its last. */
  readonly marks: readonly (Breakpoint | null)[]
  /** Sum over the blocks. */
  readonly tokens: number
  /** The element as it came, null once memory was needed. Never changed. */
  raw: unknown
}

/** An element where it stands in a body. */
export interface Place extends PreparedPlace {
  readonly raw: Element
}

/** What of an exchange is kept: all but the bodies. */
export type ExchangeMeta = Omit<Exchange, 'request' | 'response' | 'requestText' | 'usage'>

/** What an answer says of itself. */
export interface Answer {
  readonly id: string | undefined
  /** The model that answered. */
  readonly model: string | undefined
  /** The service level as answered: `standard`, `priority`, `default`, … */
  readonly tier: string | undefined
  readonly stopReason: string | undefined
  /** The provider edited or compacted the prompt on its side, or looped by itself: its totals are of another text. */
  readonly serverEdited: boolean
  /** In the provider's own words, from the answer's diagnostics. */
  readonly missReason: string | undefined
}

/** One call to a model, recorded. */
export interface Turn {
  /** From 0, in the order of the logs. */
  readonly number: number
  readonly exchange: ExchangeMeta
  /** As the simulator names it: from the log, else from the format and the model. */
  readonly provider: string
  /** Null where there is no body to compare. */
  readonly format: RequestFormat | null
  /** As asked for. */
  readonly model: string | undefined
  /** In the provider's cache order; empty without a body. */
  readonly places: readonly Place[]
  readonly scope: readonly ScopeParameter[]
  readonly automatic: Breakpoint | null
  readonly settings: { readonly [name: string]: Json }
  /** The counter's estimate of all input. */
  readonly tokens: number
  /** As reported; undefined where nothing was. */
  readonly usage: Usage | undefined
  readonly answer: Answer
  /** The most tokens that were asked for; 0 and 1 are pre-warming. */
  readonly maxTokens: number | undefined
  /** The answer has not begun: an error status, or a recorded error without usage. */
  readonly failed: boolean
  /** Why its body could not be laid out, where it could not. */
  readonly unreadable: string | undefined
}

/** A segment of a turn. */
export interface Segment {
  readonly block: Block
  /** As `messages[12].content[1]`. */
  readonly path: string
  readonly breakpoint: Breakpoint | null
}
