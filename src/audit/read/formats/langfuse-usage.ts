/**
 * `usage_details` of Langfuse, whose names follow the integration that reported them.
 *
 * Langfuse's own convention is that the parts do not overlap: `input` leaves out what other names with `input` or `cache`
 * in them count. Where the integration passed a provider's numbers on instead, so that `input` counts cached tokens in,
 * the total tells.
 */
import type { Usage } from '../../../base/usage.ts'
import { parseModel } from '../../../cache/model.ts'
import { count, sum, type Fields } from '../../../cache/usage/fields.ts'
import { readUsage } from '../../../cache/usage/read-usage.ts'

// The first that is there counts: older names are kept beside newer ones.
const inputNames = ['input', 'input_tokens', 'prompt_tokens', 'inputusage', 'inputtokens', 'prompttokens']
const outputNames = ['output', 'output_tokens', 'completion_tokens', 'outputusage', 'outputtokens', 'completiontokens']
const totalNames = ['total', 'total_tokens', 'totalusage', 'totaltokens']

/** Reads usage; undefined where no input was counted. */
export function langfuseUsage(reported: Fields | undefined, model: string | undefined): Usage | undefined {
  const raw = countsIn(reported ?? {})
  const first = (names: readonly string[]): number | undefined => raw[names.find((name) => name in raw) ?? '']
  const all = (belongs: (name: string) => boolean): number | undefined =>
    sum(
      ...Object.keys(raw)
        .filter(belongs)
        .map((name) => raw[name]),
    )
  const [input, output, total] = [first(inputNames), first(outputNames), first(totalNames)]
  if (input === undefined) return undefined
  const read = all(isRead)
  const writes = {
    write1h: all((name) => isWrite(name) && isHour(name)),
    other: all((name) => isWrite(name) && !isHour(name)),
  }
  const written = sum(writes.write1h, writes.other)
  const cached = sum(read, written)
  const isInclusive = cached === undefined || (cached > 0 && cached <= input && total === input + (output ?? 0))
  if (isInclusive) {
    const details = { cached_tokens: read, cache_write_tokens: written }
    return {
      ...readUsage({ prompt_tokens: input, completion_tokens: output, prompt_tokens_details: details }, { model }),
      raw,
    }
  }
  const isMore = (name: string, of: string, names: readonly string[]): boolean =>
    name.startsWith(`${of}_`) && !names.includes(name) && !isRead(name) && !isWrite(name)
  const disjoint = {
    input_tokens: sum(
      input,
      all((name) => isMore(name, 'input', inputNames)),
    ),
    cache_read_input_tokens: read,
    cache_creation_input_tokens: written,
    ...(writes.write1h === undefined
      ? {}
      : {
          cache_creation: { ephemeral_5m_input_tokens: writes.other ?? 0, ephemeral_1h_input_tokens: writes.write1h },
        }),
    output_tokens: sum(
      output,
      all((name) => isMore(name, 'output', outputNames)),
    ),
  }
  const isClaude = model === undefined || parseModel(model) !== undefined
  return { ...readUsage(disjoint, { format: 'anthropic', model, ttl: isClaude ? '5m' : '30m' }), raw }
}

/** What is a count, by names in lower case. */
function countsIn(reported: Fields): Readonly<Record<string, number>> {
  return Object.fromEntries(
    Object.entries(reported).flatMap(([name, value]): [string, number][] => {
      const tokens = count(value)
      return tokens === undefined ? [] : [[name.toLowerCase(), tokens]]
    }),
  )
}

function isRead(name: string): boolean {
  return /cache/.test(name) && !isWrite(name) && /read|hit|cached/.test(name)
}

function isWrite(name: string): boolean {
  return /cache/.test(name) && /creat|write/.test(name)
}

function isHour(name: string): boolean {
  return /1_?h/.test(name)
}
