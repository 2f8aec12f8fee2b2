/**
 * What a provider reported, as verdicts and the simulator need it. Absent stays absent, with one exception: where the
 * report says that all of the input was uncached, nothing was read.
 */
import type { Usage } from '../../base/usage.ts'
import type { Turn } from '../record/types.ts'

/** Tokens that were read; undefined where nobody knows, also where the total is of a text that the provider made itself. */
export function readOf({ usage, answer }: Turn): number | undefined {
  if (usage === undefined || answer.serverEdited) return undefined
  if (usage.read !== undefined) return usage.read
  return usage.total !== undefined && usage.uncached === usage.total ? 0 : undefined
}

/** Tokens that were written, of every lifetime; undefined where none is reported. */
export function writeOf({ write5m, write30m, write1h }: Usage): number | undefined {
  const reported = [write5m, write30m, write1h].filter((tokens) => tokens !== undefined)
  return reported.length === 0 ? undefined : reported.reduce((sum, tokens) => sum + tokens, 0)
}

/** Tokens from the start that are in the cache after a call, by its report; undefined where it does not say. */
export function cachedOf(turn: Turn): number | undefined {
  const read = readOf(turn)
  const written = turn.usage === undefined ? undefined : writeOf(turn.usage)
  return read === undefined || written === undefined ? undefined : read + written
}

/**
 * The report in a form that the simulator reads, whatever form it came in; undefined where it teaches nothing. One of a
 * log's own making may have no other form than ours.
 */
export function reportFor({ usage, answer }: Turn): unknown {
  if (usage?.total === undefined || answer.serverEdited) return undefined
  const { total, read, write5m, write30m, write1h, output } = usage
  if (write5m === undefined && write1h === undefined) {
    return {
      usage: {
        prompt_tokens: total,
        prompt_tokens_details: { cached_tokens: read, cache_write_tokens: write30m },
        completion_tokens: output,
      },
    }
  }
  return {
    usage: {
      input_tokens: total - (read ?? 0) - (writeOf(usage) ?? 0),
      cache_read_input_tokens: read,
      cache_creation: {
        ephemeral_5m_input_tokens: (write5m ?? 0) + (write30m ?? 0),
        ephemeral_1h_input_tokens: write1h,
      },
      output_tokens: output,
    },
  }
}
