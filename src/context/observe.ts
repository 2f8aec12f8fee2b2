/**
 * Reading sources: the only effects of this layer, each loader called once per boundary, all of them at the same
 * time.
 *
 * An {@link Observation} holds copies. A value is compared or copied the moment its own loader yields it, so that
 * what its owner does to it later changes nothing. It says nothing about any snapshot: the one passed in is a hint
 * that saves a copy where the value turns out to equal it, and the same observation can be reconciled with a newer
 * one.
 */
import { canonicalCopy, equalsJson, freezeDeep } from '../base/json.ts'
import type { Json } from '../base/json.ts'
import { isThenable, settleAll } from './settle.ts'
import type { Wait } from './settle.ts'
import { contentsOf } from './source.ts'
import type { ContextContents, Source } from './source.ts'
import { absent, unavailable } from './types.ts'
import type { BoundaryOptions, Context, LoadOptions, Snapshot, StaleSource } from './types.ts'

/** What a boundary knows before it reads. */
export interface ObserveOptions<H = unknown> extends BoundaryOptions<H> {
  /** The snapshot that the observation will most likely be reconciled with. */
  readonly snapshot?: Snapshot
  /** `true`: an epoch starts, so sources of `refresh: 'epoch'` are read too. */
  readonly epoch?: boolean
}

/** What the sources of a context held at one boundary. */
export interface Observation<H = unknown> {
  readonly context: ContextContents<H>
  readonly options: ObserveOptions<H>
  /** By index of the source; `undefined` while a source of `refresh: 'epoch'` has not been read. */
  readonly readings: (Reading | undefined)[]
}

/** What one source yielded; a value is frozen, or the snapshot's own. */
export type Reading = Json | typeof absent | Unobserved

/** Why a source yielded no value. */
export class Unobserved {
  readonly reason: StaleSource['reason']
  readonly error: unknown

  constructor(reason: StaleSource['reason'], error?: unknown) {
    this.reason = reason
    this.error = error
  }
}

/**
 * Reads the sources of `context`. Returns the observation itself, no promise, when every loader was synchronous:
 * awaiting would cost such a boundary more than reading does.
 */
export function observe<H>(
  context: Context<H>,
  options: ObserveOptions<H> = {},
): Observation<H> | Promise<Observation<H>> {
  const contents = contentsOf(context)
  const readings = new Array<Reading | undefined>(contents.sources.length).fill(undefined)
  return read({ context: contents, options, readings }, options.epoch === true)
}

/**
 * Reads what {@link observe} left out, because it turned out that an epoch starts: sources of `refresh: 'epoch'`.
 * Fills in the same observation, so that no source is read twice, and returns it.
 */
export function completeObservation<H>(observation: Observation<H>): Observation<H> | Promise<Observation<H>> {
  return read(observation, true)
}

function read<H>(observation: Observation<H>, epoch: boolean): Observation<H> | Promise<Observation<H>> {
  const { context, options, readings } = observation
  const deadlines: Deadline<H>[] = []
  let pending: PendingRead<H>[] | undefined
  for (const [index, source] of context.sources.entries()) {
    if (readings[index] !== undefined || (source.refresh === 'epoch' && !epoch)) continue
    const deadline = deadlineOf(source, deadlines, options)
    try {
      const yielded = source.load(deadline.options)
      if (isThenable(yielded)) {
        pending ??= []
        pending.push(new PendingRead(observation, index, yielded, deadline))
      } else {
        readings[index] = take(source, yielded, options.snapshot)
      }
    } catch (error) {
      readings[index] = new Unobserved('error', error)
    }
  }
  return pending === undefined ? observation : settleAll(pending).then(() => observation)
}

const UNAVAILABLE = new Unobserved('unavailable')
const TIMED_OUT = new Unobserved('timeout')

function take<H>(source: Source<H>, yielded: unknown, snapshot: Snapshot | undefined): Reading {
  if (yielded === absent) return absent
  if (yielded === unavailable) return UNAVAILABLE
  try {
    const encoded = source.codec.encode(yielded)
    const told = snapshot?.[source.key]
    return told !== undefined && equalsJson(encoded, told.value) ? told.value : freezeDeep(canonicalCopy(encoded))
  } catch (error) {
    return new Unobserved('error', error)
  }
}

/** The read of a source whose loader has yet to yield. */
class PendingRead<H> implements Wait {
  readonly result: PromiseLike<unknown>
  readonly timeoutMs: number
  readonly #observation: Observation<H>
  readonly #index: number
  readonly #deadline: Deadline<H>

  constructor(observation: Observation<H>, index: number, result: PromiseLike<unknown>, deadline: Deadline<H>) {
    this.result = result
    this.timeoutMs = deadline.timeoutMs
    this.#observation = observation
    this.#index = index
    this.#deadline = deadline
  }

  resolved(value: unknown): void {
    const { context, options, readings } = this.#observation
    readings[this.#index] = take(context.sources[this.#index]!, value, options.snapshot)
  }

  rejected(error: unknown): void {
    this.#observation.readings[this.#index] = new Unobserved('error', error)
  }

  expired(): void {
    this.#observation.readings[this.#index] = TIMED_OUT
    this.#deadline.abort()
  }
}

/** The sources of one boundary that have the same time limit share what they are passed, and so the signal. */
interface Deadline<H> {
  readonly timeoutMs: number
  readonly options: LoadOptions<H>
  abort(): void
}

function deadlineOf<H>(source: Source<H>, deadlines: Deadline<H>[], options: ObserveOptions<H>): Deadline<H> {
  for (const deadline of deadlines) if (deadline.timeoutMs === source.timeoutMs) return deadline
  const deadline = createDeadline(source.timeoutMs, options)
  deadlines.push(deadline)
  return deadline
}

function createDeadline<H>(timeoutMs: number, { session, host }: ObserveOptions<H>): Deadline<H> {
  // Most loaders never look at their signal, and a controller costs as much as reading several sources.
  let controller: AbortController | undefined
  return {
    timeoutMs,
    options: {
      get signal() {
        controller ??= new AbortController()
        return controller.signal
      },
      ...(session !== undefined && { session }),
      ...(host !== undefined && { host }),
    },
    abort() {
      controller ??= new AbortController()
      controller.abort(new DOMException(`Not read within ${timeoutMs} ms`, 'TimeoutError'))
    },
  }
}
