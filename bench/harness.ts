/**
 * Compares two pieces of code by the ratio of their medians.
 *
 * The two run in turns, many short rounds of each, and the figure is the median over the rounds of one's median by the
 * other's: whatever else the machine does hits both alike. Absolute times are printed for orientation only.
 */
import { measure } from 'mitata'

export interface Comparison {
  readonly name: string
  /** What the subject is measured against, in words. */
  readonly against: string
  /** The most that the subject should cost, as a multiple of the reference. */
  readonly aim: number
  /** For code that changes what it works on: so many calls a round, and no more. */
  readonly calls?: number
  /** Called before each round; both functions of a round work on what it returns. */
  prepare(round: number): Promise<Contestants> | Contestants
}

export interface Contestants {
  reference(): unknown
  subject(): unknown
  /** Called after the round. */
  release?(): Promise<void> | void
}

const ROUNDS = 15
const ROUND_NANOSECONDS = 60e6

export async function compare(comparison: Comparison): Promise<boolean> {
  const ratios: number[] = []
  const references: number[] = []
  const subjects: number[] = []
  // The first round warms up code, caches and the disk, and is not counted.
  for (let round = 0; round <= ROUNDS; round++) {
    const contestants = await comparison.prepare(round)
    const order = round % 2 === 0 ? (['reference', 'subject'] as const) : (['subject', 'reference'] as const)
    const medians = { reference: 0, subject: 0 }
    for (const who of order) {
      // A round is short: time enough for a median, too short for the machine's mood to change in between.
      const run = contestants[who].bind(contestants)
      medians[who] = (await measure(run, roundOf(comparison))).p50
    }
    await contestants.release?.()
    if (round === 0) continue
    references.push(medians.reference)
    subjects.push(medians.subject)
    ratios.push(medians.subject / medians.reference)
  }
  const ratio = median(ratios)
  const within = ratio <= comparison.aim
  const figures = `${microseconds(median(subjects))} against ${microseconds(median(references))}`
  console.log(
    `${within ? 'within' : 'OVER  '}  ${ratio.toFixed(3).padStart(7)}  (aim ${comparison.aim.toFixed(2)})  ${comparison.name}`,
  )
  console.log(`${' '.repeat(31)}${figures} us: ${comparison.against}`)
  return within
}

/** How `measure` runs one round. */
function roundOf({ calls }: Comparison): { min_cpu_time: number; min_samples: number; [option: string]: number } {
  if (calls === undefined) return { min_cpu_time: ROUND_NANOSECONDS, min_samples: 20 }
  return { min_cpu_time: 0, min_samples: calls, max_samples: calls, batch_threshold: 0 }
}

function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  return sorted[sorted.length >> 1]!
}

function microseconds(nanoseconds: number): string {
  return (nanoseconds / 1000).toFixed(1)
}
