/** Typed context sources: what the model is told about the world, and how it learns of changes. */
export { initialize, reconcile, replace } from './boundary.ts'
export { combine } from './combine.ts'
export { DuplicateSourceError, InitializationBlockedError, RendererError, SourceInvalidError } from './errors.ts'
export { ContextRegistry } from './registry.ts'
export { defineSource } from './source.ts'
export { absent, unavailable } from './types.ts'
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
} from './types.ts'
