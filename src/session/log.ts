/**
 * A session's log in this process: the fold of all that has been read so far, and the one way to add to it.
 *
 * Every operation follows one pattern: catch up (one read), decide on the folded state, append guarded by the revision
 * that the decision was made on; if somebody else was faster, catch up and decide again. Each lost race means that another
 * writer made progress, so the loop ends. Several operations of one object may overlap: events are folded by revision,
 * once, whoever read or wrote them.
 */
import { decodeEvent, decodeForFold, encodeEvent, placeEvent } from './event.ts'
import type { EventDraft } from './event.ts'
import { EventUnreadableError, SessionDeletedError, SessionModeError, StoreUnusableError } from './errors.ts'
import { Contradiction, Fold } from './fold.ts'
import { asWithheld, decodeRecord, isPurged, type PurgedEvent } from './retention.ts'
import type { EventStore, StoredEvent } from './store.ts'
import type { Format, SessionEvent } from './types.ts'

/** Refusals without any movement of the log after which a store is taken to be broken. */
const MAX_FUTILE_APPENDS = 100

/** Events per read when a whole log is walked. */
const PAGE = 500

export class EventLog<M> {
  readonly session: string
  readonly store: EventStore
  readonly format: Format<M>
  readonly fold: Fold<M>
  readonly #mode: 'session' | 'host'
  readonly #clock: () => Date
  /** Of the event that is folded last. */
  #headChecksum = ''
  #opening: Promise<void> | undefined
  /** Appends that were refused since the last that was not, although the log had not moved and no id was taken. */
  #futile = 0

  constructor(
    session: string,
    mode: 'session' | 'host',
    options: { store: EventStore; format: Format<M>; clock: () => Date },
  ) {
    this.session = session
    this.store = options.store
    this.format = options.format
    this.fold = new Fold(options.format)
    this.#mode = mode
    this.#clock = options.clock
  }

