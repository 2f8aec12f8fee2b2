/** Sessions: durable conversations whose prefix is never rewritten. */
export { createSessions } from './sessions.ts'
export { plainFormat } from './plain-format.ts'
export type { PlainMessage } from './plain-format.ts'
export {
  CompactionInvalidError,
  EventUnreadableError,
  HistoryRewrittenError,
  IdInvalidError,
  InputConflictError,
  MessageInvalidError,
  NotSupportedError,
  OptionInvalidError,
  SessionDeletedError,
  SessionExistsError,
  SessionModeError,
  StoreUnusableError,
  ToolInvalidError,
  ToolResultsPendingError,
  ToolResultUnexpectedError,
  TurnSupersededError,
} from './errors.ts'
export type { EventStore, StoredEvent, StoredSession } from './store.ts'
export type {
  AdmittedUpdate,
  Entry,
  EpochCause,
  Format,
  HeldTool,
  HistoryMark,
  HostSession,
  MessageOrigin,
  Problem,
  Receipt,
  Refusal,
  Session,
  SessionEvent,
  Sessions,
  SessionsOptions,
  SessionSummary,
  SnapshotAdvance,
  Tool,
  ToolChanges,
  Turn,
  TurnTools,
  TurnView,
  Verification,
  View,
} from './types.ts'
