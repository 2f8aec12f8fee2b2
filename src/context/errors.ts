/**
 * The errors of this layer: three mistakes of an application, and {@link InitializationBlockedError}, which may pass.
 */
import { IndelibleError } from '../base/error.ts'
import type { StaleSource } from './types.ts'

/** A definition that cannot work, found where it is made: a source's, or a producer's registration. */
export class SourceInvalidError extends IndelibleError {
  /** The key as it was given. */
  readonly key: string

  constructor(key: string, problem: string) {
    super('source_invalid', problem)
    this.key = key
  }
}

/** Two sources of one context, or two producers of one registry, share a key. */
export class DuplicateSourceError extends IndelibleError {
  /** The key that is there twice. */
  readonly key: string

  constructor(key: string, problem: string) {
    super('source_duplicate', problem)
    this.key = key
  }
}

/** A renderer threw, or returned what cannot be sent. Nothing was stored. `cause` is what it threw. */
export class RendererError extends IndelibleError {
  /** The key of the source. */
  readonly key: string
  /** The member of the definition that failed. */
  readonly renderer: 'baseline' | 'update' | 'removed'

  constructor(
    key: string,
    renderer: 'baseline' | 'update' | 'removed',
    problem: string,
    options?: { cause?: unknown },
  ) {
    super('renderer_failed', `The ${renderer} renderer of source '${key}' ${problem}`, options)
    this.key = key
    this.renderer = renderer
  }
}

/**
 * The first context could not be loaded. Nothing was stored; the same call may succeed later. `cause` is the first
 * error in `stale`.
 */
export class InitializationBlockedError extends IndelibleError {
  /** The required sources that could not be observed, in context order, then the registry keys of failed producers. */
  readonly keys: readonly string[]
  /** Why, and beside them the sources that could not be observed and are not required. */
  readonly stale: readonly StaleSource[]

  constructor(keys: readonly string[], stale: readonly StaleSource[], problem: string) {
    const cause = stale.find(({ error }) => error !== undefined)?.error
    super('initialization_blocked', problem, cause === undefined ? {} : { cause })
    this.keys = keys
    this.stale = stale
  }
}
