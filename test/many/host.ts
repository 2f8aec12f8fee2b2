/**
 * One of several agent hosts that share sessions: it holds some conversations at a time, submits its share of the inputs,
 * takes turns and answers them as if it were alone, and reports each operation before it begins and after it ended. When the
 * store is unusable, it tries the same again until it is not.
 */
import { setTimeout } from 'node:timers/promises'
import { createSessions, IndelibleError, StoreUnusableError, ToolResultsPendingError } from '../../src/index.ts'
import type { PlainMessage, Receipt, Session, Sessions, Turn } from '../../src/index.ts'
import { changingContext } from '../support/changing-context.ts'
import { claimOf } from '../support/ledger/operations.ts'
import type { Operation, Outcome, Recording } from '../support/ledger/operations.ts'
import { Random } from '../support/random.ts'
import { openStore } from '../support/store-address.ts'
import { Gate } from './gate.ts'
import { inputId, type Assignment, type Line } from './protocol.ts'

/** Hosts meet, because all converse in the first so many of the sessions that are not finished. */
const WINDOW = 40

/** What comes back of an operation that was refused. */
const refused = Symbol('refused')

/** Refusals that are part of life among others. */
const legalRefusals: ReadonlySet<string> = new Set(['turn_superseded', 'tool_result_unexpected', 'session_exists'])

export class Host {
  readonly #assignment: Assignment
  readonly #say: (line: Line) => void
  readonly #random: Random
  readonly #sessions: Sessions<PlainMessage>
  readonly #gate: Gate
  readonly #open = new Map<string, Session<PlainMessage>>()
  /** The next input of this host in each session. */
  readonly #nextInput = new Map<string, number>()
  /** Not yet seen finished. */
  #unfinished: string[] = []
  #made = 0

