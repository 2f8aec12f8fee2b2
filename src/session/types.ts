/** The public types of the session layer: formats, turns, entries, events and the two kinds of session. */
import type { Json } from '../base/json.ts'
import type { Usage } from '../base/usage.ts'
import type { Context, ContextRegistry, Snapshot, StaleSource, Update } from '../context/index.ts'
import type { EventStore } from './store.ts'

/**
 * What a session must know about the host's own message type. Messages are stored verbatim and never translated.
 * Each wire entry exports one (`anthropicFormat`, ...); {@link plainFormat} serves messages with a `role`.
 */
export interface Format<M> {
  /** Stored with nothing; names the format in errors. */
  readonly id: string
  /** Who speaks. A user message that only carries tool results is a `'tool-result'`. Throws on what is no message. */
  kind(message: M): 'user' | 'assistant' | 'tool-result'
  /** Ids of the tool calls in `messages` that still lack their result, in order. */
  openCalls(messages: readonly M[]): readonly string[]
  /**
   * Ids of the tool calls whose results the message carries, each as often as it carries one. With it, a result that answers no
   * open call is found beside one that does; without it, only in a message of its own. `undefined` for a message whose results
   * name no call: which they answer, only the conversation tells.
   */
  results?(message: M): readonly string[] | undefined
  /** What the model sees of it: no cache marks, a one-element text array as its string, tool input as it came. */
  identity(message: M): Json
  /** The id of a tool, where that is not its `name`. Throws `ToolInvalidError` for what is no tool of this format. */
  toolId?(tool: Tool): string
  /** For messages that are not JSON (bytes, URLs). Both or neither. */
  encode?(message: M): Json
  decode?(json: Json): M
}

/** A tool definition in the provider's own shape. Its id is its `name`, or what the format makes of it. */
export type Tool = Readonly<Record<string, unknown>>

/** What an update does to the tools of a conversation, beside what its text says. */
export interface ToolChanges {
  /**
   * Definitions that may be called from here on. Adapters append them in the provider's own way, never as text; for a model
   * that takes none they wait for the next epoch. One whose id is also in `removed`, or was removed before, takes the place
   * of an older definition.
   */
  readonly added: readonly Tool[]
  /** Ids of tools whose calls fail from here on. Their definitions stay in the prefix, and the update's text says so. */
  readonly removed: readonly string[]
  /**
   * Ids of tools that may be called again as they were frozen. The update's text says so. One that another definition had taken
   * the place of is in `added`, too.
   */
  readonly restored: readonly string[]
}

/** The tools of a turn. */
export interface TurnTools {
  /** As they were frozen when the epoch began, in the order of their ids. What was appended since is in the entries. */
  readonly definitions: readonly Tool[]
  /** Ids of the tools that may be called now, sorted: frozen or appended, and not removed. */
  readonly callable: readonly string[]
  /** What the current list has and the model has not been told; it comes with the next epoch. */
  readonly held: readonly HeldTool[]
}

/** A tool whose current definition waits for the next epoch: a new one, one with another shape, one that is only described anew. */
export interface HeldTool {
  readonly id: string
  readonly change: 'added' | 'edited' | 'described'
}

export interface SessionsOptions<M, H = unknown> {
  store: EventStore
  /** `plainFormat` unless given. */
  format?: Format<M>
  context:
    | Context<H>
    | ContextRegistry<H>
    | ((session: { readonly id: string; readonly host?: H }) => Context<H> | Promise<Context<H>>)
  /** The text that is the same for every session of an agent. Boundary markers in it are removed. */
  instructions?: string | ((session: { readonly id: string; readonly host?: H }) => string)
  /** `'hold'` unless said: a new text waits for the next epoch, so that a rolling deploy rewrites nothing. */
  onInstructionsChanged?: 'hold' | 'epoch'
  /**
   * The tools that may be called now, in the provider's own shape; their order means nothing. Read at every boundary like a
   * source, whose key is `indelible/tools`, and frozen when an epoch starts. Without it, tools are the caller's to send.
   */
  tools?: (session: { readonly id: string; readonly host?: H }) => readonly object[] | Promise<readonly object[]>
  /**
   * `'epoch'` unless said: a new or edited tool starts an epoch. `'append'`: it is appended, where the host's models take
   * tools in mid-conversation. `'hold'`: it waits for the next epoch.
   */
  onToolAdded?: 'epoch' | 'append' | 'hold'
  /** Stamps events. Order never depends on it. */
  clock?: () => Date
  /** Makes ids and nonces: characters of `[A-Za-z0-9_-]`, never the same twice, not to be guessed. Random UUIDs unless given. */
  createId?: () => string
}

export interface Sessions<M, H = unknown> {
  /** A session whose conversation Indelible keeps. Nothing is read or written until its first use. */
  open(id: string): Session<M, H>
  /** A session whose conversation the host keeps. A session is one or the other from its first event. */
  attach(id: string): HostSession<M, H>
  list(): AsyncIterable<SessionSummary>
  /** Removes every event of the session. A session forked from it keeps all it has. */
  delete(id: string): Promise<void>
  /** Closes the store. */
  close(): Promise<void>
}

