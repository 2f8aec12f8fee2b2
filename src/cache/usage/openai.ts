/**
 * Usage of the OpenAI APIs and of all that follow them: Azure, OpenRouter, Qwen, DeepSeek, xAI, Kimi, Groq, Mistral, GLM,
 * MiniMax, vLLM. Responses and Chat differ in names only.
 *
 * The total contains what was read and written. OpenAI writes live 30 minutes; where a gateway answers for Claude, or
 * writes under the names of Anthropic's fields, they are Anthropic's. The odd case is xAI, whose completion tokens leave
 * out the reasoning: the grand total tells.
 */
import type { Usage, UsageAnomaly } from '../../base/usage.ts'
import { parseModel } from '../model.ts'
import { readWrites } from './anthropic.ts'
import { complete, inclusive, writesOf, type Writes } from './buckets.ts'
import { at, count, firstCount, sum, text, type Fields } from './fields.ts'
import type { ReadOptions, Report, UsageReader } from './reader.ts'
import { reportedCost } from './reported-cost.ts'

// Beside `input_tokens` these mean that the fields are disjoint, whatever else a gateway adds to them.
const anthropicNames = ['cache_read_input_tokens', 'cache_creation_input_tokens', 'cache_creation']

/** Reader of Responses and Chat Completions. */
export const openaiUsage: UsageReader = {
  recognises: (usage) =>
    ['prompt_tokens', 'completion_tokens', 'prompt_cache_hit_tokens', 'input_tokens_details'].some(
      (name) => name in usage,
    ) ||
    ('input_tokens' in usage && 'total_tokens' in usage && !anthropicNames.some((name) => name in usage)),
  read(reports, options): Usage {
    const report = reports.at(-1) ?? reports[0]
    const { usage } = report
    const anomalies: UsageAnomaly[] = []
    const details = at(usage, 'prompt_tokens_details') ?? at(usage, 'input_tokens_details')
    const { output, reasoning } = readOutput(usage, anomalies)
    const input = inclusive({
      total: firstCount(usage['prompt_tokens'], usage['input_tokens']),
      read: firstCount(
        at(details, 'cached_tokens'),
        usage['prompt_cache_hit_tokens'],
        usage['cached_tokens'],
        usage['cache_read_input_tokens'],
      ),
      writes: writesIn(report, details, options, anomalies),
      missed: count(usage['prompt_cache_miss_tokens']),
      grandTotal: count(usage['total_tokens']),
      output,
    })
    const more = { output, reasoning, cost: reportedCost(usage), raw: usage }
    return complete(input.usage, more, [...input.anomalies, ...anomalies])
  },
}

function writesIn(
  { carrier, usage }: Report,
  details: unknown,
  options: ReadOptions,
  anomalies: UsageAnomaly[],
): Writes {
  const written = count(at(details, 'cache_write_tokens'))
  if (written === undefined) {
    // Qwen has Anthropic's fields in the details, LiteLLM beside them.
    const inDetails =
      at(details, 'cache_creation_input_tokens') !== undefined || at(details, 'cache_creation') !== undefined
    return readWrites(inDetails ? (details as Fields) : usage, options, anomalies)
  }
  const longer = count(at(details, 'cache_write_tokens_details', 'ttl_12h_tokens')) ?? 0
  if (longer > 0) {
    const message = `${longer} of ${written} tokens were written for 12 hours; they count as written for 30 minutes.`
    anomalies.push({ type: 'write-lifetime-unknown', message })
  }
  const model = options.model ?? text(carrier['model']) ?? text(at(carrier, 'response', 'model'))
  const claude = model !== undefined && parseModel(model) !== undefined
  return writesOf(written, options.ttl ?? (claude ? '5m' : '30m'))
}

function readOutput(usage: Fields, anomalies: UsageAnomaly[]): Pick<Usage, 'output' | 'reasoning'> {
  const output = firstCount(usage['completion_tokens'], usage['output_tokens'])
  const reasoning = firstCount(
    at(usage, 'completion_tokens_details', 'reasoning_tokens'),
    at(usage, 'output_tokens_details', 'reasoning_tokens'),
  )
  const input = firstCount(usage['prompt_tokens'], usage['input_tokens'])
  const all = count(usage['total_tokens'])
  if (reasoning === undefined || reasoning === 0 || all === undefined || all !== sum(input, output, reasoning)) {
    return { output, reasoning }
  }
  const message = `The reported output of ${output ?? 0} tokens leaves out ${reasoning} of reasoning, which the total of ${all} counts; they were added.`
  anomalies.push({ type: 'output-excludes-reasoning', message })
  return { output: sum(output, reasoning), reasoning }
}
