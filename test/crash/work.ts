/**
 * An agent host in a hurry: it converses in several sessions of one database with all that a session can do, and reports
 * each operation before it begins and after it is done. What it does depends on its seed and on what it finds.
 */
import { createSessions, ToolResultsPendingError } from '../../src/index.ts'
import type { PlainMessage, Receipt, Session, Sessions, Turn } from '../../src/index.ts'
import { sqliteStore } from '../../src/store/sqlite/index.ts'
import { changingContext } from '../support/changing-context.ts'
import { claimOf } from '../support/ledger/operations.ts'
import type { Operation, Outcome, Recording, Report } from '../support/ledger/operations.ts'
import { Random } from '../support/random.ts'
import type { Assignment } from './assignment.ts'

/** Sessions beyond this many are deleted, longest first, so that no log grows for ever. */
const MAX_SESSIONS = 5

export class Work {
  readonly #assignment: Assignment
  readonly #report: (report: Report) => void
  readonly #random: Random
  /** The newest known revision of each session. */
  readonly #revisions: Map<string, number>
  #sessions!: Sessions<PlainMessage>
  #session!: Session<PlainMessage>
  #made = 0

  constructor(assignment: Assignment, report: (report: Report) => void) {
    this.#assignment = assignment
    this.#report = report
    this.#random = new Random(assignment.seed)
    this.#revisions = new Map(assignment.sessions)
  }

