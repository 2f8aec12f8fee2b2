/**
 * The one error family of Indelible. Every error that we throw on purpose is an `IndelibleError` with a `code`
 * from the list below, data that a program can read, and a message that says what happened, to what, and what to do.
 */

/**
 * Every code, in the order of the layers that throw them. A test pins this list: codes are part of the public
 * surface.
 */
export type IndelibleErrorCode =
  | 'source_invalid'
  | 'source_duplicate'
  | 'renderer_failed'
  | 'initialization_blocked'
  | 'session_mode'
  | 'session_exists'
  | 'session_deleted'
  | 'id_invalid'
  | 'message_invalid'
  | 'input_conflict'
  | 'tool_invalid'
  | 'tool_results_pending'
  | 'tool_result_unexpected'
  | 'turn_superseded'
  | 'compaction_invalid'
  | 'history_rewritten'
  | 'event_unreadable'
  | 'store_unusable'
  | 'request_unreadable'
  | 'request_invalid'
  | 'answer_invalid'
  | 'prices_unreadable'
  | 'log_unreadable'
  | 'option_invalid'
  | 'not_supported'

// Two copies of the package in one program still recognise each other's errors.
const brand = Symbol.for('indelible.error')

/** Base of every error that Indelible throws on purpose. */
export class IndelibleError extends Error {
  /** What went wrong, stable across releases. */
  readonly code: IndelibleErrorCode

  static {
    Object.defineProperty(this.prototype, brand, { value: true })
  }

  constructor(code: IndelibleErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.name = new.target.name
    this.code = code
  }

  /** True for an `IndelibleError` of this or any other copy of the package; with `code`, of that code only. */
  static isInstance(error: unknown, code?: IndelibleErrorCode): error is IndelibleError {
    return (
      typeof error === 'object' &&
      error !== null &&
      (error as { [brand]?: unknown })[brand] === true &&
      (code === undefined || (error as IndelibleError).code === code)
    )
  }
}
