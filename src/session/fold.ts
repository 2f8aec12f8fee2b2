/**
 * The state of a session: what its events come to when they are applied one after the other.
 *
 * Invariants: `apply` is the only writer; the snapshot is exactly what the texts in view tell (`EpochEvent` sets it,
 * each boundary advances it); entries only grow within an epoch. An event that contradicts what came before it throws
 * {@link Contradiction}, which names the law that it breaks.
 *
 * A fold may begin in the middle of a log, at the first revision that the newest epoch keeps in view. What lies before
 * that is then unknown, and events of earlier epochs are taken as far as they can be, until the epoch event arrives.
 */
import type { Snapshot } from '../context/index.ts'
import { joinSystemPrompt } from '../prompt/index.ts'
import { HistoryFold } from './history-fold.ts'
import type { UpdateEntry } from './history-fold.ts'
import { toolIds, advanceTools, sameTools, showTools, startTools, TOOLS_KEY } from './tools.ts'
import type { ToldTools, ToolList } from './tools.ts'
import type {
  Entry,
  EpochCause,
  Format,
  HeldTool,
  Problem,
  Refusal,
  SessionEvent,
  Tool,
  ToolChanges,
  TurnTools,
  View,
} from './types.ts'

/** A log that breaks a law. */
export class Contradiction extends Error {
  readonly law: Problem['law']
  constructor(law: Problem['law'], message: string) {
    super(message)
    this.name = 'Contradiction'
    this.law = law
  }
}

/** The epoch that stands. */
export interface EpochState {
  readonly number: number
  readonly cause: EpochCause
  readonly revision: number
  readonly instructions: string
  readonly baseline: string
  readonly system: string
  readonly nonce: string
  readonly rulesAsOf: string
  readonly refusals: readonly Refusal[]
  readonly view: View
}

/** An input that has been submitted and not promoted. */
export interface InboxInput<M> {
  readonly revision: number
  readonly message: M
}

/** A compaction, and the epoch in which it was asked for. */
export interface Compaction<M> {
  readonly revision: number
  readonly epoch: number
  readonly summary: readonly M[]
  readonly through: number
}

type Event<M, T extends SessionEvent<M>['type']> = Extract<SessionEvent<M>, { type: T }>

export class Fold<M> {
  /** Revision of the newest event applied. */
  head = 0
  /** Revision of the newest event that changed what the model sees or how it is lowered. */
  revision = 0
  mode: 'session' | 'host' | null = null
  /** Of the session, from its first epoch or its parent. */
  nonce: string | null = null
  epoch: EpochState | null = null
  snapshot: Snapshot = {}
  /** What the model was told of the session's tools; `null` where the caller of the adapter sends them. */
  tools: ToldTools | null = null
  /** When the model was told each value of the snapshot. */
  readonly toldAt: Map<string, string> = new Map()
  inbox: InboxInput<M>[] = []
  /** Asked for, and not yet in effect. */
  compaction: Compaction<M> | null = null
  moved = false
  /** How many moves this fold has seen. */
  moves = 0
  refusals: Refusal[] = []
  /** What is known of a history that the host keeps. */
  readonly history: HistoryFold = new HistoryFold()

  readonly #format: Format<M>
  readonly #toolId: (tool: Tool) => string
  #entries: Entry<M>[] = []
  /** For each entry, the revision of the event that holds its text. */
  #heldBy: number[] = []
  #handed: readonly Entry<M>[] = []
  #handedTools: TurnTools | null = null
  /** Entries before this index hold no open tool call; entries before `#checked` have been looked at. */
  #settled = 0
  #checked = 0
  #open: readonly string[] = []
  /** The compaction whose summary is in view. */
  #summary: Compaction<M> | null = null
  /** The first revision applied, and whether the fold knows all that is in view. */
  #first = 0
  #whole = false
  #begun = false

  constructor(format: Format<M>) {
    this.#format = format
    this.#toolId = toolIds(format)
  }

  /** True once the fold knows all that is in view: one that began in the middle of a log does not before its epoch. */
  get isWhole(): boolean {
    return this.#whole
  }