  /** Ends after so many steps, or with an error that no operation should have thrown. */
  async run(steps: number = Infinity): Promise<void> {
    await this.#open()
    await this.#retry(this.#assignment.retry)
    for (let step = 0; step < steps; step++) {
      if (this.#random.chance(0.15)) this.#choose()
      await this.#converse()
      await this.#keepHouse()
    }
    await this.#sessions.close()
  }

  async #open(): Promise<void> {
    await this.#do({ type: 'open' }, async () => {
      this.#sessions = createSessions({
        store: sqliteStore(this.#assignment.path),
        context: changingContext(this.#random),
        instructions: 'You are killed now and then.',
        createId: () => this.#newId(),
      })
    })
    this.#choose()
  }

  /** Opens a session anew, so that it is read from its epoch on; now and then one that nobody has used. */
  #choose(): void {
    const ids = [...this.#revisions.keys()]
    this.#use(ids.length === 0 || this.#random.chance(0.1) ? this.#newId() : this.#random.pick(ids))
  }

  #use(id: string): void {
    this.#session = this.#sessions.open(id)
  }

  /** As a caller would who never heard back. What is recorded already must not be recorded again. */
  async #retry(operation: Operation | null): Promise<void> {
    if (operation?.type !== 'submit' && operation?.type !== 'append' && operation?.type !== 'answer') return
    this.#use(operation.session)
    if (operation.type !== 'answer') return this.#record(operation)
    const turn = await this.#turn()
    // With its results pending, the answer is in.
    if (turn !== null) await this.#record(operation, turn)
  }

  /** One step of the conversation: what comes next is seen from where it stands. */
  async #converse(): Promise<void> {
    const turn = await this.#turn()
    if (turn === null) return
    const last = turn.entries.findLast((entry) => entry.type === 'message')
    if (last === undefined || last.message.role === 'assistant') return this.#submit()
    // Arrives while the answer streams.
    if (this.#random.chance(0.2)) await this.#submit()
    // The request was aborted.
    if (this.#random.chance(0.1)) return
    await this.#answer(turn)
  }

  /** Null while results of tool calls were pending; then they are in. */
  async #turn(): Promise<Turn<PlainMessage> | null> {
    const session = this.#session
    const found = await this.#do(
      { type: 'turn', session: session.id },
      () =>
        session.turn().catch((error: unknown) => {
          if (error instanceof ToolResultsPendingError) return error.calls
          throw error
        }),
      (result): Outcome => ('revision' in result ? { turn: claimOf(result) } : {}),
    )
    if ('revision' in found) {
      this.#revisions.set(session.id, found.revision)
      return found
    }
    const results = found.map((call) => ({ role: 'tool', tool_call_id: call, content: this.#text('result') }))
    for (const messages of this.#random.chance(0.5) ? [results] : results.map((result) => [result])) {
      await this.#record({ type: 'append', session: session.id, id: this.#newId(), messages })
    }
    return null
  }

  async #submit(): Promise<void> {
    const count = 1 + this.#random.below(3)
    for (let index = 0; index < count; index++) {
      const messages = [{ role: 'user', content: this.#text('input') }]
      await this.#record({ type: 'submit', session: this.#session.id, id: this.#newId(), messages })
    }
  }

  async #answer(turn: Turn<PlainMessage>): Promise<void> {
    const calls = this.#random.chance(0.4) ? Array.from({ length: 1 + this.#random.below(2) }, () => this.#newId()) : []
    const message = {
      role: 'assistant',
      content: this.#text('answer'),
      ...(calls.length > 0 && { tool_calls: calls.map((id) => ({ id })) }),
    }
    const operation = { type: 'answer', session: turn.session, id: this.#newId(), messages: [message] } as const
    await this.#record(operation, turn)
    if (calls.length > 0 || !this.#random.chance(0.15)) return
    // The conversation is between two turns.
    const through = this.#revisions.get(turn.session)!
    const summary = [{ role: 'user', content: this.#text('summary') }]
    const session = this.#session
    await this.#do({ type: 'compact', session: session.id, summary, through }, () =>
      session.compact({ summary, through }),
    )
    if (this.#random.chance(0.3)) {
      await this.#do({ type: 'move', session: session.id, epoch: turn.epoch }, () => session.move())
    }
  }

  /** Records messages, and now and then the same again, as a caller does who is not sure. `turn` is for an answer. */
  async #record(operation: Recording, turn?: Pick<Turn<PlainMessage>, 'answer'>): Promise<void> {
    const { type, session: name, id, messages } = operation
    const session = this.#session
    const call = (): Promise<Receipt> => {
      if (type === 'submit') return session.submit(messages[0]!, { id })
      return type === 'append' ? session.append(messages, { id }) : turn!.answer(messages, { id })
    }
    do {
      const { revision } = await this.#do(operation, call, (receipt): Outcome => ({ revision: receipt.revision }))
      this.#revisions.set(name, Math.max(revision, this.#revisions.get(name) ?? 0))
    } while (this.#random.chance(0.1))
  }

  /** What happens beside a conversation. */
  async #keepHouse(): Promise<void> {
    const session = this.#session
    if (this.#random.chance(0.06)) {
      const child = this.#newId()
      await this.#do({ type: 'fork', session: session.id, child }, () => session.fork(child))
      this.#revisions.set(child, this.#revisions.get(session.id) ?? 1)
    }
    if (this.#revisions.size > MAX_SESSIONS) {
      const [longest] = [...this.#revisions].reduce((a, b) => (a[1] >= b[1] ? a : b))
      await this.#do({ type: 'delete', session: longest }, () => this.#sessions.delete(longest))
      this.#revisions.delete(longest)
      if (longest === session.id) this.#choose()
    }
    if (this.#random.chance(0.05)) {
      // The last connection writes what is in the log beside the file into the file.
      await this.#do({ type: 'close' }, () => this.#sessions.close())
      await this.#open()
    }
  }

  async #do<T>(operation: Operation, run: () => Promise<T>, outcome: (result: T) => Outcome = () => ({})): Promise<T> {
    this.#report({ begun: operation })
    const result = await run()
    this.#report({ done: outcome(result) })
    return result
  }

  #newId(): string {
    return `${this.#assignment.name}-${String(++this.#made).padStart(4, '0')}`
  }

  /** Unlike any other text; at times longer than several pages of a database. */
  #text(what: string): string {
    return `${what} ${this.#newId()} ${'.'.repeat(this.#random.chance(0.9) ? this.#random.below(200) : this.#random.below(40_000))}`
  }
}
