/** How far the reading of logs has come, in one line on a terminal, once it takes longer than a moment. */
import { clip, WIDTH } from '../layout.ts'
import type { Output } from '../output.ts'
import { formatBytes } from './print/amounts.ts'

/** What {@link createProgress} gives. */
export interface Progress {
  /** Bytes read so far of all files, and the file that is being read. */
  readonly report: (bytes: number, file: string) => void
  /** Takes the line away. */
  readonly end: () => void
}

/** Milliseconds of work without a line. */
const PATIENCE = 1000
/** Milliseconds between two lines. */
const INTERVAL = 100

/** Shows what is read, of `total` bytes where that is known, by the clock `now` (milliseconds). */
export function createProgress(
  { status }: Pick<Output, 'status'>,
  total: number | undefined,
  now: () => number,
): Progress {
  if (status === undefined) return { report: () => {}, end: () => {} }
  let next = now() + PATIENCE
  let shown = false
  return {
    report(bytes, file) {
      const time = now()
      if (time < next) return
      next = time + INTERVAL
      shown = true
      // The last column stays free: some terminals break the line behind it.
      status(clip(lineOf(bytes, total, file), WIDTH - 1))
    },
    end() {
      if (shown) status('')
    },
  }
}

function lineOf(bytes: number, total: number | undefined, file: string): string {
  if (total === undefined || total === 0) return `Reading ${file}: ${formatBytes(bytes)}`
  // A file that is being written grows.
  const percent = Math.min(100, Math.floor((100 * bytes) / total))
  return `Reading ${percent} % of ${formatBytes(Math.max(bytes, total))}: ${file}`
}
