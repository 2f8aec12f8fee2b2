/**
 * The two kinds of reports, made into buckets that do not overlap.
 *
 * - **Disjoint** (Anthropic, Bedrock): the fields are the buckets, and their sum is the total.
 * - **Inclusive** (nearly all others): the total contains what was read and written; the rest is uncached.
 *
 * Where both `total` and `uncached` come out, `read + writes + uncached` is `total`. The odd case is an inclusive report
 * whose total leaves out the cached tokens after all: gateways and exporters do that. It is corrected only where the
 * numbers leave no other reading: more was read than there is input, or the grand total counts the cached tokens on top.
 */
import type { Usage, UsageAnomaly } from '../../base/usage.ts'
import { sum } from './fields.ts'
import type { WriteTtl } from './reader.ts'

/** Tokens written to the cache, by lifetime. */
export interface Writes {
  readonly write5m?: number | undefined
  readonly write30m?: number | undefined
  readonly write1h?: number | undefined
}

/** All of `tokens` as writes of one lifetime. */
export function writesOf(tokens: number | undefined, ttl: WriteTtl): Writes {
  if (tokens === undefined) return {}
  return ttl === '1h' ? { write1h: tokens } : ttl === '30m' ? { write30m: tokens } : { write5m: tokens }
}

/** Tokens written, whatever the lifetime. */
export function written({ write5m, write30m, write1h }: Writes): number | undefined {
  return sum(write5m, write30m, write1h)
}

interface Disjoint {
  readonly uncached: number | undefined
  readonly read: number | undefined
  readonly writes: Writes
}

/** Input of a report whose fields are the buckets. Without the uncached tokens the total is not known. */
export function disjoint({ uncached, read, writes }: Disjoint): Usage {
  return tidy({
    total: uncached === undefined ? undefined : sum(uncached, read, written(writes)),
    uncached,
    read,
    ...writes,
  })
}

interface Inclusive {
  readonly total: number | undefined
  readonly read: number | undefined
  readonly writes: Writes
  /** Misses, where they are reported on their own. */
  readonly missed?: number | undefined
  /** All input and output, where it is reported: tells whether the total contains the cached tokens. */
  readonly grandTotal?: number | undefined
  readonly output?: number | undefined
  /** The provider leaves fields out that are 0, so no read is none rather than an unknown one. */
  readonly omitsZero?: boolean
  /** The source is known to have counted by disjoint fields before it was exported. */
  readonly fromDisjoint?: boolean
}

/** Input of a report whose total contains what was read and written. */
export function inclusive(report: Inclusive): { usage: Usage; anomalies: UsageAnomaly[] } {
  const { read, writes, missed } = report
  const total = report.total ?? (missed === undefined ? undefined : sum(missed, read, written(writes)))
  const cached = sum(read, written(writes))
  if (total === undefined) return { usage: tidy({ read, ...writes }), anomalies: [] }
  if (cached === undefined) {
    const uncached = report.omitsZero === true ? total : undefined
    return { usage: tidy({ total, uncached }), anomalies: [] }
  }
  if (excludesCached(report, total, cached)) {
    const message = `The reported input is ${total} tokens without the ${cached} that were read or written; the total is their sum, ${total + cached}.`
    return {
      usage: tidy({ total: total + cached, uncached: total, read, ...writes }),
      anomalies: [{ type: 'total-excludes-cached', message }],
    }
  }
  if (cached > total) {
    const message = `${cached} tokens were read or written out of a reported input of ${total}; the total is left out.`
    return { usage: tidy({ read, ...writes }), anomalies: [{ type: 'cached-exceeds-total', message }] }
  }
  const uncached = total - cached
  const anomalies: UsageAnomaly[] = []
  if (missed !== undefined && missed !== uncached) {
    const message = `${missed} tokens were reported as missed, but ${cached} of ${total} leave ${uncached}, which is used.`
    anomalies.push({ type: 'uncached-differs', message })
  }
  // A read that is not reported may still be one: what is left is then not known to be uncached.
  const known = read !== undefined || report.omitsZero === true
  return { usage: tidy({ total, uncached: known ? uncached : undefined, read, ...writes }), anomalies }
}

function excludesCached({ read, grandTotal, output, fromDisjoint }: Inclusive, total: number, cached: number): boolean {
  if (cached === 0) return false
  if (read !== undefined && read > total) return true
  if (fromDisjoint === true && cached > total) return true
  return grandTotal !== undefined && output !== undefined && grandTotal === total + cached + output
}

/** Without the buckets that are not there, so that a usage has no keys without a value. */
function tidy(usage: Usage): Usage {
  const tidied: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(usage)) if (value !== undefined) tidied[name] = value
  return tidied
}

/** `usage` with what is found besides the input. */
export function complete(usage: Usage, more: Omit<Usage, 'anomalies'>, anomalies: readonly UsageAnomaly[]): Usage {
  return tidy({ ...usage, ...more, anomalies: anomalies.length === 0 ? undefined : anomalies })
}
