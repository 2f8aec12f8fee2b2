/** What the demo must know about a provider: how its requests are built, who answers them, and how that is billed. */
import type { CountTokens, RequestFormat } from '../../../cache/index.ts'
import type { Billed } from '../bill.ts'
import type { Service } from '../service.ts'
import type { WaysOptions, Ways } from '../ways.ts'
import type { ProviderName } from './names.ts'

export interface Provider extends Billed {
  readonly name: ProviderName
  /** Of the bodies that arrive. */
  readonly format: RequestFormat
  /** Whose rules count the cache, by the name that the simulator has for them. */
  readonly simulator: string
  /** What all three ways do for the cache, and how sure its reads are; in one or two sentences. */
  readonly caching: string
  /** How many turns show what the cache does: a whole round of the script, or more where the first are too short for it. */
  readonly turns: number
  /** What ids of tool calls begin with. */
  readonly callPrefix: string
  /** Begins the conversation, in three ways. */
  open(options: WaysOptions): Ways
  /** Starts whoever answers. Rejects with `CommandError` where something must be installed for it. */
  start(clock: () => Date, countTokens: CountTokens): Promise<Service>
}

/** A round of the script. */
export const ROUND = 12

/** Of providers whose caches are written at marks. */
export const MARKS = 'All three mark for the cache whatever a later request could read.'
