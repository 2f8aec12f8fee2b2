/**
 * What clients that log usage have spent, and what of it was paid for a second time: the readers and the verdicts of an
 * audit, without texts. Nothing is cut, counted or compared but usage, so it takes little more than reading the files.
 *
 * A turn that reads less than the turn before left in the cache has lost tokens. That is known from usage alone; why, is
 * known only where the log records a change, a compaction or the times. Turns before the span are not counted, and the
 * first ones in it are still held against them.
 */
import { guessTokens, recogniseFormat, type PriceTable } from '../../cache/index.ts'
import { field } from '../../cache/layout/peek.ts'
import type { Exchange } from '../exchange.ts'
import { providerFor } from '../provider-for.ts'
import { readLogs } from '../read/read-log.ts'
import type { LogFile, Unread } from '../read/types.ts'
import { Recorder } from '../record/recorder.ts'
import { generatorOf } from '../report/assemble.ts'
import type { LinkedTurn } from '../streams/types.ts'
import { judge } from '../verdicts/judge.ts'
import { Ledger } from './ledger.ts'
import { Parents } from './parents.ts'
import type { Grouping, SpendingReport, UnreadRecords } from './types.ts'

/** What to count, and how. */
export interface SpendingOptions {
  /** Milliseconds since the epoch: earlier turns are not counted. */
  readonly since: number
  readonly by?: Grouping | undefined
  /** Whose rules hold, and the model, where a log does not tell. */
  readonly provider?: string | undefined
  readonly model?: string | undefined
  /** In place of the package's own. */
  readonly prices?: PriceTable | undefined
  /** Bytes read so far, of all files, and the file that is being read. */
  readonly onProgress?: ((bytes: number, file: string) => void) | undefined
  /** Today. */
  readonly now?: Date | undefined
  /** Of the package, for the report. */
  readonly version?: string | undefined
}

/**
 * Sums up the turns in `files`. Rejects with an `IndelibleError` (`log_unreadable`) where no call can be read at all. Of a
 * call that stands in several files, the first file counts.
 */
export async function spending(
  files: AsyncIterable<LogFile> | Iterable<LogFile>,
  options: SpendingOptions,
): Promise<SpendingReport> {
  const { since, by, prices, now, version = '0', onProgress, ...fallback } = options
  const unread = new Map<Unread['kind'], UnreadRecords>()
  const ledger = new Ledger({ prices, by })
  let file = new FileTurns(fallback)
  const reading = readLogs(files, {
    onProgress,
    onUnread: (problem) => countUnread(unread, problem),
    // All turns of a file are in, so they can go.
    onInput: ({ format }) => {
      file.settle(ledger, format, since)
      file = new FileTurns(fallback)
    },
  })
  for await (const exchange of reading) file.add(exchange)
  const { range, ...summary } = ledger.summary()
  return {
    schema: 'indelible.spending/1',
    generator: generatorOf({ version, prices, now }),
    currency: 'USD',
    range: { since: new Date(since).toISOString(), ...range },
    ...summary,
    unread: [...unread.values()],
  }
}

/** What holds where a log does not tell. */
type Fallback = Pick<SpendingOptions, 'provider' | 'model'>

/** The turns of one file. */
class FileTurns {
  readonly #fallback: Fallback
  readonly #recorder: Recorder
  readonly #parents = new Parents()
  readonly #turns: LinkedTurn[] = []
  /** By model: all bodies of a file are of one client. */
  readonly #providers = new Map<string | undefined, string | undefined>()

  constructor(fallback: Fallback) {
    this.#fallback = fallback
    this.#recorder = new Recorder(fallback)
  }

  add(exchange: Exchange): void {
    if (exchange.kind !== 'generate') return
    const provider = exchange.provider ?? this.#fallback.provider ?? this.#providerOf(exchange)
    // Of a body only its usage is looked at.
    const turn = this.#recorder.record({ ...exchange, provider, request: undefined, requestText: undefined })
    this.#turns.push(this.#parents.link(turn, messagesIn(exchange.request)))
  }

  settle(ledger: Ledger, format: string | null, since: number): void {
    const stream = { id: '', parent: null, family: '', turns: this.#turns }
    const { verdicts } = judge([stream], { countTokens: guessTokens })
    for (const { turn } of this.#turns) {
      const { startedAt = since, endedAt = startedAt } = turn.exchange
      const verdict = verdicts.get(turn.number)
      if (verdict !== undefined && endedAt >= since) ledger.add(turn, verdict, format)
    }
  }

  /** Whose rules hold for a body. */
  #providerOf({ request, format, model = this.#fallback.model }: Exchange): string | undefined {
    if (request === undefined) return undefined
    if (!this.#providers.has(model)) {
      const known = format ?? recogniseFormat(request)
      this.#providers.set(model, known === undefined ? undefined : providerFor(known, model))
    }
    return this.#providers.get(model)
  }
}

function messagesIn(request: unknown): readonly unknown[] | undefined {
  const messages = field(request, 'messages') ?? field(request, 'input')
  return Array.isArray(messages) ? messages : undefined
}

/** A record that was read before is no problem: clients copy sessions that go on. */
function countUnread(unread: Map<Unread['kind'], UnreadRecords>, { kind, file, line, message }: Unread): void {
  if (kind === 'repeated' || kind === 'other-traffic') return
  const known = unread.get(kind)
  unread.set(kind, { kind, records: (known?.records ?? 0) + 1, first: known?.first ?? { file, line, message } })
}
