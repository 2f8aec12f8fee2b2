/**
 * The same conversation where every change is rendered into the system prompt again, played beside the one that was kept:
 * both through empty simulators that nothing is reported to, so that their tokens are of one measure.
 *
 * The stand-in for the context rendered anew is the baseline with the text of the newest update behind it: about as long as
 * what would have been rendered, and changed exactly when an update is admitted. It is kind to the other way: a change
 * really comes where its source stands, and loses what follows it.
 */
import { createSimulator } from '../cache/index.ts'
import type { PredictedUsage, PricedRequest, Simulator, SimulatorOptions, UnknownPrice } from '../cache/index.ts'
import type { Tool, TurnTools, TurnView } from '../session/index.ts'
import { withBaseline } from '../session/replay.ts'
import { costOf, sumCosts, type PriceSettings } from './cost.ts'
import { send, type Sent } from './expectation.ts'
import type { AnewEstimate, NoEstimate, Played } from './types.ts'

/** One request in both ways. */
interface Pair {
  readonly revision: number
  readonly kept: PlayedRequest
  readonly anew: PlayedRequest
}

interface PlayedRequest {
  readonly usage: PredictedUsage
  readonly cost: PricedRequest | UnknownPrice
}

export class AnewPlay {
  readonly #kept: Simulator
  readonly #anew: Simulator
  readonly #prices: PriceSettings
  readonly #pairs: Pair[] = []

  constructor(options: SimulatorOptions, prices: PriceSettings) {
    this.#kept = createSimulator(options)
    this.#anew = createSimulator(options)
    this.#prices = prices
  }

  /** Plays an answered turn as it was sent, and with `body` in the other way. Throws `RequestUnreadableError`. */
  play(sent: Sent, body: unknown): void {
    const kept = this.#request(this.#kept, sent)
    const anew = this.#request(this.#anew, { ...sent, body })
    this.#pairs.push({ revision: sent.turn.revision, kept, anew })
  }

  #request(simulator: Simulator, sent: Sent): PlayedRequest {
    const { usage, model } = send(simulator, sent)
    const cost = costOf({ ...usage, output: 0 }, sent.model ?? model ?? null, sent.turn.at, this.#prices)
    return { usage, cost }
  }

  /** Sums over the turns after a revision. */
  estimate(after: number): AnewEstimate | NoEstimate {
    const own = this.#pairs.filter(({ revision }) => revision > after)
    if (own.length === 0) return { type: 'none', reason: 'no turn was answered' }
    const kept = sumPlayed(own.map((pair) => pair.kept))
    const anew = sumPlayed(own.map((pair) => pair.anew))
    const priced = kept.cost.unpriced + anew.cost.unpriced === 0
    return {
      type: 'estimate',
      turns: own.length,
      kept,
      anew,
      saved: {
        tokens: processedOf(anew) - processedOf(kept),
        amount: priced ? anew.cost.amount! - kept.cost.amount! : null,
      },
    }
  }
}

/** The turn as it would have been if the context were rendered into the system prompt at each change. */
export function renderedAnew<M>(view: TurnView<M>, toolId: (tool: Tool) => string): TurnView<M> {
  const updates = view.entries.filter((entry) => entry.type === 'update')
  if (updates.length === 0) return view
  const newest = updates.findLast(({ text }) => text !== '')
  const texts = [view.baseline, newest?.text ?? ''].filter((text) => text !== '')
  const entries = view.entries.filter((entry) => entry.type === 'message')
  const tools =
    view.tools &&
    withCurrent(
      view.tools,
      updates.flatMap(({ tools: changed }) => changed?.added ?? []),
      toolId,
    )
  return { ...withBaseline(view, texts.join('\n\n')), entries, update: null, tools }
}

/** The tools that may be called, each as it was defined last. */
function withCurrent(told: TurnTools, added: readonly Tool[], toolId: (tool: Tool) => string): TurnTools {
  const current = new Map([...told.definitions, ...added].map((tool): [string, Tool] => [toolId(tool), tool]))
  const definitions = told.callable.flatMap((id): readonly Tool[] => {
    const tool = current.get(id)
    return tool === undefined ? [] : [tool]
  })
  return { ...told, definitions }
}

function sumPlayed(requests: readonly PlayedRequest[]): Played {
  const sum = (count: (usage: PredictedUsage) => number): number =>
    requests.reduce((total, { usage }) => total + count(usage), 0)
  return {
    tokens: {
      total: sum(({ total }) => total),
      read: sum(({ read }) => read),
      written: sum(({ write5m, write30m, write1h }) => write5m + write30m + write1h),
      uncached: sum(({ uncached }) => uncached),
    },
    cost: sumCosts(requests.map(({ cost }) => cost)),
  }
}

function processedOf({ tokens }: Played): number {
  return tokens.written + tokens.uncached
}
