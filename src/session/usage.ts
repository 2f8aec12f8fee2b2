/** The usage of an answer, as it is stored: nothing that would not come back from the log as it went in. */
import { copyJson, freezeDeep, NotJsonError, type Json } from '../base/json.ts'
import type { Usage } from '../base/usage.ts'
import { MessageInvalidError } from './errors.ts'

const buckets = ['total', 'read', 'write5m', 'write30m', 'write1h', 'uncached', 'output', 'reasoning'] as const

/**
 * A frozen copy, with `raw` and whatever else there is as it came. Throws `MessageInvalidError` for what is no usage; what
 * was not reported is left out.
 */
export function admitUsage(usage: Usage): Usage {
  let copy: Json
  try {
    const problem = problemOf(usage)
    if (problem !== undefined) throw refusal(problem)
    copy = copyJson(usage)
  } catch (cause) {
    if (cause instanceof MessageInvalidError) throw cause
    // An SDK's object may refuse to be read, too.
    throw refusal(`cannot be stored: ${cause instanceof NotJsonError ? cause.message : String(cause)}`, { cause })
  }
  return freezeDeep(copy) as unknown as Usage
}

function problemOf(usage: unknown): string | undefined {
  if (!isRecord(usage)) return 'is not an object'
  const odd = buckets.find((bucket) => usage[bucket] !== undefined && !isAmount(usage[bucket]))
  if (odd !== undefined) return `has ${String(usage[odd])} tokens as ${odd}`
  const { cost, anomalies } = usage
  if (cost !== undefined && !(isRecord(cost) && isAmount(cost['amount']) && areTexts(cost, 'currency', 'field'))) {
    return 'has a cost that is no { amount, currency, field }'
  }
  const areAnomalies = (): boolean =>
    Array.isArray(anomalies) && anomalies.every((one) => isRecord(one) && areTexts(one, 'type', 'message'))
  return anomalies === undefined || areAnomalies() ? undefined : 'has anomalies that are no list of { type, message }'
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isAmount(value: unknown): boolean {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0
}

function areTexts(value: Record<string, unknown>, ...keys: string[]): boolean {
  return keys.every((key) => typeof value[key] === 'string')
}

function refusal(problem: string, options?: { cause: unknown }): MessageInvalidError {
  return new MessageInvalidError(
    `The usage of an answer ${problem}. Pass what readUsage of indelible/cache makes of the response.`,
    options,
  )
}
