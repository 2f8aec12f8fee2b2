/**
 * Keeps the engine from taking several times the memory that an audit needs. Left alone, V8 lets the young generation grow
 * to 134 MB where much garbage is made, and the heap to twice and more of what is alive before it cleans up; a log of
 * many gigabytes is all garbage. Measured on 5 GB: half the memory, for a tenth of the time.
 */
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'

/** Bytes of the young generation at which it is large enough. */
const YOUNG = 4_000_000
/** By how much the heap may grow over what was alive when it was cleaned up last. */
const GROWTH_PERCENT = 20

/** Begins to bound the memory of this process. Call what it returns now and then, until it gives true: as soon as the young generation is large enough. */
export function boundMemory(): () => boolean {
  setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`)
  let bounded = false
  return () => {
    if (bounded) return true
    const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')
    if (young !== undefined && young.space_size < YOUNG) return false
    // Read by the engine whenever it would grow the young generation: it then grows by nothing.
    setFlagsFromString('--semi-space-growth-factor=1')
    bounded = true
    return true
  }
}
