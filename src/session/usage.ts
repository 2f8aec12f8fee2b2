/** The usage of an answer, as it is stored: nothing that would not come back from the log as it went in. */
import { copyJson, freezeDeep, NotJsonError } from '../base/json.ts'
import type { Usage } from '../base/usage.ts'
import { MessageInvalidError } from './errors.ts'

const buckets = ['total', 'read', 'write5m', 'write30m', 'write1h', 'uncached', 'output', 'reasoning'] as const

/** A frozen copy. Throws `MessageInvalidError` for what is no usage; a bucket that was not reported is left out. */
export function admitUsage(usage: Usage): Usage {
  const refuse = (problem: string, cause?: unknown): never => {
    throw new MessageInvalidError(
      `The usage of an answer ${problem}. Pass what readUsage of indelible/cache makes of the response.`,
      cause === undefined ? {} : { cause },
    )
  }
  if (typeof usage !== 'object' || usage === null || Array.isArray(usage)) return refuse('is not an object')
  for (const bucket of buckets) {
    const tokens: unknown = usage[bucket]
    if (tokens !== undefined && !(typeof tokens === 'number' && Number.isFinite(tokens) && tokens >= 0)) {
      return refuse(`has ${String(tokens)} tokens as ${bucket}`)
    }
  }
  try {
    return freezeDeep(copyJson(usage)) as unknown as Usage
  } catch (error) {
    if (!(error instanceof NotJsonError)) throw error
    return refuse(`cannot be stored: ${error.message}`, error)
  }
}
