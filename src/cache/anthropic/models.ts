/** Which Claude models a table row means. */
import { parseModel, type Model } from '../model.ts'

/** Some versions of one family: each alone, or all of a range with both ends. A missing end is open. */
export interface ModelRange {
  /** As `opus`; `*` is any. */
  readonly family: string
  /** `major.minor`, each meant alone. */
  readonly versions?: readonly string[]
  readonly from?: string
  readonly through?: string
}

/** True when the id names a model of one of the ranges. False for ids that do not parse. */
export function isOneOf(id: string | undefined, ranges: readonly ModelRange[]): boolean {
  const model = id === undefined ? undefined : parseModel(id)
  return model !== undefined && ranges.some((range) => coversModel(range, model))
}

/** True for a model of the range. */
export function coversModel({ family, versions, from, through }: ModelRange, model: Model): boolean {
  if (family !== '*' && family !== model.family) return false
  if (versions !== undefined) return versions.includes(`${model.major}.${model.minor}`)
  return (from === undefined || compare(model, from) >= 0) && (through === undefined || compare(model, through) <= 0)
}

function compare({ major, minor }: Model, version: string): number {
  const [otherMajor = 0, otherMinor = 0] = version.split('.').map(Number)
  return major - otherMajor || minor - otherMinor
}
