/** What two records have in common: where one lacks something, both together do. */
import type { Fidelity, FidelityLevel } from '../exchange.ts'

const levels: readonly FidelityLevel[] = ['usage', 'prompt', 'body', 'wire']

/** The lesser of the two in every respect. */
export function leastOf(one: Fidelity | null, other: Fidelity): Fidelity {
  if (one === null) return other
  return {
    level: levels[Math.min(levels.indexOf(one.level), levels.indexOf(other.level))] ?? 'usage',
    breakpoints: one.breakpoints && other.breakpoints,
    tools: one.tools && other.tools,
    system: one.system && other.system,
    parameters: one.parameters && other.parameters,
    order: one.order && other.order,
    time: one.time && other.time,
    redacted: one.redacted || other.redacted,
  }
}
