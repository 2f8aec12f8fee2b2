/** A session whose conversation Indelible keeps: inbox, boundaries, answers, compaction, forks. */
import { canonicalJson } from '../base/json.ts'
import type { Circumstances, Decision } from './boundary.ts'
import type { SessionEnvironment } from './environment.ts'
import { checkMessages } from './check-messages.ts'
import {
  CompactionInvalidError,
  InputConflictError,
  MessageInvalidError,
  ToolResultsPendingError,
  ToolResultUnexpectedError,
  TurnSupersededError,
} from './errors.ts'
import { admitMessage, encodeMessage } from './event.ts'
import type { EventDraft } from './event.ts'
import { forkLog } from './fork.ts'
import { checkId } from './ids.ts'
import { EventLog } from './log.ts'
import { callsLeftOpen } from './open-calls.ts'
import { recordMove, recordRefusal } from './pending.ts'
import { contentDigest, type PurgedEvent } from './retention.ts'
import { boundaryDraft, epochDraft, takeBoundary } from './take-boundary.ts'
import { BoundaryTurn } from './turn.ts'
import type { AnswerRecorder } from './turn.ts'
import type { Format, Receipt, Refusal, Session, SessionEvent, Turn, Verification } from './types.ts'
import { admitUsage } from './usage.ts'
import { verifyLog } from './verify.ts'

type Recorded = 'input' | 'append' | 'answer'

export class KeptSession<M, H> implements Session<M, H> {
  readonly id: string
  readonly format: Format<M>
  readonly #environment: SessionEnvironment<M, H>
  readonly #log: EventLog<M>

  constructor(id: string, environment: SessionEnvironment<M, H>) {
    this.id = checkId('A session id', id)
    this.format = environment.format
    this.#environment = environment
    this.#log = new EventLog(id, 'session', environment)
  }

  async submit(input: M, options: { id?: string } = {}): Promise<Receipt> {
    const message = this.#admit([input])[0]!
    if (this.#environment.format.kind(message) !== 'user') {
      throw new MessageInvalidError(
        `An input to session ${JSON.stringify(this.id)} must be a user message. ` +
          'Append tool results with append(); record answers with turn.answer().',
      )
    }
    return this.#record('input', options.id, [message], (id) => ({ type: 'input', id, message }))
  }

