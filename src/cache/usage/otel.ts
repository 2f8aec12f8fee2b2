/**
 * Usage in the attributes of an OpenTelemetry GenAI span: as a plain object, or as OTLP's list of keys and values.
 *
 * The total should contain what was read and written. Exporters for Anthropic often pass its own remainder on instead;
 * `inclusive` finds out. Attribute names have changed over time, so each has its older spellings.
 */
import type { Usage, UsageAnomaly } from '../../base/usage.ts'
import { parseModel } from '../model.ts'
import { complete, inclusive, writesOf } from './buckets.ts'
import { at, count, fields, firstCount, text, type Fields } from './fields.ts'
import type { UsageReader } from './reader.ts'

const prefix = 'gen_ai.usage.'

/** Reader of GenAI attributes. */
export const otelUsage: UsageReader = {
  recognises: (usage) => Object.keys(usage).some((name) => name.startsWith(prefix)),
  read(reports, { ttl, model }): Usage {
    const { usage } = reports.at(-1) ?? reports[0]
    const of = (...names: readonly string[]): number | undefined =>
      firstCount(...names.map((name) => usage[prefix + name]))
    const system = text(usage['gen_ai.provider.name']) ?? text(usage['gen_ai.system'])
    const named = model ?? text(usage['gen_ai.response.model']) ?? text(usage['gen_ai.request.model'])
    const claude = (named !== undefined && parseModel(named) !== undefined) || system === 'anthropic'
    const openai = !claude && system !== undefined && /openai/.test(system)
    const written = of(
      'cache_creation.input_tokens',
      'cache_write.input_tokens',
      'cache_creation_input_tokens',
      'cache_write_input_tokens',
    )
    const output = of('output_tokens', 'completion_tokens')
    const { usage: input, anomalies } = inclusive({
      total: of('input_tokens', 'prompt_tokens'),
      read: of('cache_read.input_tokens', 'cache_read_input_tokens', 'cached_tokens'),
      writes: writesOf(written, ttl ?? (openai ? '30m' : '5m')),
      grandTotal: firstCount(usage[`${prefix}total_tokens`], usage['llm.usage.total_tokens']),
      output,
      fromDisjoint: claude,
    })
    const reasoning = of('reasoning.output_tokens', 'reasoning_tokens')
    return complete(input, { output, reasoning, raw: usage }, anomalies satisfies UsageAnomaly[])
  },
}

/** Attributes as a plain object, from OTLP's list (`[{ key, value: { intValue } }]`) or as they are. */
export function attributes(value: unknown): Fields | undefined {
  if (!Array.isArray(value)) return fields(value)
  const entries = (value as readonly unknown[]).flatMap((item): [string, unknown][] => {
    const key = text(at(item, 'key'))
    const held = fields(at(item, 'value'))
    if (key === undefined || held === undefined) return []
    return [[key, firstCount(held['intValue'], held['doubleValue']) ?? held['stringValue']]]
  })
  return entries.length === 0 ? undefined : Object.fromEntries(entries)
}

/** True when there is a count among the attributes; used to tell them from other lists. */
export function hasCount(usage: Fields): boolean {
  return Object.entries(usage).some(([name, value]) => name.startsWith(prefix) && count(value) !== undefined)
}