  /** What the model sees after the system prompt: the same array until it changes, and never changed itself. */
  get entries(): readonly Entry<M>[] {
    // A copy per change (some microseconds for 10,000 entries), so that every turn keeps entries of fixed length.
    if (this.#handed.length !== this.#entries.length) this.#handed = Object.freeze(this.#entries.slice())
    return this.#handed
  }

  /** What a turn shows of tools: the same object until something of it changes. */
  turnTools(held: readonly HeldTool[]): TurnTools | null {
    if (this.tools === null) return null
    const shown = showTools(this.tools, held)
    if (this.#handedTools === null || !sameTools(shown, this.#handedTools)) this.#handedTools = shown
    return this.#handedTools
  }

  /** Tool calls in view that lack their result. Each message is looked at a bounded number of times. */
  get openCalls(): readonly string[] {
    if (this.#checked !== this.#entries.length) {
      this.#open = this.#format.openCalls(this.#messages(this.#settled))
      this.#checked = this.#entries.length
      if (this.#open.length === 0) this.#settled = this.#checked
    }
    return this.#open
  }

  /** The messages in view since there was last no open call; none where there is none now. */
  get unsettled(): readonly M[] {
    return this.openCalls.length === 0 ? [] : this.#messages(this.#settled)
  }

  /** The calls that are open among the entries up to a revision. */
  openCallsThrough(revision: number): readonly string[] {
    const messages: M[] = []
    for (const entry of this.#entries) {
      if (entry.type === 'message' && entry.revision <= revision) messages.push(entry.message)
    }
    return this.#format.openCalls(messages)
  }

  /** True when the last entry is an answer: there is then no legal place for an update. */
  get endsWithAnswer(): boolean {
    const last = this.#entries.at(-1)
    return last?.type === 'message' && this.#format.kind(last.message) === 'assistant'
  }

  /** True while the open tail carries tool results: the answer they belong to goes on. */
  get inToolLoop(): boolean {
    for (let index = this.#entries.length - 1; index >= 0; index--) {
      const entry = this.#entries[index]!
      if (entry.type === 'update') continue
      const kind = this.#format.kind(entry.message)
      if (kind === 'assistant') return false
      if (kind === 'tool-result') return true
    }
    return false
  }

  /** The view of an epoch that would start now, and whether it takes up the pending compaction. */
  nextView(revision: number, compacts: boolean): View {
    const taken = compacts ? this.compaction : this.#summary
    const through = taken?.through ?? 0
    let from = revision
    if (taken !== null) from = Math.min(from, taken.revision)
    if (!compacts && this.compaction !== null) from = Math.min(from, this.compaction.revision)
    for (const input of this.inbox) from = Math.min(from, input.revision)
    for (const [index, entry] of this.#entries.entries()) {
      if (entry.type === 'message' && entry.revision > through) from = Math.min(from, this.#heldBy[index]!)
    }
    return { from, through, summary: taken?.revision ?? null }
  }

  apply(event: SessionEvent<M>): void {
    if (this.head !== 0 && event.revision !== this.head + 1) {
      throw new Contradiction('integrity', `revision ${event.revision} follows revision ${this.head}`)
    }
    if (!this.#begun) {
      // A fork of a purged log begins with withheld events in the place of what is gone.
      this.#begun = event.type !== 'withheld'
      this.#first = event.revision
      this.#whole = this.#begun && event.revision === 1
    }
    switch (event.type) {
      case 'input':
        this.#setMode('session')
        this.inbox.push({ revision: event.revision, message: event.message })
        break
      case 'boundary':
        this.#applyBoundary(event)
        break
      case 'epoch':
        this.#applyEpoch(event)
        break
      case 'answer':
        this.#setMode('session')
        this.#requireEpoch(event.epoch)
        if (this.#whole && event.turn !== this.revision) {
          throw new Contradiction('once', `an answer to the turn at ${event.turn} follows revision ${this.revision}`)
        }
        this.#push(event.messages, event.revision, event.epoch, event.revision)
        this.revision = event.revision
        break
      case 'append':
        this.#setMode('session')
        this.#requireEpoch(event.epoch)
        this.#push(event.messages, event.revision, event.epoch, event.revision)
        this.revision = event.revision
        break
      case 'compaction': {
        this.#setMode('session')
        const { revision, epoch, summary, through } = event
        this.compaction = { revision, epoch, summary, through }
        break
      }
      case 'move':
        this.moved = true
        this.moves++
        break
      case 'refusal':
        this.#setMode(event.mode)
        this.refusals.push(event.refusal)
        break
      case 'fork':
        this.#setMode(event.mode)
        this.nonce = event.nonce
        break
      case 'withheld':
        break
    }
    this.head = event.revision
  }

  #applyBoundary(event: Event<M, 'boundary'>): void {
    this.#setMode(event.history === undefined ? 'session' : 'host')
    this.#requireEpoch(event.epoch)
    this.#promote(event.promoted, event.revision, event.epoch)
    if (event.history !== undefined) this.history.apply(event.history, event.revision, event.epoch, event.epoch)
    if (event.update !== null) {
      const { revision, epoch, update } = event
      const entry: UpdateEntry = Object.freeze({ revision, epoch, type: 'update', ...update })
      if (event.history === undefined) this.#pushEntry(entry, event.revision)
      else this.history.admit(entry)
    }
    this.#advance(event)
    if (event.update?.tools !== undefined) this.#advanceTools(event.update.tools, event.at)
    this.revision = event.revision
  }

  #advance(event: Event<M, 'boundary'>): void {
    const { set, gone } = event.snapshot
    // Most boundaries only promote.
    if (event.update === null && gone.length === 0 && isEmpty(set)) return
    const told = new Set([...Object.keys(set), ...gone])
    const changes = (event.update?.changes ?? []).filter(({ key }) => key !== TOOLS_KEY)
    if (changes.length !== told.size || changes.some((change) => !told.has(change.key))) {
      throw new Contradiction('belief', 'the snapshot advances by other keys than the update tells')
    }
    if (told.size === 0) return
    const next: Record<string, Snapshot[string]> = { ...this.snapshot }
    let hasAdded = false
    for (const [key, entry] of Object.entries(set)) {
      hasAdded ||= !Object.hasOwn(next, key)
      next[key] = entry
      this.toldAt.set(key, event.at)
    }
    for (const key of gone) {
      if (this.#whole && !Object.hasOwn(next, key)) {
        throw new Contradiction('belief', `${key} is told to be gone, but was never told`)
      }
      delete next[key]
      this.toldAt.delete(key)
    }
    // The order of the keys is that of the epoch event: same values, same bytes.
    const ordered = hasAdded ? Object.fromEntries(Object.entries(next).sort(([a], [b]) => (a < b ? -1 : 1))) : next
    this.snapshot = Object.freeze(ordered)
  }

  #advanceTools(changes: ToolChanges, at: string): void {
    if (this.tools === null) {
      // Of an earlier epoch than the one that the fold began for.
      if (!this.#whole) return
      throw new Contradiction('belief', 'an update speaks of tools, and the session has none')
    }
    const { defined, removed } = this.tools
    const added = this.#toolList(changes.added)
    const isTold = (id: string): boolean => defined.has(id) && !removed.has(id)
    const unfounded =
      changes.removed.find((id) => !isTold(id)) ??
      changes.restored.find((id) => !removed.has(id) && !added.has(id)) ??
      changes.restored.find((id) => !this.tools!.frozen.has(id)) ??
      [...added.keys()].find((id) => isTold(id) && ![...changes.removed, ...changes.restored].includes(id))
    if (unfounded !== undefined) {
      throw new Contradiction(
        'belief',
        `the update says of the tool ${unfounded} what does not follow from what was told`,
      )
    }
    this.tools = advanceTools(this.tools, changes, added)
    this.toldAt.set(TOOLS_KEY, at)
  }

  #toolList(tools: readonly Tool[]): ToolList {
    return new Map(tools.map((tool) => [this.#toolId(tool), tool]))
  }

  #applyEpoch(event: Event<M, 'epoch'>): void {
    this.#setMode(event.history === undefined ? 'session' : 'host')
    if (this.epoch !== null ? event.epoch !== this.epoch.number + 1 : this.#whole && event.epoch !== 1) {
      throw new Contradiction('integrity', `epoch ${event.epoch} follows epoch ${this.epoch?.number ?? 0}`)
    }
    this.#setView(event)
    this.#promote(event.promoted, event.revision, event.epoch)
    if (event.history !== undefined) this.history.apply(event.history, event.revision, event.epoch - 1, event.epoch)
    this.epoch = {
      number: event.epoch,
      cause: event.cause,
      revision: event.revision,
      instructions: event.instructions,
      baseline: event.baseline,
      system: joinSystemPrompt(event.instructions, event.baseline),
      nonce: event.nonce,
      rulesAsOf: event.rulesAsOf,
      refusals: event.refusals,
      view: event.view,
    }
    this.nonce = event.nonce
    this.snapshot = event.snapshot
    this.tools = event.tools === null ? null : startTools(this.#toolList(event.tools))
    this.toldAt.clear()
    for (const key of Object.keys(event.snapshot)) this.toldAt.set(key, event.at)
    if (this.tools !== null) this.toldAt.set(TOOLS_KEY, event.at)
    this.moved = false
    this.refusals = []
    this.revision = event.revision
    // An earlier epoch than the one that the fold began for may keep in view what came before.
    this.#whole ||= this.#first <= event.view.from
  }

  /** Earlier updates leave the view, and so does what a compaction took the place of. */
  #setView({ view }: Event<M, 'epoch'>): void {
    if (view.summary !== null && view.summary !== this.#summary?.revision) {
      if (view.summary === this.compaction?.revision) {
        this.#summary = this.compaction
        this.compaction = null
      } else if (this.#whole) {
        throw new Contradiction('replayable', `the summary of revision ${view.summary} is not in the log`)
      } else {
        // An earlier epoch of a fold that began in the middle: a later compaction takes its place.
        this.#summary = null
      }
    }
    if (this.compaction !== null && this.compaction.through < view.through) this.compaction = null
    const entries = this.#entries
    const heldBy = this.#heldBy
    this.#entries = []
    this.#heldBy = []
    this.#settled = this.#checked = 0
    this.#open = []
    this.#handed = []
    this.history.startEpoch()
    if (this.#summary !== null) {
      const { summary, through, epoch, revision } = this.#summary
      this.#push(summary, through, epoch, revision)
    }
    for (const [index, entry] of entries.entries()) {
      if (entry.type === 'message' && entry.revision > view.through) this.#pushEntry(entry, heldBy[index]!)
    }
  }

  #promote(promoted: readonly number[], revision: number, epoch: number): void {
    if (promoted.length === 0) return
    for (let index = 0; index < promoted.length; index++) {
      const input = promoted[index]!
      const next = this.inbox[index]
      if (next?.revision === input) {
        this.#pushEntry({ revision, epoch, type: 'message', message: next.message }, input)
      } else if (this.#whole) {
        throw new Contradiction('once', `the input of revision ${input} is promoted, but is not next in the inbox`)
      }
    }
    this.inbox = this.inbox.filter((input) => !promoted.includes(input.revision))
  }

  #push(messages: readonly M[], revision: number, epoch: number, heldBy: number): void {
    for (let index = 0; index < messages.length; index++) {
      this.#pushEntry({ revision, epoch, type: 'message', message: messages[index]! }, heldBy)
    }
  }

  #pushEntry(entry: Entry<M>, heldBy: number): void {
    this.#entries.push(Object.freeze(entry))
    this.#heldBy.push(heldBy)
  }

  #messages(from: number): M[] {
    const messages: M[] = []
    for (let index = from; index < this.#entries.length; index++) {
      const entry = this.#entries[index]!
      if (entry.type === 'message') messages.push(entry.message)
    }
    return messages
  }

  #setMode(mode: 'session' | 'host'): void {
    this.mode ??= mode
    if (this.mode !== mode)
      throw new Contradiction('integrity', `an event of a ${mode} session in one of the other kind`)
  }

  #requireEpoch(number: number): void {
    if (this.#whole && number !== (this.epoch?.number ?? 0)) {
      throw new Contradiction('integrity', `an event of epoch ${number} in epoch ${this.epoch?.number ?? 0}`)
    }
  }
}

function isEmpty(object: object): boolean {
  for (const key in object) return key === null
  return true
}
