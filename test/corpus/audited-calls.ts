/** The calls of one recording as the audit has them: recorded, linked, and played through the simulator of their scope. */
import type { Exchange } from '../../src/audit/exchange.ts'
import { Recorder } from '../../src/audit/record/recorder.ts'
import { Linker } from '../../src/audit/streams/linker.ts'
import type { LinkedTurn } from '../../src/audit/streams/types.ts'
import { judge } from '../../src/audit/verdicts/judge.ts'
import type { CountTokens } from '../../src/cache/index.ts'
import type { Prediction } from '../../src/cache/simulator/types.ts'

/** One call. */
export interface AuditedCall {
  readonly exchange: Exchange
  readonly linked: LinkedTurn
  /** Made before anything was known of its own answer; null where it could not be played. */
  readonly prediction: Prediction | null
}

/** Audits the calls of one recording, and gives one for each. */
export type Audit = (exchanges: readonly Exchange[]) => readonly AuditedCall[]

/** The audit with a counter of tokens; guesses by length unless given. Each recording has a cache of its own. */
export function auditWith(countTokens?: CountTokens): Audit {
  return (exchanges) => {
    const recorder = new Recorder({ countTokens })
    const linker = new Linker()
    const calls = exchanges.map((exchange) => ({ exchange, linked: linker.add(recorder.record(exchange)) }))
    const { verdicts } = judge(linker.finish(), { countTokens: recorder.countTokens })
    return calls.map(({ exchange, linked }) => ({
      exchange,
      linked,
      prediction: verdicts.get(linked.turn.number)?.prediction ?? null,
    }))
  }
}
