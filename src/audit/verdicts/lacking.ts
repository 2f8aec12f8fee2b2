/** What a log can lack for a surer verdict, and how to record it: one sentence each. */
import type { Turn } from '../record/types.ts'

/** By what is not there. */
export const lacking = {
  body: 'The request body is not in the log: record whole bodies (an HTTP capture, or OTEL_LOG_RAW_API_BODIES=file:<folder> for Claude Code).',
  breakpoints:
    'The log leaves out cache breakpoints: record the body as it is sent to the provider, not what the SDK was given.',
  tools: 'The log leaves out tool definitions: record the whole request body.',
  system: 'The log leaves out the system prompt: record the whole request body.',
  parameters: 'The log leaves out parameters that scope the cache: record the whole request body.',
  redacted:
    'Parts of the prompt were blacked out before they were saved: record it without redaction, or compare hashes.',
  order: 'The order of the calls is not known: record when each was made.',
  time: 'The times of the calls are not in the log: record when each request was sent.',
  end: 'When the answer before ended is not in the log: record when each answer began or ended.',
  usage: 'The provider’s usage is not in the log: record the whole response.',
  account:
    'Whose key was used is not in the log: keep the authorization header (only a keyed hash of it is held in memory).',
  host: 'The host that was called is not in the log: record the URL.',
  headers: 'The headers that scope the cache are not in the log: record request headers.',
} as const

/** What keeps a turn from being played. */
export function missingOf({ exchange: { fidelity }, unreadable, format }: Turn): readonly string[] {
  if (format === null || fidelity.level === 'usage' || unreadable !== undefined) return [lacking.body]
  return fidelity.breakpoints ? [] : [lacking.breakpoints]
}
