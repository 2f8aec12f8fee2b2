/**
 * Parameters that scope the cache. A change counts where it loses entries that the parent could have left: of sections
 * that it had, behind which it was marked where the format asks for marks.
 */
import type { ScopeParameter, Section } from '../../../cache/index.ts'
import { canonicalJson } from '../../../base/json.ts'
import type { Segment, Turn } from '../../record/types.ts'

/** A parameter that differs. */
export interface ParameterChange {
  readonly name: string
  /** The first section that it loses. */
  readonly section: Section
  /** As JSON; null where the request leaves it out. */
  readonly before: string | null
  readonly after: string | null
  /** Whether something could have been lost by it. */
  readonly loses: boolean
}

/** The scope parameters that differ between two turns. */
export function parameterChanges(parent: Turn, turn: Turn, segments: readonly Segment[]): ParameterChange[] {
  if (parent.scope === turn.scope) return []
  const before = new Map(parent.scope.map((parameter) => [parameter.name, parameter]))
  const after = new Map(turn.scope.map((parameter) => [parameter.name, parameter]))
  const changes: ParameterChange[] = []
  for (const name of new Set([...before.keys(), ...after.keys()])) {
    const [one, other] = [before.get(name), after.get(name)]
    const values = { before: valueOf(one), after: valueOf(other) }
    if (values.before === values.after) continue
    // By either model's rules, where models differ.
    const lost = other?.invalidates ?? one?.invalidates ?? []
    const [section] = lost
    if (section === undefined) continue
    changes.push({ name, section, ...values, loses: isCached(parent, segments, lost) })
  }
  return changes
}

function valueOf(parameter: ScopeParameter | undefined): string | null {
  if (parameter === undefined || parameter.value === null) return null
  return typeof parameter.value === 'string' ? parameter.value : canonicalJson(parameter.value)
}

/** Whether the request left an entry that ends in one of the sections. */
function isCached(parent: Turn, segments: readonly Segment[], sections: readonly Section[]): boolean {
  const needsMarks = parent.format === 'anthropic' || parent.format === 'bedrock-converse'
  const known = parent.exchange.fidelity.breakpoints
  return segments.some(
    ({ block, breakpoint }) => sections.includes(block.section) && (!needsMarks || !known || breakpoint !== null),
  )
}
