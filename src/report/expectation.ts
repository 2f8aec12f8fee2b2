/**
 * What a provider's cache should have done with the turns of a session: their bodies played through a simulator that
 * learns from each report after it has made its own prediction.
 *
 * Only answered turns are played. Whether another was sent, nobody knows, and to expect a read of what was never written
 * would accuse the provider.
 */
import type { Usage } from '../base/usage.ts'
import { createSimulator } from '../cache/index.ts'
import type { Prediction, Simulator, SimulatorOptions } from '../cache/index.ts'
import type { ReplayedTurn } from '../session/replay.ts'
import type { Expected, Shortfall } from './types.ts'

/** An answered turn, when its request was made, and what was sent. */
export interface Sent {
  readonly turn: Pick<ReplayedTurn<unknown>, 'revision' | 'at' | 'quiet' | 'answer'>
  readonly model: string | undefined
  readonly body: unknown
  /** Where the host keeps the history, an answer's time is that of a later boundary, and says nothing. */
  readonly hosted: boolean
}

export class Expectation {
  readonly #simulator: Simulator
  /** By number of the request, from 1. */
  readonly #writers: Writer[] = []

  constructor(options: SimulatorOptions) {
    this.#simulator = createSimulator(options)
  }

  /** Plays a request, then learns from what was reported for it. Throws `RequestUnreadableError`. */
  play(sent: Sent): {
    readonly model: string | null
    readonly expected: Expected
    readonly shortfall: Shortfall | null
  } {
    const prediction = send(this.#simulator, sent)
    const { revision, at, answer } = sent.turn
    const reported = answer?.usage
    this.#writers[prediction.request] = { revision, at, reports: reported !== undefined }
    const shortfall = reported === undefined ? null : this.#shortfall(at, prediction, reported)
    if (reported !== undefined) this.#simulator.observe({ usage: reported.raw ?? rawOf(reported) }, prediction)
    const { usage, range, misses, estimated } = prediction
    return { model: prediction.model ?? null, expected: { usage, range, misses, estimated }, shortfall }
  }

  #shortfall(at: string, { range, estimated, hit }: Prediction, { read, total }: Usage): Shortfall | null {
    const writer = hit === null ? undefined : this.#writers[hit.writtenBy]
    // What a request left of which nothing was reported is a guess, and perhaps it never arrived.
    if (read === undefined || writer?.reports === false) return null
    const tokens = range.least - read
    const tolerance = estimated ? toleranceOf(range.least) : 0
    if (tokens <= tolerance) return null
    const writtenBy = writer?.revision ?? null
    if (total !== undefined && total < range.least - tolerance) {
      const message = `The whole input had ${total} tokens, less than the ${range.least} that should have been read: what was sent is not what lower makes of the turn.`
      return { tokens, reason: 'other-request', writtenBy, message }
    }
    const reason = read === 0 ? 'nothing-read' : 'older-entry'
    const left = writer === undefined ? '' : ` that turn ${writer.revision} left ${secondsFrom(writer.at, at)} s before`
    const message = `Read ${read} of the ${range.least} tokens${left}. By the provider's rules they were still cached: it had dropped them, or account, region or a parameter were others than the body says.`
    return { tokens, reason, writtenBy, message }
  }
}

/** A turn that may have left something in the cache. */
interface Writer {
  readonly revision: number
  readonly at: string
  /** Its usage is known. */
  readonly reports: boolean
}

/** A report that has lost the provider's own words, in those of one of them. */
function rawOf({ read, write5m, write30m, write1h, uncached, output }: Usage): object {
  const writes = [write5m, write30m, write1h].filter((tokens) => tokens !== undefined)
  return {
    input_tokens: uncached,
    cache_read_input_tokens: read,
    ...(writes.length > 0 && { cache_creation_input_tokens: writes.reduce((sum, tokens) => sum + tokens, 0) }),
    output_tokens: output,
  }
}

/** Plays a request at its time, as well as that is known. */
export function send(simulator: Simulator, { turn, model, body, hosted }: Sent): Prediction {
  return simulator.send(body, { ...timeOf(turn, hosted), model })
}

function timeOf({ at, quiet, answer }: Sent['turn'], hosted: boolean): Parameters<Simulator['send']>[1] {
  if (answer === null || hosted) return { startedAt: at }
  if (!quiet) return { startedAt: at, endedAt: answer.at }
  return { startedAt: answer.at, uncertainty: Math.max(0, Date.parse(answer.at) - Date.parse(at)) }
}

/** By how much an estimate of tokens may be off: a quarter where nothing like it was counted before, and a few in any case. */
function toleranceOf(tokens: number): number {
  return Math.max(64, tokens * 0.25)
}

function secondsFrom(earlier: string, later: string): number {
  return Math.round((Date.parse(later) - Date.parse(earlier)) / 1000)
}
