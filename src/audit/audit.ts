/**
 * An audit from end to end: calls out of logs, streams out of calls, what differs between neighbours while their texts
 * are at hand; then, once all is read, verdicts, culprits, what fixing them would be worth, and the report.
 */
import type { CountTokens, PriceTable } from '../cache/index.ts'
import { ChangeFinder } from './changes/change-finder.ts'
import { counterfactuals, type UpdatePolicy } from './counterfactuals/counterfactuals.ts'
import { readLogs } from './read/read-log.ts'
import type { LogFile, Unread } from './read/types.ts'
import { Recorder } from './record/recorder.ts'
import { assemble } from './report/assemble.ts'
import { priceOf } from './report/rates.ts'
import type { AuditInput, AuditReport } from './report/types.ts'
import { Linker } from './streams/linker.ts'
import type { Stream } from './streams/types.ts'
import { Comparisons } from './verdicts/comparisons.ts'
import { judge } from './verdicts/judge.ts'

/** How to audit. All of it may be left out. */
export interface AuditOptions {
  /** Bytes read so far, of all files, and the file that is being read. */
  readonly onProgress?: ((bytes: number, file: string) => void) | undefined
  /** Texts of the logs are shown; keys never are. Without it, only values of a known type are. */
  readonly includeText?: boolean | undefined
  /** `values`: a repaired value is told when it changes, clocks and ids are not. `all`: these too. */
  readonly updates?: UpdatePolicy | undefined
  /** Whose rules hold, as the simulator names providers, where a log does not tell. */
  readonly provider?: string | undefined
  /** The model, where neither bodies nor logs name it. */
  readonly model?: string | undefined
  /** Guesses by length unless given. */
  readonly countTokens?: CountTokens | undefined
  /** In place of the package's own. */
  readonly prices?: PriceTable | undefined
  /** Today; without it, announced prices count as prices. */
  readonly now?: Date | undefined
  /** Of the package, for the report. */
  readonly version?: string | undefined
  /** Goes into the hashes of texts, and into those of credentials; random unless given. */
  readonly salt?: string | undefined
  readonly secret?: string | undefined
}

/**
 * Audits logs. Rejects with an `IndelibleError` (`log_unreadable`) where no call can be read at all; everything less is
 * in the report's `unread`.
 */
export async function audit(
  files: AsyncIterable<LogFile> | Iterable<LogFile>,
  options: AuditOptions = {},
): Promise<AuditReport> {
  const { prices, updates = 'values', now, version = '0' } = options
  const { salt = crypto.randomUUID(), includeText = false } = options
  const { inputs, unread, streams, finder, comparisons, countTokens } = await readAll(files, options)
  const judgement = judge(streams, { countTokens, comparisons })
  const { verdicts, confusion } = judgement
  const changes = finder.finish(streams, { verdicts })
  const { byStream, total } = counterfactuals(
    { streams, judgement, changes },
    { countTokens, updates, priceOf: priceOf(prices) },
  )
  return assemble(
    { inputs, unread, streams, verdicts, confusion, changes, counterfactuals: byStream, total },
    { version, prices, now, salt, includeText },
  )
}

/** What is left when all is read: a function of its own, so that what only reading needs is let go of before the rest begins. */
interface ReadLogs {
  readonly inputs: readonly AuditInput[]
  readonly unread: readonly Unread[]
  readonly streams: readonly Stream[]
  readonly finder: ChangeFinder
  readonly comparisons: Comparisons
  /** The recorder's. */
  readonly countTokens: CountTokens
}

async function readAll(
  files: AsyncIterable<LogFile> | Iterable<LogFile>,
  { countTokens, provider, model, onProgress, secret }: AuditOptions,
): Promise<ReadLogs> {
  const unread: Unread[] = []
  const inputs: AuditInput[] = []
  const recorder = new Recorder({ countTokens, provider, model })
  const linker = new Linker()
  const finder = new ChangeFinder()
  const comparisons = new Comparisons()
  const reading = readLogs(files, {
    onProgress,
    secret,
    onUnread: (problem) => void unread.push(problem),
    onInput: (input) => void inputs.push(input),
  })
  for await (const exchange of reading) {
    const linked = linker.add(recorder.record(exchange))
    comparisons.add(linked)
    finder.add(linked)
  }
  recorder.end()
  return { inputs, unread, streams: linker.finish(), finder, comparisons, countTokens: recorder.countTokens }
}
