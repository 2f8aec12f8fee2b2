/**
 * A report on a session: its log replayed turn by turn, each held against what was reported for it, what the rules of the
 * provider's cache would have made of it, and what the conversation would have come to without Indelible.
 *
 * Pure but for reading the log, and the sources where a context is given: the same log and options give the same report.
 */
import type { SimulatorOptions } from '../cache/index.ts'
import { replayTurns } from '../session/replay.ts'
import { toolIds } from '../session/tools.ts'
import type { Replayable, ReplayedTurn } from '../session/replay.ts'
import type { Format, SessionEvent, Tool } from '../session/index.ts'
import { AnewPlay, renderedAnew } from './anew.ts'
import { Expectation, type Sent } from './expectation.ts'
import { believe, noBelief, stalenessOf } from './staleness.ts'
import { anomaliesOf, totalsOf, turnReport, type PlayedTurn } from './turns.ts'
import type { NoEstimate, ReportAnomaly, ReportOptions, SessionReport, TurnReport } from './types.ts'

/**
 * Says what a session cost, what its cache read and should have read, what was saved against rendering the context anew,
 * and what the model was last told. Reads the whole log; with `context`, the sources, too, outside of any boundary. Throws
 * `EventUnreadableError`, and what `lower` throws.
 *
 * ```ts
 * import { createSessions, defineSource, memoryStore } from 'indelible'
 * import { anthropicFormat, toAnthropicMessages } from 'indelible/anthropic'
 * import { readUsage } from 'indelible/cache'
 * import { report } from 'indelible/report'
 * import { z } from 'zod'
 *
 * let branch = 'main'
 * const context = defineSource({
 *   key: 'example/branch',
 *   codec: z.string(),
 *   load: () => branch,
 *   baseline: (current) => `The branch is ${current}.`,
 *   update: (_, current) => `The branch is now ${current}.`,
 * })
 * const session = createSessions({ store: memoryStore(), format: anthropicFormat, context }).open('review')
 *
 * await session.submit({ role: 'user', content: 'Which branch is this?' })
 * const turn = await session.turn()
 * const answer = { content: 'It is main.', usage: { input_tokens: 40, cache_read_input_tokens: 0, output_tokens: 6 } }
 * await turn.answer([{ role: 'assistant', content: answer.content }], { usage: readUsage(answer.usage) })
 *
 * branch = 'fix/cache'
 * const { totals, staleness } = await report(session, {
 *   provider: 'anthropic',
 *   lower: (past) => toAnthropicMessages(past, { model: 'claude-sonnet-4-5', max_tokens: 1024 }).body,
 *   context,
 * })
 * console.log(totals.hitRate, totals.cost.amount?.toFixed(5)) // => 0 0.00021
 * console.log(staleness[0]?.told?.value, staleness[0]?.now) // => main { state: 'changed', value: 'fix/cache' }
 * ```
 */
export async function report<M, H = unknown>(
  session: Replayable<M>,
  options: ReportOptions<M, H> = {},
): Promise<SessionReport> {
  const reading = new Reading(session.format, options)
  for await (const turn of replayTurns(reading.watch(session), options)) reading.take(turn)
  return reading.finish(session.id)
}

/** What has been learned of a session so far. */
class Reading<M, H> {
  readonly #options: ReportOptions<M, H>
  readonly #expectation: Expectation | null
  readonly #anew: AnewPlay | null
  readonly #toolId: (tool: Tool) => string
  readonly #turns: Omit<TurnReport, 'inherited'>[] = []
  /** Of the turns that asked something. */
  readonly #asking = new Set<number>()
  #notRebuilt = 0
  #hosted = false
  #belief = noBelief
  /** The last revision that a fork brought along. */
  #forkedThrough = 0

  constructor(format: Format<M>, options: ReportOptions<M, H>) {
    this.#options = options
    this.#toolId = toolIds(format)
    const played = simulatorOf(options)
    this.#expectation = played && new Expectation(played)
    this.#anew = played && new AnewPlay(played, options)
  }

  /** The session, its events looked at as they pass. */
  watch(session: Replayable<M>): Replayable<M> {
    return { id: session.id, format: session.format, events: () => this.#watched(session.events()) }
  }

  async *#watched(events: AsyncIterable<SessionEvent<M>>): AsyncGenerator<SessionEvent<M>> {
    for await (const event of events) {
      if (event.type === 'fork') this.#forkedThrough = event.through
      if (event.type === 'boundary' || event.type === 'epoch') this.#hosted = event.history !== undefined
      yield event
    }
  }

  take(turn: ReplayedTurn<M>): void {
    if (turn.view === null) this.#notRebuilt++
    if (turn.asks) this.#asking.add(turn.revision)
    this.#belief = believe(this.#belief, turn)
    this.#turns.push(turnReport(turn, this.#play(turn), this.#options))
  }

  #play(turn: ReplayedTurn<M>): PlayedTurn {
    const { lower, model: asked } = this.#options
    const { revision, epoch, at, view, answer } = turn
    const model = typeof asked === 'function' ? asked({ revision, epoch, at }) : asked
    const unplayed = { model: model ?? null, expected: null, shortfall: null }
    if (lower === undefined || view === null || answer === null || this.#expectation === null) return unplayed
    const sent: Sent = { turn, model, body: lower(view), hosted: this.#hosted }
    const played = this.#expectation.play(sent)
    this.#anew?.play(sent, lower(renderedAnew(view, this.#toolId)))
    return { ...played, model: model ?? played.model }
  }

  async finish(session: string): Promise<SessionReport> {
    const turns = this.#turns.map((turn) => ({ ...turn, inherited: turn.revision <= this.#forkedThrough }))
    return {
      schema: 'indelible.report/1',
      session,
      turns,
      totals: totalsOf(turns, this.#notRebuilt),
      anew: this.#anew?.estimate(this.#forkedThrough) ?? this.#noEstimate(),
      staleness: await stalenessOf(session, this.#belief, this.#options),
      anomalies: turns.flatMap((turn, index) => this.#anomalies(turn, index === turns.length - 1)),
    }
  }

  #anomalies(turn: TurnReport, isLast: boolean): readonly ReportAnomaly[] {
    if (turn.inherited) return []
    return anomaliesOf(turn, { asks: this.#asking.has(turn.revision), isLast })
  }

  #noEstimate(): NoEstimate {
    const missing = this.#options.lower === undefined ? 'lower' : 'provider'
    return { type: 'none', reason: `${missing} was not given` }
  }
}

function simulatorOf<M, H>({ provider, lower, simulator }: ReportOptions<M, H>): SimulatorOptions | null {
  return provider === undefined || lower === undefined ? null : { ...simulator, provider }
}
