/**
 * Sources, and the contexts that they make up.
 *
 * `defineSource` hides a source's value type behind a {@link Context} of one, so that sources of any types compose.
 * Inside this layer a context is its {@link ContextContents}: the sources in order, and the producers that failed to
 * contribute.
 */
import type { StandardSchemaV1 } from '@standard-schema/spec'
import { toCodec } from './codec.ts'
import { SourceInvalidError } from './errors.ts'
import type { Authority, Codec, Context, LoadOptions, SourceDefinition } from './types.ts'

/** A source with its defaults filled in and its value type hidden. */
export interface Source<H = unknown> {
  readonly key: string
  readonly codec: Codec<unknown>
  readonly refresh: 'turn' | 'epoch'
  readonly required: boolean
  readonly authority: Authority
  readonly timeoutMs: number
  /** The registry key of the producer that contributed it. */
  readonly producer?: string
  load(options: LoadOptions<H>): unknown
  baseline(current: unknown): string
  update(previous: unknown, current: unknown): string
  removed?: (previous: unknown) => string
}

/** A producer that did not yield its context: what it contributed before is unavailable, not gone. */
export interface ProducerFailure {
  readonly producer: string
  readonly reason: 'timeout' | 'error'
  readonly error: unknown
}

/** What a {@link Context} holds. */
export interface ContextContents<H = unknown> {
  /** In the order of their texts; no two share a key. */
  readonly sources: readonly Source<H>[]
  readonly failures: readonly ProducerFailure[]
}

const DEFAULT_TIMEOUT_MS = 2000

// What a timer can hold; a longer delay would fire at once.
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1

const KEY = /^[a-z0-9][a-z0-9._-]*\/[a-z0-9][a-z0-9._/-]*$/

/** Hides the contents. */
export function toContext<H>(contents: ContextContents<H>): Context<H> {
  return contents as unknown as Context<H>
}

/** What is in a context. Throws a `TypeError` for what is none, which only untyped callers can pass. */
export function contentsOf<H>(context: Context<H>): ContextContents<H> {
  const contents = context as unknown as Partial<ContextContents<H>> | null | undefined
  if (!Array.isArray(contents?.sources) || !Array.isArray(contents.failures)) {
    throw new TypeError('Expected a context, which defineSource, combine and ContextRegistry.load make')
  }
  return contents as ContextContents<H>
}

/**
 * Makes a context of one source. Throws {@link SourceInvalidError} when the definition cannot work.
 *
 * ```ts
 * import { defineSource, initialize, reconcile } from 'indelible'
 * import { z } from 'zod'
 *
 * let branch = 'main'
 * const git = defineSource({
 *   key: 'example/branch',
 *   codec: z.string(),
 *   load: () => branch,
 *   baseline: (current) => `The branch is ${current}.`,
 *   update: (previous, current) => `The branch is now ${current}; it was ${previous}.`,
 * })
 *
 * const { baseline, snapshot } = await initialize(git)
 * console.log(baseline) // => The branch is main.
 *
 * branch = 'fix/cache'
 * const change = await reconcile(git, snapshot)
 * console.log(change.type === 'updated' && change.text) // => The branch is now fix/cache; it was main.
 * ```
 */
export function defineSource<A, H = unknown>(definition: SourceDefinition<A, H>): Context<H> {
  validate(definition)
  const { key, refresh = 'turn', required = true, authority = 'system', timeoutMs = DEFAULT_TIMEOUT_MS } = definition
  const source: Source<H> = {
    key,
    codec: toCodec(definition.codec) as Codec<unknown>,
    refresh,
    required,
    authority,
    timeoutMs: Math.min(timeoutMs, LONGEST_TIMEOUT_MS),
    load: (options) => definition.load(options),
    baseline: (current) => definition.baseline(current as A),
    update: (previous, current) => definition.update(previous as A, current as A),
    ...(definition.removed && { removed: (previous) => definition.removed!(previous as A) }),
  }
  return toContext({ sources: [source], failures: [] })
}

function validate<A, H>(definition: SourceDefinition<A, H>): void {
  const { key, codec, refresh, required, authority, timeoutMs } = definition
  if (typeof key !== 'string' || !KEY.test(key)) {
    throw new SourceInvalidError(
      key,
      `'${key}' is no key of a source: write namespace, slash and name, as in 'acme/branch', in a-z 0-9 . _ - /`,
    )
  }
  const fail = (problem: string): never => {
    throw new SourceInvalidError(key, `Source '${key}' ${problem}`)
  }
  if (!isCodec(codec)) fail('needs a codec: { encode, decode } or a Standard Schema validator')
  for (const name of ['load', 'baseline', 'update'] as const) {
    if (typeof definition[name] !== 'function') fail(`needs a function '${name}'`)
  }
  if (definition.removed !== undefined && typeof definition.removed !== 'function') {
    fail(`has a 'removed' that is not a function`)
  }
  if (refresh !== undefined && refresh !== 'turn' && refresh !== 'epoch') {
    fail(`has a 'refresh' other than 'turn' and 'epoch'`)
  }
  if (required !== undefined && typeof required !== 'boolean') fail(`has a 'required' that is not a boolean`)
  if (authority !== undefined && authority !== 'system' && authority !== 'user') {
    fail(`has an 'authority' other than 'system' and 'user'`)
  }
  if (timeoutMs !== undefined && !(Number.isFinite(timeoutMs) && timeoutMs > 0)) {
    fail(`has a 'timeoutMs' of ${String(timeoutMs)}: give milliseconds above 0`)
  }
}

function isCodec<A>(codec: Codec<A> | StandardSchemaV1<A> | null | undefined): boolean {
  if (codec === null || (typeof codec !== 'object' && typeof codec !== 'function')) return false
  return '~standard' in codec || (typeof codec.encode === 'function' && typeof codec.decode === 'function')
}
