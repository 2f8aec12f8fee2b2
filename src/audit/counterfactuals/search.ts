/**
 * In which order to fix culprits. A change at the front of a prompt hides those behind it: fixing either alone saves
 * nothing, and fixing both a lot. So a step is the best single fix, and where no single one is worth it, the smallest set
 * that is: culprits are added in the order in which the provider comes to them until they save enough together, those
 * that the saving does not need are left out again, and smaller sets are tried only where more than two are left.
 */

/** Of the gap between what was paid and the floor, from which on a step is worth it. */
export const WORTH_IT = 0.01
/** As many culprits are searched: what is played grows with the square of it. */
export const MOST_SEARCHED = 8

/** Steps, each on top of those before: culprits that are to be fixed together. `cost` is what is left to pay with them fixed. */
export function planSteps(
  culprits: readonly string[],
  cost: (fixed: readonly string[]) => number,
  least: number,
): readonly (readonly string[])[] {
  const steps: (readonly string[])[] = []
  const fixed: string[] = []
  while (fixed.length < culprits.length) {
    const left = culprits.filter((culprit) => !fixed.includes(culprit))
    const now = cost(fixed)
    const saves = (set: readonly string[]): number => now - cost([...fixed, ...set])
    const isWorthIt = (set: readonly string[]): boolean => saves(set) > 0 && saves(set) >= least
    const step = bestSingle(left, saves, isWorthIt) ?? smallestSet(left, isWorthIt)
    if (step === undefined) break
    steps.push(step)
    fixed.push(...step)
  }
  return steps
}

function bestSingle(
  left: readonly string[],
  saves: (set: readonly string[]) => number,
  isWorthIt: (set: readonly string[]) => boolean,
): readonly string[] | undefined {
  const [first, ...rest] = left
  if (first === undefined) return undefined
  const best = rest.reduce((found, culprit) => (saves([culprit]) > saves([found]) ? culprit : found), first)
  return isWorthIt([best]) ? [best] : undefined
}

function smallestSet(
  left: readonly string[],
  isWorthIt: (set: readonly string[]) => boolean,
): readonly string[] | undefined {
  for (let size = 2; size <= left.length; size++) {
    const set = left.slice(0, size)
    if (isWorthIt(set)) return smallestOf(left, withoutIdle(set, isWorthIt), isWorthIt)
  }
  return undefined
}

/** The first smaller set that is worth it, or `found`. */
function smallestOf(
  left: readonly string[],
  found: readonly string[],
  isWorthIt: (set: readonly string[]) => boolean,
): readonly string[] {
  for (let size = 2; size < found.length; size++) {
    const smaller = setsOf(left, size).find(isWorthIt)
    if (smaller !== undefined) return smaller
  }
  return found
}

/** All sets of a size, those of the first ones first. */
function setsOf(all: readonly string[], size: number): readonly (readonly string[])[] {
  if (size === 0) return [[]]
  return all.flatMap((one, at) => setsOf(all.slice(at + 1), size - 1).map((rest) => [one, ...rest]))
}

function withoutIdle(set: readonly string[], isWorthIt: (set: readonly string[]) => boolean): readonly string[] {
  let needed = set
  for (const culprit of set) {
    const without = needed.filter((one) => one !== culprit)
    if (without.length > 0 && isWorthIt(without)) needed = without
  }
  return needed
}
