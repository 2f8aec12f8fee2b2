/**
 * Rendering a whole context: the start of an epoch, from what was observed or, to replace a context, from what was
 * told too.
 */
import { decodeReading } from './decode.ts'
import type { Decoded } from './decode.ts'
import { InitializationBlockedError } from './errors.ts'
import { Unobserved } from './observe.ts'
import type { Observation, Reading } from './observe.ts'
import { admit, renderBaseline, unfiltered } from './render.ts'
import type { RenderedTextFilter } from './render.ts'
import { toSnapshot, vanishedKeys } from './snapshot.ts'
import { staleProducers, staleSource } from './stale.ts'
import { absent } from './types.ts'
import type { EpochStart, Reconciliation, Snapshot, SnapshotEntry, StaleSource } from './types.ts'
import { joinTexts } from './update.ts'

/** A context rendered again, or the sources that kept it from being so. */
export type Replacement = Extract<Reconciliation, { type: 'replacement-ready' | 'replacement-blocked' }>

/**
 * The first context, or one after which nothing that was told before counts. Needs a complete observation. Throws
 * {@link InitializationBlockedError} when a required source, or a registry producer, could not be read, and for what is
 * `missing` besides.
 */
export function startFrom<H>(
  observation: Observation<H>,
  filter: RenderedTextFilter = unfiltered,
  missing: readonly StaleSource[] = [],
): EpochStart & { readonly stale: readonly StaleSource[] } {
  const decoded: Decoded[] = []
  const stale: StaleSource[] = []
  const blocking: StaleSource[] = []
  for (const [index, source] of observation.context.sources.entries()) {
    const reading = readingAt(observation, index)
    if (reading === absent) continue
    const found = decodeReading(source, reading)
    if (found instanceof Unobserved) {
      const unread = staleSource(source.key, found)
      stale.push(unread)
      if (source.required) blocking.push(unread)
    } else {
      decoded.push(found)
    }
  }
  stale.push(...missing)
  blocking.push(...missing)
  // What a failed producer would have brought may be required: nobody knows.
  const producers = staleProducers(observation.context.failures, {}, [])
  if (blocking.length > 0 || producers.length > 0) {
    throw blocked(blocking, producers, [...stale, ...producers])
  }
  return { ...renderContext(decoded, filter), stale }
}

/**
 * The context rendered again, for a model that was told `snapshot`. A source that could not be observed is rendered
 * from what was told of it, and blocks the replacement where that no longer decodes. Needs a complete observation.
 * Throws `RendererError`.
 */
export function replaceFrom<H>(
  observation: Observation<H>,
  snapshot: Snapshot,
  filter: RenderedTextFilter = unfiltered,
  reason = 'a replacement was asked for',
): Replacement {
  const decoded: Decoded[] = []
  const stale: StaleSource[] = []
  const blocking: string[] = []
  for (const [index, source] of observation.context.sources.entries()) {
    const reading = readingAt(observation, index)
    if (reading === absent) continue
    const found = decodeReading(source, reading)
    if (!(found instanceof Unobserved)) {
      decoded.push(found)
      continue
    }
    const told = snapshot[source.key]
    stale.push(staleSource(source.key, found, told))
    // Never told: it is left out, required or not, and told when it can be read.
    if (told === undefined) continue
    const kept = decodeReading(source, told.value)
    if (kept instanceof Unobserved) blocking.push(source.key)
    else decoded.push(kept)
  }
  const vanished = vanishedKeys(observation.context, snapshot)
  const producers = staleProducers(observation.context.failures, snapshot, vanished)
  stale.push(...producers)
  // Of what a failed producer contributed, nobody has the renderers.
  blocking.push(...producers.filter(({ told }) => told !== undefined).map(({ key }) => key))
  if (blocking.length > 0) return { type: 'replacement-blocked', keys: blocking, stale }
  return { type: 'replacement-ready', start: renderContext(decoded, filter), reason, stale }
}

function blocked(
  sources: readonly StaleSource[],
  producers: readonly StaleSource[],
  stale: readonly StaleSource[],
): InitializationBlockedError {
  const missing = [
    ...sources.map((source) => `source ${describe(source)}`),
    ...producers.map((producer) => `registry producer ${describe(producer)}`),
  ]
  return new InitializationBlockedError(
    [...sources, ...producers].map(({ key }) => key),
    stale,
    'The first context could not be loaded, so nothing was stored; try again when these can be read: ' +
      missing.join(', '),
  )
}

const REASONS = { unavailable: 'unavailable', timeout: 'timed out', error: 'failed' } as const

function describe({ key, reason, error }: StaleSource): string {
  return `'${key}' (${REASONS[reason]}${error instanceof Error ? `: ${error.message}` : ''})`
}

function readingAt<H>({ context, readings }: Observation<H>, index: number): Reading {
  const reading = readings[index]
  if (reading === undefined) {
    throw new TypeError(
      `Source '${context.sources[index]!.key}' was not read: an epoch starts from a complete observation`,
    )
  }
  return reading
}

function renderContext(decoded: readonly Decoded[], filter: RenderedTextFilter): EpochStart {
  const entries = new Map<string, SnapshotEntry>()
  const texts = decoded.map((one) => {
    const text = renderBaseline(one, filter)
    entries.set(one.source.key, admit(one, filter))
    return text
  })
  return { baseline: joinTexts(texts), snapshot: toSnapshot(entries) }
}
