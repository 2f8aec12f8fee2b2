/**
 * Exchanges on their way into the log. The end of an answer waits until its line is in the file: whoever has seen the
 * whole of an answer can rely on the log, even if the recorder is killed with the next breath.
 *
 * Long bodies take a moment to become text. When that is once too long, nobody waits for it again.
 */
import { BODY_LIMIT, Budget, Capture, TOTAL_LIMIT } from './capture.ts'
import type { Opening, Reply } from './line.ts'
import type { LineSink } from './log.ts'

/** Milliseconds that one answer waits for its line. */
const PATIENCE = 250

/** What exchanges of one run have in common. */
export interface RecorderOptions {
  readonly log: LineSink
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** Bytes of bodies that are held at one time. */
  readonly totalLimit?: number
  /** Bytes of one body that are kept. */
  readonly bodyLimit?: number
}

/** Counts and notes exchanges. */
export class Recorder {
  readonly #log: LineSink
  readonly #now: () => number
  readonly #bodyLimit: number
  readonly #budget: Budget
  #isSlow = false
  #count = 0
  #cut = 0

  constructor({ log, now, totalLimit = TOTAL_LIMIT, bodyLimit = BODY_LIMIT }: RecorderOptions) {
    this.#log = log
    this.#now = now
    this.#bodyLimit = bodyLimit
    this.#budget = new Budget(totalLimit)
  }

  /** Bodies of which the log has a part only. */
  get cut(): number {
    return this.#cut
  }

  /** Bytes that are free for bodies. */
  get free(): number {
    return this.#budget.left
  }

  /** A request has begun. */
  begin(opening: Omit<Opening, 'startedAt'>): Recording {
    const id = this.#count++
    const request = new Capture(this.#budget, this.#bodyLimit)
    const response = new Capture(this.#budget, this.#bodyLimit)
    const startedAt = this.#now()
    return new Recording(
      request,
      response,
      () => this.#log.begin({ id, opening: { ...opening, startedAt }, body: request.part() }),
      (reply, error) => {
        const ending = { endedAt: this.#now(), error }
        const written = this.#log.end({ id, reply, body: response.part(), ending })
        return this.#waitFor(written.then(() => this.#release([request, response])))
      },
    )
  }

  #release(bodies: readonly Capture[]): void {
    for (const body of bodies) {
      if (body.isCut) this.#cut++
      body.release()
    }
  }

  /** Resolves when the line is written, or is not waited for any longer. */
  async #waitFor(written: Promise<void>): Promise<void> {
    if (this.#isSlow) return
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(() => {
        this.#isSlow = true
        resolve()
      }, PATIENCE)
    })
    await Promise.race([written, late])
    clearTimeout(timer)
  }
}

/** One exchange while it goes on. */
export class Recording {
  readonly #request: Capture
  readonly #response: Capture
  readonly #begin: () => void
  readonly #finish: (reply: Reply | undefined, error: string | undefined) => Promise<void>
  #hasBegun = false
  #reply: Reply | undefined
  #end: Promise<void> | undefined

  constructor(
    request: Capture,
    response: Capture,
    begin: () => void,
    finish: (reply: Reply | undefined, error: string | undefined) => Promise<void>,
  ) {
    this.#request = request
    this.#response = response
    this.#begin = begin
    this.#finish = finish
  }

  /** A piece of the request. What comes after the end of the exchange is not noted. */
  sent(chunk: Uint8Array): void {
    if (!this.#hasBegun) this.#request.add(chunk)
  }

  /** The request is over, whole or not. */
  sentAll(): void {
    if (this.#hasBegun) return
    this.#hasBegun = true
    this.#begin()
  }

  replied(reply: Reply): void {
    this.#reply = reply
  }

  /** A piece of the response. */
  received(chunk: Uint8Array): void {
    if (this.#end === undefined) this.#response.add(chunk)
  }

  /** The exchange is over, by `error` where it was cut short; the first call counts. Resolves as its line is written. */
  end(error?: string): Promise<void> {
    this.sentAll()
    this.#end ??= this.#finish(this.#reply, error)
    return this.#end
  }
}
