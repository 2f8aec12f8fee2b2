/** What a session throws on purpose. Each message says what happened, to what, and what to do. */
import { IndelibleError } from '../base/error.ts'

/** A session kept by the host was opened as one that Indelible keeps, or the other way round. */
export class SessionModeError extends IndelibleError {
  constructor(session: string, mode: 'session' | 'host') {
    super(
      'session_mode',
      mode === 'host'
        ? `Session ${quote(session)} was started with attach(): its history lives with the host. Use attach(), or another id.`
        : `Session ${quote(session)} was started with open(): Indelible keeps its history. Use open(), or another id.`,
    )
  }
}

/** A fork was asked to take an id that has events already. */
export class SessionExistsError extends IndelibleError {
  constructor(session: string) {
    super('session_exists', `Session ${quote(session)} exists already. Fork to an id that has never been used.`)
  }
}

/** The session was deleted while this object still held it, or purged beyond all that this object had read. */
export class SessionDeletedError extends IndelibleError {
  constructor(session: string, how: 'deleted' | 'purged' = 'deleted') {
    super(
      'session_deleted',
      how === 'deleted'
        ? `Session ${quote(session)} was deleted. Open the id again to start a new conversation.`
        : `Session ${quote(session)} went on elsewhere, and what this object had read of it was purged. ` +
            'Open the id again to go on with the conversation.',
    )
  }
}

/** `createSessions` was given an option that it does not know, or none that it needs. */
export class OptionInvalidError extends IndelibleError {
  constructor(message: string) {
    super('option_invalid', message)
  }
}

/** A tool list that cannot be frozen: something in it is no tool, has no id, or has the id of another. */
export class ToolInvalidError extends IndelibleError {
  constructor(message: string, options?: { cause?: unknown }) {
    super('tool_invalid', message, options)
  }
}

/** An id that no store can hold. */
export class IdInvalidError extends IndelibleError {
  constructor(what: string, id: unknown) {
    super(
      'id_invalid',
      `${what} must be a string of 1 to 512 characters without control characters or lone surrogates, but is ` +
        `${typeof id === 'string' ? quote(id.slice(0, 80)) : typeof id}.`,
    )
  }
}

/** A message, or where it was put, is not one that the session can keep. */
export class MessageInvalidError extends IndelibleError {
  constructor(message: string, options?: { cause?: unknown }) {
    super('message_invalid', message, options)
  }
}

/** An id was used again with other content. */
export class InputConflictError extends IndelibleError {
  readonly id: string
  readonly kind: 'input' | 'append' | 'answer'
  constructor(kind: 'input' | 'append' | 'answer', id: string) {
    super(
      'input_conflict',
      `The ${kind} ${quote(id)} was recorded before with other content. Use a new id for new content.`,
    )
    this.kind = kind
    this.id = id
  }
}

/** Tool calls of the last answer still lack their results, so there is no legal request yet. */
export class ToolResultsPendingError extends IndelibleError {
  /** Ids of the tool calls, in order. */
  readonly calls: readonly string[]
  /** The messages that hold them, in the host's own type: all that is needed to run the tools, also after a restart. */
  readonly messages: readonly unknown[]
  constructor(session: string, calls: readonly string[], messages: readonly unknown[], history: 'kept' | 'hosted') {
    super(
      'tool_results_pending',
      `Session ${quote(session)} waits for the results of ${calls.map(quote).join(', ')}. ` +
        (history === 'kept'
          ? 'Append them (an error result will do), then take the turn again. Nothing was promoted.'
          : 'Put them into the history (an error result will do), then take the turn again. Nothing was stored.'),
    )
    this.calls = calls
    this.messages = messages
  }
}

/** A tool result that answers no open call: a provider would refuse the request. */
export class ToolResultUnexpectedError extends IndelibleError {
  constructor(session: string, open: readonly string[]) {
    super(
      'tool_result_unexpected',
      `A tool result appended to session ${quote(session)} answers no open tool call` +
        `${open.length > 0 ? ` (open: ${open.map(quote).join(', ')})` : ''}. ` +
        'Append each result once; give the append an id to make a retry harmless.',
    )
  }
}

/** The conversation moved on since the turn, or past the revision that an append named. */
export class TurnSupersededError extends IndelibleError {
  /** The revision that was asked for, and the one that stands. */
  readonly expected: number
  readonly actual: number
  constructor(session: string, expected: number, actual: number) {
    super(
      'turn_superseded',
      `Session ${quote(session)} moved on: revision ${expected} was meant, ${actual} stands. ` +
        'Nothing was recorded. Take a new turn and ask the model again.',
    )
    this.expected = expected
    this.actual = actual
  }
}

/** A compaction that would leave an illegal or contradictory conversation. */
export class CompactionInvalidError extends IndelibleError {
  constructor(message: string) {
    super('compaction_invalid', message)
  }
}

/** The host's history no longer extends what the model has answered to. */
export class HistoryRewrittenError extends IndelibleError {
  /** Index of the first message that is not what it was. */
  readonly index: number
  /** The canonical JSON of the message then and now, where this process still holds the old one. */
  readonly before: string | undefined
  readonly after: string | undefined
  constructor(
    session: string,
    index: number,
    details: { before: string | undefined; after: string | undefined; blocking: readonly string[] },
  ) {
    const gone = details.after === undefined ? ': it is gone' : ''
    super(
      'history_rewritten',
      `The history of session ${quote(session)} was rewritten at message ${index}, which the model has answered to${gone}. ` +
        (details.blocking.length > 0
          ? `A new epoch cannot start while ${details.blocking.join(', ')} cannot be observed; try again later.`
          : "Replay it as it was sent, or pass onRewrite: 'epoch' to start a new epoch from the new history."),
    )
    this.index = index
    this.before = details.before
    this.after = details.after
  }
}

/** A stored event that this release cannot read. */
export class EventUnreadableError extends IndelibleError {
  readonly revision: number
  constructor(session: string, revision: number, problem: string, options?: { cause?: unknown }) {
    super(
      'event_unreadable',
      `Event ${revision} of session ${quote(session)} cannot be read: ${problem}. ` +
        'Nothing was changed; run verify() for the whole picture.',
      options,
    )
    this.revision = revision
  }
}

/** The store is closed, or its file is not what it should be. */
export class StoreUnusableError extends IndelibleError {
  constructor(message: string, options?: { cause?: unknown }) {
    super('store_unusable', message, options)
  }
}

/** A call that this kind of session does not take. */
export class NotSupportedError extends IndelibleError {
  constructor(message: string) {
    super('not_supported', message)
  }
}

function quote(text: string): string {
  return JSON.stringify(text)
}