export interface SessionSummary {
  readonly id: string
  /** Revision of the newest event. */
  readonly revision: number
  /** When the first and the newest event were written, ISO 8601. */
  readonly createdAt: string
  readonly updatedAt: string
}

export interface Receipt {
  readonly id: string
  readonly revision: number
}

export interface Session<M, H = unknown> {
  readonly id: string
  /** As `createSessions` was given it. */
  readonly format: Format<M>
  /**
   * Accepts an input durably. The same id and content again gives the same receipt; the same id with other content
   * throws `InputConflictError`.
   */
  submit(input: M, options?: { id?: string }): Promise<Receipt>
  /**
   * The safe boundary: promotes the inbox, reads the sources once, admits at most one update, as one event.
   * Throws `ToolResultsPendingError`, `InitializationBlockedError`, `RendererError`; then nothing is stored.
   */
  turn(options?: { host?: H }): Promise<Turn<M>>
  /**
   * Tool results and whatever else is not an answer. The same id and content again gives the same receipt; with `after`,
   * throws `TurnSupersededError` when the conversation has moved past that revision.
   */
  append(messages: readonly M[], options?: { id?: string; after?: number }): Promise<Receipt>
  /** Entries up to the revision `through` give way to `summary`, at the next boundary that can start an epoch. */
  compact(options: { summary: readonly M[]; through: number }): Promise<void>
  /** The session runs elsewhere now: the next boundary starts an epoch and uses no value from the old place. */
  move(): Promise<void>
  /** A provider said no: the next boundary starts an epoch in which that model is lowered the other way. */
  refused(refusal: Refusal): Promise<void>
  /** A child with the parent's revisions, nonce and bytes up to the last answer at or before `at`; no inbox. */
  fork(id: string, options?: { at?: number }): Promise<Session<M, H>>
  /** The audit history, oldest first, updates of past epochs included. */
  events(options?: { after?: number }): AsyncIterable<SessionEvent<M>>
  /** Replays the whole log against the laws. Writes nothing. */
  verify(): Promise<Verification>
}

export interface HostSession<M, H = unknown> {
  readonly id: string
  /** As `createSessions` was given it. */
  readonly format: Format<M>
  /**
   * The safe boundary over a history that the host keeps. A history that no longer extends what was answered throws
   * `HistoryRewrittenError`, or with `onRewrite: 'epoch'` starts an epoch. `answered` names the turn whose answer the
   * history holds, where that is not the latest turn. An answer stands directly behind what its turn was sent.
   */
  turn(options: {
    history: readonly M[]
    host?: H
    answered?: { revision: number; usage?: Usage }
    onRewrite?: 'throw' | 'epoch'
  }): Promise<Turn<M>>
  move(): Promise<void>
  refused(refusal: Refusal): Promise<void>
  /** A child that knows the same history. */
  fork(id: string): Promise<HostSession<M, H>>
  events(options?: { after?: number }): AsyncIterable<SessionEvent<M>>
  /** With `history`, also checks it against the stored digests. */
  verify(options?: { history: readonly M[] }): Promise<Verification>
}

/** What started an epoch. Where several hold at one boundary, the first of this list names it, and all are served. */
export type EpochCause =
  | 'initial'
  | 'moved'
  | 'compaction'
  | 'rewritten'
  | 'refused'
  | 'instructions'
  | 'tools'
  | 'incompatible'

/** A model, on one platform or on all, that refused a feature. */
export interface Refusal {
  readonly model: string
  readonly platform?: string
  readonly feature: 'native-updates' | 'native-tools'
}

/** One item of what the model sees after the system prompt. */
export type Entry<M> = {
  /** Of the event that brought it into view. */
  readonly revision: number
  /** The epoch under which it came; 0 for what was imported before the first. */
  readonly epoch: number
} & ({ readonly type: 'message'; readonly message: M } | ({ readonly type: 'update' } & AdmittedUpdate))

/** An update as a session admits it. Its text is empty where it only adds tools. */
export interface AdmittedUpdate extends Update {
  /** Not there where no tool changed. Its key among the changes is `indelible/tools`. */
  readonly tools?: ToolChanges
}

