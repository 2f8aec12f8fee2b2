/**
 * Usage of the Messages API, and of those that imitate it (Bedrock InvokeModel, Vertex, MiniMax).
 *
 * The input fields are disjoint. A stream reports twice: `message_start` has the input, and each `message_delta` repeats
 * what has grown since; the last value that is not null wins, field by field. The odd case is `iterations`: one entry per
 * sampling of the model on the server's side, a compaction among them, which the fields beside it do not count; the
 * entries are summed, except those of another model.
 */
import type { UsageAnomaly } from '../../base/usage.ts'
import { isSameModel } from '../model.ts'
import { complete, disjoint, writesOf, type Writes } from './buckets.ts'
import { at, count, fields, sum, text, type Fields } from './fields.ts'
import type { ReadOptions, Report, UsageReader } from './reader.ts'

/** Reader of the Messages API. */
export const anthropicUsage: UsageReader = {
  recognises: (usage) =>
    'cache_read_input_tokens' in usage ||
    'cache_creation_input_tokens' in usage ||
    'cache_creation' in usage ||
    'input_tokens' in usage ||
    'output_tokens' in usage,
  read(reports, options) {
    const usage = merge(reports)
    const started = reports.some(({ carrier }) => carrier['type'] === 'message_start')
    const ended = reports.some(({ carrier }) => carrier['type'] === 'message_delta')
    const anomalies: UsageAnomaly[] = []
    const model = servingModel(reports, options)
    const parts = iterations(usage, model, anomalies)
    const writes = parts.map((part) => readWrites(part, options, anomalies))
    const input = disjoint({
      uncached: sum(...parts.map((part) => count(part['input_tokens']))),
      read: sum(...parts.map((part) => count(part['cache_read_input_tokens']))),
      writes: {
        write5m: sum(...writes.map(({ write5m }) => write5m)),
        write30m: sum(...writes.map(({ write30m }) => write30m)),
        write1h: sum(...writes.map(({ write1h }) => write1h)),
      },
    })
    const truncated = started && !ended
    if (truncated) {
      const message = 'The stream has no message_delta; what message_start says of the output is not final.'
      anomalies.push({ type: 'stream-incomplete', message })
    }
    const output = truncated ? undefined : sum(...parts.map((part) => count(part['output_tokens'])))
    const reasoning = count(at(usage, 'output_tokens_details', 'thinking_tokens'))
    return complete(input, { output, reasoning, raw: usage }, anomalies)
  },
}

function merge(reports: readonly [Report, ...Report[]]): Fields {
  if (reports.length === 1) return reports[0].usage
  const merged: Record<string, unknown> = {}
  for (const { usage } of reports) {
    for (const [name, value] of Object.entries(usage)) {
      if (value !== null || !Object.hasOwn(merged, name)) merged[name] = value
    }
  }
  return merged
}

function servingModel(reports: readonly Report[], { model }: ReadOptions): string | undefined {
  if (model !== undefined) return model
  for (const { carrier } of reports) {
    const named = text(carrier['model']) ?? text(at(carrier, 'message', 'model'))
    if (named !== undefined) return named
  }
  return undefined
}

/** The objects to sum: the entries of the model that answered, or the usage itself where there are none. */
function iterations(usage: Fields, answered: string | undefined, anomalies: UsageAnomaly[]): readonly Fields[] {
  const list = usage['iterations']
  const entries = Array.isArray(list) ? list.map(fields).filter((entry) => entry !== undefined) : []
  if (entries.length === 0) return [usage]
  // A fallback's entry names the model that served, whatever was asked for.
  const fallback = entries.findLast((entry) => entry['type'] === 'fallback_message')
  const model = text(fallback?.['model']) ?? answered
  const own = entries.filter((entry) => {
    const named = text(entry['model'])
    const other =
      entry['type'] === 'advisor_message' || (named !== undefined && model !== undefined && !isSameModel(named, model))
    if (other) {
      const message = `An iteration of ${named ?? 'another model'} is left out: ${count(entry['input_tokens']) ?? 0} uncached input, ${count(entry['output_tokens']) ?? 0} output tokens.`
      anomalies.push({ type: 'other-model', message })
    }
    return !other
  })
  if (own.length === 0) return [usage]
  // With one iteration, what it leaves out is what stands beside it.
  return own.length === 1 && entries.length === 1 ? [{ ...usage, ...withoutNull(own[0] ?? {}) }] : own
}

function withoutNull(entry: Fields): Fields {
  return Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== null && value !== undefined))
}

/** Writes by lifetime, from the split where there is one. `cache_creation_input_tokens` is their sum. */
export function readWrites(usage: Fields, { ttl = '5m' }: ReadOptions, anomalies: UsageAnomaly[]): Writes {
  const all = count(usage['cache_creation_input_tokens'])
  const write5m = count(at(usage, 'cache_creation', 'ephemeral_5m_input_tokens'))
  const write1h = count(at(usage, 'cache_creation', 'ephemeral_1h_input_tokens'))
  const split = sum(write5m, write1h)
  if (split === undefined) return writesOf(all, ttl)
  if (all === undefined || all === split) return { write5m, write1h }
  const rest = all - split
  if (rest < 0) {
    const message = `${split} tokens written by lifetime, but ${all} in all; the lifetimes are used.`
    anomalies.push({ type: 'write-split-differs', message })
    return { write5m, write1h }
  }
  // Results of server tools are written for 5 minutes, and a stream's split is older than its sum.
  const message = `${split} tokens written by lifetime, but ${all} in all; the other ${rest} count as written for 5 minutes.`
  anomalies.push({ type: 'write-split-differs', message })
  return { write5m: (write5m ?? 0) + rest, write1h }
}
