/**
 * What a way came to: tokens as the emulator reported them, dollars at list prices, the floor that the audit finds for the
 * same requests, and how many changes the model was told of.
 */
import { audit } from '../../src/audit/index.ts'
import { price, readUsage, type CountTokens } from '../../src/cache/index.ts'
import type { Exchange } from './play.ts'
import { told } from './told.ts'
import { MODEL, type Way } from './way.ts'

/** One way, as it is kept in the result. Dollars have as many decimals as the price of a token needs. */
export interface Row {
  readonly way: string
  readonly kind: Way['kind']
  readonly read: number
  readonly written: number
  readonly uncached: number
  readonly output: number
  readonly dollars: number
  /** What the audit says that the same requests could have cost at least. */
  readonly floor: number
  readonly told: number
  readonly changes: number
}

export async function account(way: Way, exchanges: readonly Exchange[], countTokens: CountTokens): Promise<Row> {
  const sum = { read: 0, written: 0, uncached: 0, output: 0, dollars: 0 }
  for (const { answer, at } of exchanges) {
    const usage = readUsage(answer, { format: 'anthropic', model: MODEL })
    const priced = price(usage, { model: MODEL, at })
    if (priced.type === 'unknown') throw new Error(priced.message)
    sum.read += known(usage.read)
    sum.written += known(usage.write5m) + known(usage.write1h)
    sum.uncached += known(usage.uncached)
    sum.output += known(usage.output)
    sum.dollars += priced.amount
  }
  const { name, kind } = way
  const floor = await floorOf(exchanges, countTokens)
  return { way: name, kind, ...sum, dollars: rounded(sum.dollars), floor: rounded(floor), ...told(exchanges) }
}

/** A figure that the emulator always reports. */
function known(count: number | undefined): number {
  if (count === undefined) throw new Error('An answer does not report all of its usage')
  return count
}

async function floorOf(exchanges: readonly Exchange[], countTokens: CountTokens): Promise<number> {
  const lines = exchanges.map(({ at, body, answer }) =>
    JSON.stringify({ started_at: at, provider: 'anthropic', request: { body }, response: answer }),
  )
  const log = new Blob([lines.join('\n')])
  const { streams, counterfactual } = await audit([{ name: 'requests.jsonl', open: () => log.stream() }], {
    countTokens,
    now: new Date(exchanges.at(-1)?.at ?? 0),
  })
  const [stream] = streams
  if (streams.length !== 1 || stream?.turns.length !== exchanges.length)
    throw new Error('The audit sees another conversation')
  if (counterfactual.floor.cost === null) throw new Error('The floor has no price')
  return counterfactual.floor.cost
}

function rounded(dollars: number): number {
  return Number(dollars.toFixed(7))
}