  /**
   * Brings the fold up to the newest event: one read, or two and a find the first time. The read begins with the event that
   * is folded last: a log in which that is another one was deleted, and perhaps begun again, so that nothing of the old
   * conversation may go on in it. Throws `SessionDeletedError` then.
   */
  async catchUp(): Promise<void> {
    if (this.fold.head === 0) {
      // Overlapping first uses share one opening: a fold can only begin once.
      this.#opening ??= this.#open().finally(() => {
        this.#opening = undefined
      })
      await this.#opening
    } else {
      const { head } = this.fold
      const checksum = this.#headChecksum
      const rows = await this.store.read(this.session, head - 1)
      if (rows[0]?.revision !== head || rows[0].checksum !== checksum) throw await this.#goneError(head)
      this.#fold(rows)
    }
    if (this.fold.mode !== null && this.fold.mode !== this.#mode)
      throw new SessionModeError(this.session, this.fold.mode)
  }

  /**
   * Of a log whose row at `revision` is gone. Where the newest epoch begins behind it, only a purge can have taken it away.
   */
  async #goneError(revision: number): Promise<SessionDeletedError> {
    const { epoch } = this.fold
    const start = await this.store.epochStart(this.session)
    const event = start && decodeEvent(this.session, start, this.format)
    const isSame =
      event?.type === 'epoch' && epoch !== null && event.nonce === epoch.nonce && event.view.from > revision
    return new SessionDeletedError(this.session, isSame ? 'purged' : 'deleted')
  }

  async #open(): Promise<void> {
    const start = await this.store.epochStart(this.session)
    const epoch = start && decodeEvent(this.session, start, this.format)
    const after = epoch?.type === 'epoch' ? epoch.view.from - 1 : 0
    const rows = await this.store.read(this.session, after)
    // Another operation of this object may have begun the log meanwhile, and a fold begins once.
    if (this.fold.head > 0) return this.catchUp()
    const [first] = rows
    if (first !== undefined && (first.revision !== after + 1 || isPurged(first))) {
      // Between the two reads an epoch may have begun, and the one before it may have been purged.
      if ((await this.store.epochStart(this.session))?.revision !== start?.revision) return this.#open()
      throw new EventUnreadableError(this.session, after + 1, 'its row is missing')
    }
    this.#fold(rows, start, epoch)
  }

  /** Folds rows in order, skipping those that an overlapping operation has folded already. `known` is the event of a row. */
  #fold(rows: readonly StoredEvent[], knownRow?: StoredEvent, known?: SessionEvent<M>): void {
    // By index, here and in what folds an event: an iterator makes an object for each step until the code is compiled.
    for (let index = 0; index < rows.length; index++) {
      const row = rows[index]!
      if (row.revision <= this.fold.head) continue
      const isKnown = known !== undefined && row.revision === knownRow!.revision && isSameRow(row, knownRow!)
      this.#apply(isKnown ? known : decodeForFold(this.session, row, this.format), row.checksum)
    }
  }

  #apply(event: SessionEvent<M>, checksum: string): void {
    try {
      this.fold.apply(event)
      this.#headChecksum = checksum
    } catch (cause) {
      const problem = cause instanceof Contradiction ? cause.message : 'it has not the shape of its type'
      throw new EventUnreadableError(this.session, event.revision, problem, { cause })
    }
  }

  /**
   * Appends what `decide` makes of the folded state, and decides again for as long as others are faster. `decide` may throw,
   * or return null when there is nothing to write. Where the draft's id was recorded before, that event comes back, not
   * `fresh`, and nothing is written. Call after {@link catchUp}.
   */
  async append(
    decide: () => EventDraft<M> | null,
  ): Promise<{ event: SessionEvent<M> | PurgedEvent; fresh: boolean } | null> {
    for (;;) {
      const draft = decide()
      if (draft === null) return null
      const { head } = this.fold
      const event = await this.tryAppend(draft)
      if (event !== null) return { event, fresh: true }
      if (!('id' in draft)) continue
      const earlier = await this.find(draft.type, draft.id)
      if (earlier !== null) return { event: earlier, fresh: false }
      if (this.fold.head === head) this.#suspectStore()
    }
  }

  /**
   * One attempt: the event as it now stands in the log, or null when the log had moved on and the fold has caught up.
   * Throws `SessionDeletedError` when the log is gone.
   */
  async tryAppend(draft: EventDraft<M>): Promise<SessionEvent<M> | null> {
    const expected = this.fold.head
    const event = placeEvent(draft, expected + 1, this.now())
    const row = encodeEvent(this.session, event, this.format)
    if (await this.store.append(this.session, expected, [row])) {
      this.#futile = 0
      // Another operation of this object may have read it meanwhile.
      if (this.fold.head === expected) this.#apply(event, row.checksum)
      return event
    }
    await this.catchUp()
    if (this.fold.head !== expected) return null
    // Nobody else wrote: the id is taken, or the store is broken.
    if (!('id' in draft)) this.#suspectStore()
    return null
  }

  /** Counts a refusal that nothing explains. */
  #suspectStore(): void {
    if (++this.#futile < MAX_FUTILE_APPENDS) return
    throw new StoreUnusableError(
      `The store refused ${MAX_FUTILE_APPENDS} appends to session ${JSON.stringify(this.session)} although nobody else wrote. ` +
        'Check that it keeps the contract of EventStore with storeConformance from indelible/testing.',
    )
  }

  /** The time for an event. */
  now(): string {
    return this.#clock().toISOString()
  }

  /** An input, append or answer that was recorded under an id, or what a purge has left of it. */
  async find(type: 'input' | 'append' | 'answer', id: string): Promise<SessionEvent<M> | PurgedEvent | null> {
    const row = await this.store.find(this.session, type, id)
    return row === undefined ? null : decodeRecord(this.session, row, this.format)
  }

  /** Rows of the log, page by page, oldest first, with whatever gaps they have. Throws `StoreUnusableError` where they go in circles. */
  async *rows(after: number): AsyncGenerator<StoredEvent> {
    let from = after
    for (;;) {
      const page = await this.store.read(this.session, from, PAGE)
      yield* page
      const last = page.at(-1)
      if (last === undefined) return
      // An index that does not fit its table could make this go on for ever.
      if (!(last.revision > from)) {
        throw new StoreUnusableError(
          `The store gave revision ${last.revision} of session ${JSON.stringify(this.session)} for one after ${from}. ` +
            'Check the database, or restore it from a backup.',
        )
      }
      from = last.revision
    }
  }

  /**
   * Events of the log, oldest first, from where it begins: a purged log begins at the first revision that an epoch keeps in view.
   * Throws `EventUnreadableError` at the first that is missing or cannot be read, `SessionDeletedError` where a purge or a
   * delete overtakes it. Call after {@link catchUp}.
   */
  async *events(after: number): AsyncGenerator<SessionEvent<M>> {
    let next = Math.max(0, Math.floor(after)) + 1
    let first: StoredEvent | undefined
    // A fork of a purged log begins with places that hold nothing, between rows of which the id is left.
    let isEmpty = true
    for await (const row of this.rows(after)) {
      if (first === undefined && isPurged(row)) continue
      if (first === undefined && row.revision > next && row.revision <= this.#viewStart) next = row.revision
      first ??= row
      isEmpty &&= isPurged(row) || row.type === 'withheld'
      if (row.revision !== next || (isPurged(row) && !isEmpty)) {
        if (await this.isGone(first)) throw await this.#goneError(first.revision)
        throw new EventUnreadableError(this.session, next, 'its row is missing')
      }
      yield isPurged(row) ? asWithheld(this.session, row, this.format) : decodeEvent(this.session, row, this.format)
      next++
    }
  }

  /** Whether a row that was read has since been purged or deleted: what stands behind it may then have been, too. */
  async isGone(row: StoredEvent): Promise<boolean> {
    const [now] = await this.store.read(this.session, row.revision - 1, 1)
    return now?.revision !== row.revision || isPurged(now)
  }

  /** The first revision that the newest epoch keeps in view: no purge takes more than what comes before it. */
  get #viewStart(): number {
    return this.fold.epoch?.view.from ?? 1
  }
}

function isSameRow(one: StoredEvent, other: StoredEvent): boolean {
  return (
    one.revision === other.revision &&
    one.type === other.type &&
    one.v === other.v &&
    one.id === other.id &&
    one.at === other.at &&
    one.body === other.body &&
    one.checksum === other.checksum
  )
}
