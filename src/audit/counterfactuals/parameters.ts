/** Parameters that scope a cache, kept at the value that they had first. */
import type { Json } from '../../base/json.ts'
import type { ScopeParameter } from '../../cache/index.ts'
import type { Alignment } from '../changes/types.ts'

/** The values that are frozen after a turn, by name; `before` are those of its parent. */
export function freezeParameters(
  { parameters, parent }: Alignment,
  before: ReadonlyMap<string, Json>,
  isFrozen: (culprit: string | null) => boolean,
): ReadonlyMap<string, Json> {
  const changed = parameters.filter(({ culprit, name }) => isFrozen(culprit) && !before.has(name))
  if (changed.length === 0) return before
  const frozen = new Map(before)
  for (const { name } of changed) {
    const first = parent.scope.find((parameter) => parameter.name === name)
    if (first !== undefined) frozen.set(name, first.value)
  }
  return frozen
}

/** `scope` with the values that are frozen. */
export function frozenScope(
  scope: readonly ScopeParameter[],
  frozen: ReadonlyMap<string, Json>,
): readonly ScopeParameter[] {
  if (frozen.size === 0) return scope
  return scope.map((parameter) => {
    const value = frozen.get(parameter.name)
    return value === undefined ? parameter : { ...parameter, value }
  })
}