/** One boundary and all that an adapter needs to build its provider request. */
export interface Turn<M> {
  readonly session: string
  /** From 1. */
  readonly epoch: number
  /** Of the last event that changed what the model sees or how it is lowered. */
  readonly revision: number
  readonly instructions: string
  readonly baseline: string
  /**
   * `joinSystemPrompt(instructions, baseline)`, with the marker between the halves: for `indelible/prompt`, not to be sent as it
   * is. Adapters send the halves as blocks of their own.
   */
  readonly system: string
  /** What the model sees after the system prompt, oldest first. Of fixed length, and frozen messages. */
  readonly entries: readonly Entry<M>[]
  /** What this boundary admitted. */
  readonly update: AdmittedUpdate | null
  /** Why an epoch started at this boundary, if one did. */
  readonly started: EpochCause | null
  /** Sources that could not be observed at this boundary. */
  readonly stale: readonly StaleSource[]
  /** `null` where the epoch started without `tools`: the caller sends them, if any. */
  readonly tools: TurnTools | null
  /** Marks our tags, so that nobody else's text can pass for an update. */
  readonly nonce: string
  /** ISO date of the newest provider rule that may decide how this epoch is lowered. */
  readonly rulesAsOf: string
  readonly refusals: readonly Refusal[]
  /**
   * Records the answer that came back. Throws `TurnSupersededError` when the conversation moved on since. The same id and
   * content again gives the receipt of the first time, whichever turn it is called on: an id names one answer of the
   * session. Sessions only: a host that keeps the history keeps the answers too.
   */
  answer(messages: readonly M[], options?: { id?: string; usage?: Usage }): Promise<Receipt>
}

/** What adapters read of a turn. */
export type TurnView<M> = Omit<Turn<M>, 'answer'>

export interface Verification {
  readonly ok: boolean
  readonly problems: readonly Problem[]
}

export interface Problem {
  /** Of the event at which the problem shows. */
  readonly revision: number
  /** The law that is broken, or `'integrity'` for a row that is missing, changed or unreadable. */
  readonly law: 'integrity' | 'prefix' | 'belief' | 'atomic' | 'once' | 'replayable'
  readonly message: string
}

interface EventHead {
  readonly revision: number
  /** Version of the event's shape. */
  readonly v: number
  /** ISO 8601. */
  readonly at: string
}

/** How a snapshot advanced at a boundary. */
export interface SnapshotAdvance {
  readonly set: Snapshot
  readonly gone: readonly string[]
}

/** In a session whose history the host keeps: what this boundary saw of it. */
export interface HistoryMark {
  /** How many of the digests still hold that were recorded for the turn which is answered, or for the newest. */
  readonly keep: number
  /** Digests of the messages after those. */
  readonly digests: readonly string[]
  /** How many messages, from the start, had been answered or were answers: these may never change again. */
  readonly fixed: number
  /** The turn whose answer this history holds, where the host named it, and what the provider reported for it. */
  readonly answered?: { readonly revision: number; readonly usage?: Usage }
  /** In an epoch event, which holds every digest again: where those that were known before came from. */
  readonly origins?: readonly MessageOrigin[]
}

/** The revision and epoch of a run of messages of a host's history, from index `start` up to, not including, `end`. */
export type MessageOrigin = readonly [start: number, end: number, revision: number, epoch: number]

/** What an epoch keeps in view of what came before it. */
export interface View {
  /** The first revision that must be read to rebuild the view. */
  readonly from: number
  /** Entries up to this revision are out of view; 0 where none is. */
  readonly through: number
  /** The compaction whose summary stands in their place. */
  readonly summary: number | null
}

/** One event of a session's log, in its newest shape. */
export type SessionEvent<M> = EventHead &
  (
    | { readonly type: 'input'; readonly id: string; readonly message: M }
    | {
        readonly type: 'boundary'
        readonly epoch: number
        /** Revisions of the inputs that were promoted, in order. */
        readonly promoted: readonly number[]
        readonly update: AdmittedUpdate | null
        readonly snapshot: SnapshotAdvance
        readonly history?: HistoryMark
      }
    | {
        readonly type: 'epoch'
        readonly epoch: number
        readonly cause: EpochCause
        readonly promoted: readonly number[]
        readonly instructions: string
        readonly baseline: string
        readonly snapshot: Snapshot
        /** Frozen, in the order of their ids; `null` where the caller sends the tools. */
        readonly tools: readonly Tool[] | null
        readonly nonce: string
        readonly rulesAsOf: string
        readonly refusals: readonly Refusal[]
        readonly view: View
        readonly history?: HistoryMark
      }
    | {
        readonly type: 'answer'
        readonly id: string
        readonly epoch: number
        /** Revision of the turn that it answers. */
        readonly turn: number
        readonly messages: readonly M[]
        readonly usage?: Usage
      }
    | { readonly type: 'append'; readonly id: string; readonly epoch: number; readonly messages: readonly M[] }
    | {
        readonly type: 'compaction'
        readonly epoch: number
        readonly summary: readonly M[]
        readonly through: number
      }
    | { readonly type: 'move' }
    | { readonly type: 'refusal'; readonly refusal: Refusal; readonly mode: 'session' | 'host' }
    | {
        readonly type: 'fork'
        readonly parent: string
        /** The parent's revision up to which its events were copied. */
        readonly through: number
        readonly nonce: string | null
        readonly mode: 'session' | 'host'
      }
    /** Stands in a fork for an input that the parent had not promoted by then. */
    | { readonly type: 'withheld' }
  )
