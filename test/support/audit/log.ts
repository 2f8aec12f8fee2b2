/**
 * A log as somebody's own client writes it, and its audit. Usage is what the provider's rules come to for the requests of
 * the log, by the simulator, unless a call says what was reported instead: a miss of the provider, a client that counts
 * wrong, a header that the provider leaves out of its cache.
 */
import { audit, type AuditOptions, type AuditReport } from '../../../src/audit/index.ts'
import { createSimulator, guessTokens, type PredictedUsage, type Simulator } from '../../../src/cache/index.ts'
import { answerOf, apis, type Api } from './apis.ts'

/** One call of a log. */
export interface Call {
  readonly body: object
  /** Seconds since {@link logStart}. */
  readonly at: number
  /** Seconds until it was answered; 4 unless given. */
  readonly took?: number
  /** What the provider caches of the body, where that is not all of it. */
  readonly cached?: object
  /** What is reported in place of what the rules come to; null where nothing is. */
  readonly reported?: (usage: PredictedUsage) => PredictedUsage | null
  /** The whole answer, where it is not the usual one. */
  readonly response?: unknown
  readonly status?: number
  /** Where it was sent, if not to the API's own address. */
  readonly url?: string
  readonly headers?: Readonly<Record<string, string>>
  /** What the log has besides, as ids of its own. */
  readonly record?: Readonly<Record<string, unknown>>
}

/** How the log was kept. */
export interface LogOptions {
  readonly api?: Api
  /** False for a log that does not say when calls were made. */
  readonly timed?: boolean
  /** False for a log without addresses and headers. */
  readonly addressed?: boolean
  readonly audit?: AuditOptions
}

/** When the logs of tests begin, a Monday: milliseconds since the epoch. */
export const logStart: number = Date.UTC(2026, 10, 2, 9, 0, 0)

/** What a client of Anthropic sends along. */
const usualHeaders = { 'x-api-key': 'sk-ant-api03-one', 'anthropic-version': '2023-06-01' }

/** Audits a log of calls. */
export function auditOf(calls: readonly Call[], options: LogOptions = {}): Promise<AuditReport> {
  return auditLogs([{ calls, options }], options.audit)
}

/** Audits several logs together, each a file. */
export function auditLogs(
  logs: readonly { readonly calls: readonly Call[]; readonly options?: LogOptions }[],
  options: AuditOptions = {},
): Promise<AuditReport> {
  const files = logs.map(({ calls, options: kept }, index) => ({
    name: `log-${index}.jsonl`,
    lines: linesOf(calls, kept),
  }))
  return auditLines(files, options)
}

/** Audits files that are there as lines. */
export function auditLines(
  files: readonly { readonly name: string; readonly lines: readonly string[] }[],
  options: AuditOptions = {},
): Promise<AuditReport> {
  const logs = files.map(({ name, lines }) => ({ name, open: () => bytesOf(lines) }))
  return audit(logs, { countTokens: guessTokens, includeText: true, now: new Date('2026-12-01'), ...options })
}

/** The lines of a log. */
export function linesOf(calls: readonly Call[], options: LogOptions = {}): readonly string[] {
  const { api = 'anthropic', timed = true, addressed = true } = options
  const usages = usagesOf(calls, api)
  return calls.map((call, index) => {
    const { body, at, took = 4, headers, url = apis[api].url, status = 200, response, record } = call
    const usage = usages[index]
    return JSON.stringify({
      ...(timed && {
        startedAt: new Date(logStart + at * 1000).toISOString(),
        endedAt: new Date(logStart + (at + took) * 1000).toISOString(),
      }),
      request: { ...(addressed && { url, headers: { ...usualHeaders, ...headers } }), body },
      response: { status, body: response ?? answerOf(api, index, body, usage ?? undefined) },
      ...record,
    })
  })
}

/** By call; null where none is reported. The calls are played in the order of time, each key and address with a cache of its own. */
function usagesOf(calls: readonly Call[], api: Api): readonly (PredictedUsage | null)[] {
  const caches = new Map<string, Simulator>()
  const usages: (PredictedUsage | null)[] = calls.map(() => null)
  for (const [index, call] of [...calls.entries()].sort(([, one], [, other]) => one.at - other.at)) {
    const { body, at, took = 4, cached = body, reported, status = 200, response, url, headers } = call
    if (status >= 400 || response !== undefined || url?.includes('count_tokens') === true) continue
    const key = JSON.stringify([url ?? null, headers?.['x-api-key'] ?? null])
    const cache = caches.get(key) ?? createSimulator({ provider: apis[api].provider, countTokens: guessTokens })
    caches.set(key, cache)
    const startedAt = logStart + at * 1000
    const { usage } = cache.send(cached, { startedAt, endedAt: startedAt + took * 1000 })
    usages[index] = reported === undefined ? usage : reported(usage)
  }
  return usages
}

async function* bytesOf(lines: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const line of lines) yield new TextEncoder().encode(`${line}\n`)
}