  constructor(assignment: Assignment, say: (line: Line) => void) {
    this.#assignment = assignment
    this.#say = say
    this.#random = new Random(assignment.seed)
    this.#sessions = createSessions({
      store: openStore(assignment.address),
      context: changingContext(this.#random),
      instructions: 'You are one of many.',
      createId: () => this.#newId(),
    })
    this.#gate = new Gate(assignment.lanes, () => say({ resting: true }))
  }

  work(sessions: readonly string[]): void {
    this.#unfinished = [...sessions]
    for (const id of this.#open.keys()) if (!sessions.includes(id)) this.#forget(id)
    this.#gate.open()
  }

  rest(): void {
    this.#gate.close()
  }

  close(): Promise<void> {
    return this.#sessions.close()
  }

  /** Holds conversations for ever; rejects with what no operation should have thrown. */
  async run(): Promise<void> {
    const { lanes, retries } = this.#assignment
    const retriesOf = (lane: number): Operation[] => retries.filter((_, index) => index % lanes === lane)
    await Promise.all(Array.from({ length: lanes }, (_, lane) => this.#runLane(lane, retriesOf(lane))))
  }

  async #runLane(lane: number, retries: readonly Operation[]): Promise<void> {
    for (const operation of retries) await this.#retry(lane, operation)
    for (;;) {
      await this.#gate.pass()
      if (this.#unfinished.length === 0) await setTimeout(20)
      else await this.#converse(lane, this.#session(this.#unfinished[this.#random.below(this.#windowSize)]!))
    }
  }

  get #windowSize(): number {
    return Math.min(WINDOW, this.#unfinished.length)
  }

  /** The object that other lanes use too, or, now and then, one that reads the session from its epoch on. */
  #session(id: string): Session<PlainMessage> {
    const known = this.#random.chance(0.1) ? undefined : this.#open.get(id)
    const session = known ?? this.#sessions.open(id)
    this.#open.set(id, session)
    return session
  }

  /** As a caller would who never heard back. What is recorded already must not be recorded again. */
  async #retry(lane: number, operation: Operation): Promise<void> {
    if (operation.type !== 'submit' && operation.type !== 'append' && operation.type !== 'answer') return
    const session = this.#sessions.open(operation.session)
    if (operation.type !== 'answer') await this.#record(lane, session, operation)
    else {
      const turn = await this.#turn(lane, session)
      if (turn !== null) await this.#record(lane, session, operation, turn)
    }
  }

  async #converse(lane: number, session: Session<PlainMessage>): Promise<void> {
    if (this.#random.chance(0.6)) await this.#submit(lane, session)
    const turn = await this.#turn(lane, session)
    if (turn === null) return
    if (!awaitsAnswer(turn)) {
      if (countInputs(turn) === this.#assignment.inputs) this.#finish(session.id)
      return
    }
    // The model thinks; an input that arrives meanwhile does not supersede the turn.
    await setTimeout(this.#random.below(4))
    if (this.#random.chance(0.3)) await this.#submit(lane, session)
    // The request was aborted.
    if (this.#random.chance(0.1)) return
    await this.#answer(lane, session, turn)
    if (this.#random.chance(0.03)) await this.#tryElsewhere(lane, session)
  }

  #finish(session: string): void {
    if (!this.#unfinished.includes(session)) return
    this.#unfinished = this.#unfinished.filter((other) => other !== session)
    this.#forget(session)
    this.#say({ finished: session })
  }

  #forget(session: string): void {
    this.#open.delete(session)
    this.#nextInput.delete(session)
  }

  /** The next input of this host, if there is one; now and then one that has been submitted, also by another host. */
  async #submit(lane: number, session: Session<PlainMessage>): Promise<void> {
    const { index, hosts, inputs } = this.#assignment
    const next = this.#nextInput.get(session.id) ?? index
    if (next < inputs) this.#nextInput.set(session.id, next + hosts)
    const input = next < inputs ? next : this.#random.below(inputs * 10)
    if (input < inputs) await this.#submitInput(lane, session, inputId(session.id, input))
  }

  async #submitInput(lane: number, session: Session<PlainMessage>, id: string): Promise<void> {
    const messages = [{ role: 'user', content: `input ${id}` }]
    await this.#record(lane, session, { type: 'submit', session: session.id, id, messages })
  }

  /** Null while results of tool calls were pending; then they are in, from this host or from another. */
  async #turn(lane: number, session: Session<PlainMessage>): Promise<Turn<PlainMessage> | null> {
    const found = await this.#do(
      lane,
      { type: 'turn', session: session.id },
      () =>
        session.turn().catch((error: unknown) => {
          if (error instanceof ToolResultsPendingError) return error.calls
          throw error
        }),
      (result): Outcome => ('revision' in result ? { turn: claimOf(result) } : {}),
    )
    if (found === refused) return null
    if ('revision' in found) return found
    for (const call of found) {
      // The same from every host, so that the second is a repetition of the first.
      const messages = [{ role: 'tool', tool_call_id: call, content: `result of ${call}` }]
      await this.#record(lane, session, { type: 'append', session: session.id, id: `result-${call}`, messages })
    }
    return null
  }

  async #answer(lane: number, session: Session<PlainMessage>, turn: Turn<PlainMessage>): Promise<void> {
    const calls = this.#random.chance(0.3) ? Array.from({ length: 1 + this.#random.below(2) }, () => this.#newId()) : []
    const message = {
      role: 'assistant',
      content: `answer to ${turn.revision} ${'.'.repeat(this.#random.below(300))}`,
      ...(calls.length > 0 && { tool_calls: calls.map((id) => ({ id })) }),
    }
    const operation = { type: 'answer', session: turn.session, id: this.#newId(), messages: [message] } as const
    await this.#record(lane, session, operation, turn)
  }

  /** A fork, in which nobody else is, and which goes away. */
  async #tryElsewhere(lane: number, parent: Session<PlainMessage>): Promise<void> {
    const child = this.#newId()
    await this.#do(lane, { type: 'fork', session: parent.id, child }, () => parent.fork(child))
    const session = this.#sessions.open(child)
    await this.#submitInput(lane, session, inputId(child, 0))
    const turn = await this.#turn(lane, session)
    if (turn !== null && awaitsAnswer(turn)) await this.#answer(lane, session, turn)
    await this.#do(lane, { type: 'delete', session: child }, () => this.#sessions.delete(child))
  }

  /** `turn` is for an answer. */
  async #record(
    lane: number,
    session: Session<PlainMessage>,
    operation: Recording,
    turn?: Turn<PlainMessage>,
  ): Promise<void> {
    const { type, id, messages } = operation
    await this.#do(
      lane,
      operation,
      (): Promise<Receipt> => {
        if (type === 'submit') return session.submit(messages[0]!, { id })
        return type === 'append' ? session.append(messages, { id }) : turn!.answer(messages, { id })
      },
      ({ revision }): Outcome => ({ revision }),
    )
  }

  async #do<T>(
    lane: number,
    operation: Operation,
    run: () => Promise<T>,
    outcome: (result: T) => Outcome = () => ({}),
  ): Promise<T | typeof refused> {
    for (;;) {
      await this.#gate.pass()
      this.#say({ lane, report: { begun: operation } })
      try {
        const result = await run()
        this.#say({ lane, report: { done: outcome(result) } })
        return result
      } catch (error) {
        if (error instanceof StoreUnusableError) {
          this.#say({ lane, report: { unknown: error.message } })
        } else if (error instanceof IndelibleError && legalRefusals.has(error.code)) {
          this.#say({ lane, report: { refused: error.code } })
          return refused
        } else {
          throw error
        }
      }
      await setTimeout(20 + this.#random.below(80))
    }
  }

  #newId(): string {
    return `${this.#assignment.name}-${String(++this.#made).padStart(5, '0')}`
  }
}

function messagesOf(turn: Turn<PlainMessage>): PlainMessage[] {
  return turn.entries.flatMap((entry) => (entry.type === 'message' ? [entry.message] : []))
}

function awaitsAnswer(turn: Turn<PlainMessage>): boolean {
  const last = messagesOf(turn).at(-1)
  return last !== undefined && last.role !== 'assistant'
}

function countInputs(turn: Turn<PlainMessage>): number {
  return messagesOf(turn).filter((message) => message.role === 'user').length
}
