/**
 * Usage of Gemini: `usageMetadata` of generateContent (in a stream, of the last chunk) and `usage` of Interactions.
 *
 * The total contains what was read; results of tools that ran on the server's side are input that is counted apart, as
 * thoughts are output that is. Counts of 0 are left out, so input without a read is uncached. The odd case is
 * Interactions, where the grand total tells whether those two are counted apart.
 */
import type { Usage } from '../../base/usage.ts'
import { complete, inclusive } from './buckets.ts'
import { count, firstCount, sum, type Fields } from './fields.ts'
import type { UsageReader } from './reader.ts'

/** Reader of generateContent and Interactions. */
export const geminiUsage: UsageReader = {
  recognises: (usage) =>
    ['promptTokenCount', 'totalTokenCount', 'candidatesTokenCount', 'total_input_tokens', 'total_output_tokens'].some(
      (name) => name in usage,
    ),
  read(reports): Usage {
    const { usage } = reports.at(-1) ?? reports[0]
    return 'total_input_tokens' in usage || 'total_output_tokens' in usage ? interaction(usage) : generated(usage)
  },
}

function generated(usage: Fields): Usage {
  const prompt = count(usage['promptTokenCount'])
  const reasoning = count(usage['thoughtsTokenCount'])
  const { usage: input, anomalies } = inclusive({
    total: prompt === undefined ? undefined : sum(prompt, count(usage['toolUsePromptTokenCount'])),
    read: count(usage['cachedContentTokenCount']),
    writes: {},
    omitsZero: true,
  })
  const answer = firstCount(usage['candidatesTokenCount'], usage['responseTokenCount'])
  return complete(input, { output: sum(answer, reasoning), reasoning, raw: usage }, anomalies)
}

function interaction(usage: Fields): Usage {
  const prompt = count(usage['total_input_tokens'])
  const answer = count(usage['total_output_tokens'])
  const reasoning = count(usage['total_thought_tokens'])
  const tools = count(usage['total_tool_use_tokens'])
  const all = count(usage['total_tokens'])
  const toolsApart = all !== undefined && all === sum(prompt, answer, reasoning, tools)
  const thoughtsInside = all !== undefined && all === sum(prompt, answer) && (reasoning ?? 0) > 0
  const { usage: input, anomalies } = inclusive({
    total: prompt !== undefined && toolsApart ? sum(prompt, tools) : prompt,
    read: count(usage['total_cached_tokens']),
    writes: {},
    omitsZero: true,
  })
  const output = thoughtsInside ? answer : sum(answer, reasoning)
  return complete(input, { output, reasoning, raw: usage }, anomalies)
}
