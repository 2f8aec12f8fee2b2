/** What a provider says it charged: OpenRouter in dollars, xAI in ticks. */
import type { ReportedCost } from '../../base/usage.ts'
import type { Rule } from '../rule.ts'
import { at, count, type Fields } from './fields.ts'

/** xAI's unit of account. */
interface TickRule extends Rule {
  readonly ticksPerUsd: number
}

/** The rule in force. */
const xaiTicks: TickRule = {
  ticksPerUsd: 1e10,
  since: '2026-11-01',
  source: 'https://docs.x.ai/developers/advanced-api-usage/prompt-caching',
  confidence: 'reported',
}

/** The charge in a report, or `undefined` where there is none. */
export function reportedCost(usage: Fields): ReportedCost | undefined {
  const ticks = count(usage['cost_in_usd_ticks'])
  if (ticks !== undefined) {
    return { amount: ticks / xaiTicks.ticksPerUsd, currency: 'USD', field: 'usage.cost_in_usd_ticks' }
  }
  // Others put objects or text here, in units of their own.
  const cost = typeof usage['cost'] === 'number' ? count(usage['cost']) : undefined
  if (cost === undefined) return undefined
  if (usage['is_byok'] !== true) return { amount: cost, currency: 'USD', field: 'usage.cost' }
  // With the user's own key, `cost` is OpenRouter's fee only; the model is charged by its provider.
  const upstream = count(at(usage, 'cost_details', 'upstream_inference_cost'))
  if (upstream === undefined) return undefined
  return { amount: cost + upstream, currency: 'USD', field: 'usage.cost + usage.cost_details.upstream_inference_cost' }
}
