/**
 * Indelible keeps the start of an LLM conversation byte-for-byte the same, and tells the model about changes by appending.
 *
 * This entry holds typed context sources and sessions over an event store; it imports no `node:` module.
 */
export { IndelibleError } from './base/error.ts'
export type { IndelibleErrorCode } from './base/error.ts'
export type { Json } from './base/json.ts'
export type { Usage } from './base/usage.ts'
export {
  absent,
  combine,
  ContextRegistry,
  defineSource,
  DuplicateSourceError,
  initialize,
  InitializationBlockedError,
  reconcile,
  RendererError,
  replace,
  SourceInvalidError,
  unavailable,
} from './context/index.ts'
export type {
  Authority,
  BoundaryOptions,
  Change,
  Codec,
  Context,
  EpochStart,
  LoadOptions,
  Observed,
  Reconciliation,
  Snapshot,
  SnapshotEntry,
  SourceDefinition,
  StaleSource,
  Update,
  UpdatePart,
} from './context/index.ts'
export {
  CompactionInvalidError,
  createSessions,
  EventUnreadableError,
  HistoryRewrittenError,
  IdInvalidError,
  InputConflictError,
  MessageInvalidError,
  NotSupportedError,
  OptionInvalidError,
  plainFormat,
  SessionDeletedError,
  SessionExistsError,
  SessionModeError,
  StoreUnusableError,
  ToolInvalidError,
  ToolResultsPendingError,
  ToolResultUnexpectedError,
  TurnSupersededError,
} from './session/index.ts'
export type {
  AdmittedUpdate,
  Entry,
  EpochCause,
  EventStore,
  Format,
  HeldTool,
  HistoryMark,
  HostSession,
  MessageOrigin,
  PlainMessage,
  Problem,
  Receipt,
  Refusal,
  Session,
  SessionEvent,
  Sessions,
  SessionsOptions,
  SessionSummary,
  SnapshotAdvance,
  StoredEvent,
  StoredSession,
  Tool,
  ToolChanges,
  Turn,
  TurnTools,
  TurnView,
  Verification,
  View,
} from './session/index.ts'
export { memoryStore } from './store/memory.ts'