  async append(messages: readonly M[], options: { id?: string; after?: number } = {}): Promise<Receipt> {
    const admitted = this.#admit(messages)
    const { fold } = this.#log
    return this.#record('append', options.id, admitted, (id) => {
      if (options.after !== undefined && fold.revision > options.after) {
        throw new TurnSupersededError(this.id, options.after, fold.revision)
      }
      if (fold.epoch !== null && admitted.some((message) => this.#environment.format.kind(message) === 'assistant')) {
        throw new MessageInvalidError(
          `Session ${JSON.stringify(this.id)} takes answers through turn.answer() once its first epoch has started; append() is for ` +
            'tool results and what else is no answer.',
        )
      }
      this.#checkToolResults(admitted)
      return { type: 'append', id, epoch: fold.epoch?.number ?? 0, messages: admitted }
    })
  }

  async turn({ host }: { host?: H } = {}): Promise<Turn<M>> {
    const log = this.#log
    const { fold } = log
    await log.catchUp()
    return takeBoundary(log, this.#environment, host, () => {
      this.#checkResultsIn()
      return {
        circumstances: this.#circumstances(host),
        draft: (decision) => this.#draft(decision, host),
        turn: (decision) => new BoundaryTurn(this.id, fold, fold.entries, decision, this.#recordAnswer),
      }
    })
  }

  #draft(decision: Decision, host: H | undefined): EventDraft<M> | null {
    const { fold } = this.#log
    const promoted = fold.inbox.map((input) => input.revision)
    if (decision.type === 'epoch') {
      const view = fold.nextView(fold.head + 1, decision.compacts)
      return epochDraft(this.#log, this.#environment, host, decision, { promoted, view })
    }
    if (decision.type === 'none' && promoted.length === 0) return null
    return boundaryDraft(this.#log, decision, { promoted })
  }

  #circumstances(host: H | undefined): Circumstances {
    const { fold } = this.#log
    const environment = this.#environment
    const { id } = this
    return {
      admits: fold.inbox.length > 0 || (fold.entries.length > 0 && !fold.endsWithAnswer),
      inToolLoop: () => fold.inToolLoop,
      rewritten: false,
      instructionsChanged: () => environment.instructionsChanged(id, host, fold.epoch?.instructions),
    }
  }

  readonly #recordAnswer: AnswerRecorder<M> = async (turn, messages, options = {}) => {
    const admitted = this.#admit(messages)
    if (
      this.#environment.format.kind(admitted[0]!) !== 'assistant' ||
      admitted.some((message) => this.#environment.format.kind(message) === 'user')
    ) {
      throw new MessageInvalidError(
        `An answer in session ${JSON.stringify(this.id)} must begin with an assistant message and hold no user message. ` +
          'Submit inputs with submit().',
      )
    }
    const usage = options.usage === undefined ? {} : { usage: admitUsage(options.usage) }
    const { fold } = this.#log
    return this.#record('answer', options.id, admitted, (id) => {
      if (fold.revision !== turn) throw new TurnSupersededError(this.id, turn, fold.revision)
      this.#checkToolResults(admitted)
      return { type: 'answer', id, epoch: fold.epoch!.number, turn, messages: admitted, ...usage }
    })
  }

  async compact({ summary, through }: { summary: readonly M[]; through: number }): Promise<void> {
    const admitted = this.#admit(summary)
    this.#checkSummary(admitted)
    const { fold } = this.#log
    await this.#log.catchUp()
    await this.#log.append(() => {
      const last = fold.compaction?.through ?? fold.epoch?.view.through ?? 0
      if (fold.epoch === null) {
        throw new CompactionInvalidError(
          `Session ${JSON.stringify(this.id)} has had no turn yet: there is nothing to compact.`,
        )
      }
      if (!Number.isInteger(through) || through < 1 || through > fold.head) {
        throw new CompactionInvalidError(
          `Revision ${through} of session ${JSON.stringify(this.id)} is not written; the newest is ${fold.head}.`,
        )
      }
      if (through < last) {
        throw new CompactionInvalidError(
          `Revision ${through} precedes the last compaction, which reaches revision ${last}.`,
        )
      }
      const parted = fold.openCallsThrough(through)
      if (parted.length > 0) {
        throw new CompactionInvalidError(
          `Revision ${through} would part the tool calls ${parted.join(', ')} from their results. ` +
            'Compact through a revision before the calls, or after all of their results.',
        )
      }
      return { type: 'compaction', epoch: fold.epoch.number, summary: admitted, through }
    })
  }

  move(): Promise<void> {
    return recordMove(this.#log)
  }

  refused(refusal: Refusal): Promise<void> {
    return recordRefusal(this.#log, refusal, 'session')
  }

  async fork(id: string, options: { at?: number } = {}): Promise<Session<M, H>> {
    const child = new KeptSession(id, this.#environment)
    await this.#log.catchUp()
    await forkLog(this.#log, child.id, 'session', options.at)
    return child
  }

  async *events(options: { after?: number } = {}): AsyncGenerator<SessionEvent<M>> {
    await this.#log.catchUp()
    yield* this.#log.events(options.after ?? 0)
  }

  verify(): Promise<Verification> {
    return verifyLog(this.#log)
  }

  /**
   * Records something once: under a new id, or under the given one, where the same content again gives the receipt of the
   * first time, even when the draft would no longer be legal: a retry after success is no mistake.
   */
  async #record<T extends Recorded>(
    kind: T,
    given: string | undefined,
    content: readonly M[],
    draft: (id: string) => EventDraft<M> & { readonly type: T },
  ): Promise<Receipt> {
    const id = given === undefined ? this.#environment.createId() : checkId('An id', given)
    await this.#log.catchUp()
    let recorded: SessionEvent<M> | PurgedEvent | undefined
    try {
      recorded = (await this.#log.append(() => draft(id)))?.event
    } catch (error) {
      const earlier = given === undefined ? null : await this.#log.find(kind, id)
      if (earlier === null) throw error
      recorded = earlier
    }
    if (!sameContent(this.#environment.format, recorded!, content)) throw new InputConflictError(kind, id)
    return { id, revision: recorded!.revision }
  }

  #admit(messages: readonly M[]): readonly M[] {
    if (!Array.isArray(messages) || messages.length === 0) {
      throw new MessageInvalidError(
        `Session ${JSON.stringify(this.id)} was given no messages. Pass an array of at least one.`,
      )
    }
    const admitted = messages.map((message) => admitMessage(this.#environment.format, message))
    checkMessages(this.#environment.format, admitted)
    return Object.freeze(admitted)
  }

  #checkResultsIn(): void {
    const calls = this.#log.fold.openCalls
    if (calls.length > 0) throw new ToolResultsPendingError(this.id, calls, this.#log.fold.unsettled, 'kept')
  }

  /** Each tool result must answer a call that is open where it comes: a provider refuses a request with any other. */
  #checkToolResults(messages: readonly M[]): void {
    callsLeftOpen(this.#environment.format, this.#log.fold.unsettled, messages, (open) => {
      throw new ToolResultUnexpectedError(this.id, open)
    })
  }

  #checkSummary(summary: readonly M[]): void {
    const open = callsLeftOpen(this.#environment.format, [], summary, () => {
      throw new CompactionInvalidError(
        'The summary holds a tool result without its call. Leave it out, or tell it in words.',
      )
    })
    if (open.length > 0) {
      throw new CompactionInvalidError(
        `The summary lacks the results of the tool calls ${open.join(', ')}. Leave the calls out, or add their results.`,
      )
    }
  }
}

function sameContent<M>(format: Format<M>, recorded: SessionEvent<M> | PurgedEvent, content: readonly M[]): boolean {
  if (recorded.type === 'purged') {
    return recorded.digest === contentDigest(content.map((message) => encodeMessage(format, message)))
  }
  const messages = 'messages' in recorded ? recorded.messages : 'message' in recorded ? [recorded.message] : []
  const textOf = (message: M): string => canonicalJson(encodeMessage(format, message))
  return messages.length === content.length && messages.every((one, index) => textOf(one) === textOf(content[index]!))
}
