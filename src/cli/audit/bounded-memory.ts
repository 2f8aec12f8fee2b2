/**
 * Keeps the engine from taking several times the memory that an audit needs. Left alone, V8 lets the young generation grow
 * to 134 MB where much garbage is made, and the heap to twice and more of what is alive before it cleans up; a log of
 * many gigabytes is all garbage.
 *
 * Measured: a small young generation takes 200 MB off an audit of 500 MB and costs nothing; a heap that grows slowly takes
 * 250 MB off one of 5 GB and costs a tenth of its time, so it is for large logs alone.
 */
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'

/** Bytes of the young generation at which it is large enough. */
const YOUNG = 16_000_000
/** Bytes of a log that is large. */
const LARGE = 1_000_000_000
/** By how much the heap may then grow over what was alive when it was cleaned up last. */
const GROWTH_PERCENT = 20

/**
 * Begins to bound the memory of this process, for logs of so many bytes; undefined where nobody knows. What it returns is
 * to be called now and then while they are read.
 */
export function boundMemory(bytes: number | undefined): () => void {
  // From the start: the engine keeps the pages that it has once had.
  if (bytes === undefined || bytes > LARGE) setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`)
  let isBounded = false
  return () => {
    if (isBounded || youngGeneration() < YOUNG) return
    // Read by the engine whenever it would grow the young generation: it then grows by nothing.
    setFlagsFromString('--semi-space-growth-factor=1')
    isBounded = true
  }
}

function youngGeneration(): number {
  return getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.space_size ?? 0
}
