/** Requests with more breakpoints than the provider takes: it refuses them, whoever marked too much. */
import { breakpointLimits } from '../breakpoint-limits.ts'
import type { Turn } from '../record/types.ts'
import type { Reason } from './types.ts'

/** Why the provider refuses a request, where it was not answered and has too many breakpoints; null where it has not. */
export function overLimit({ format, places, automatic, failed, usage }: Turn): Reason | null {
  const limit = format === null ? undefined : breakpointLimits[format]
  if (limit === undefined || (usage !== undefined && !failed)) return null
  const marks = places.reduce((sum, { raw }) => sum + raw.marks.filter((mark) => mark !== null).length, 0)
  const count = marks + (automatic === null ? 0 : 1)
  if (count <= limit) return null
  const detail = `The request has ${count} breakpoints, and the provider refuses one with more than ${limit}.`
  return { kind: 'failed', tokens: 0, detail }
}
