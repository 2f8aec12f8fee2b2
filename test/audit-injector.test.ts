/**
 * What an audit finds in conversations into which culprits were planted, by code that knows nothing of the package: all of
 * them, on the right turns, nothing else, and what they are worth. Prints precision and recall.
 */
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { measure, truth, type Measured } from './injector/measure.ts'
import { plant, plantable, type Plant, type PlantOptions } from './injector/plant.ts'

const counts = { planted: 0, found: 0, invented: 0 }

async function verify(options: PlantOptions): Promise<Measured> {
  const measured = await measure(options)
  counts.planted += measured.matches.length
  counts.found += measured.matches.filter(({ kind }) => kind !== null).length
  counts.invented += measured.invented.length
  expect(measured.matches.filter(({ kind }) => kind === null)).toEqual([])
  expect(measured.invented).toEqual([])
  expect(measured.report.streams).toHaveLength(1)
  return measured
}

/** Repaired by telling the model what has changed. */
const told: ReadonlySet<Plant> = new Set(['date', 'branch', 'status'])

/**
 * Within 1 % of the truth. Of a saving near 0 that is nothing, so a thousandth of the bill is allowed; and five of what is
 * told, since the two do not word updates alike, and each update is in every later request.
 */
function expectNear(what: Plant, actual: number | null | undefined, expected: number, bill: number): void {
  expect(typeof actual).toBe('number')
  expect(Math.abs((actual ?? Number.NaN) - expected)).toBeLessThanOrEqual(
    Math.max(0.01 * Math.abs(expected), (told.has(what) ? 0.005 : 0.001) * bill),
  )
}

afterAll(() => {
  const { planted, found, invented } = counts
  const precision = found + invented === 0 ? 1 : found / (found + invented)
  process.stdout.write(
    `\naudit of planted logs: ${found} of ${planted} found (recall ${(found / planted).toFixed(3)}), ${invented} invented (precision ${precision.toFixed(3)})\n`,
  )
})

describe('an audit of a planted log', () => {
  it('finds eight at once in thirty turns', async () => {
    const { report, log } = await verify({ seed: 1, turns: 30, culprits: plantable })
    expect(report.totals.turns).toBe(log.bodies.length)
  })

  it.each(plantable)('finds %s alone, and knows what it is worth', async (what) => {
    const options = { seed: 7, turns: 30, culprits: [what] }
    const { report, log } = await verify(options)
    const [culprit] = report.culprits
    const saved = truth(log) - truth(plant({ ...options, fixed: [what] }))
    expectNear(what, culprit?.savesAlone?.cost, saved, truth(log))
    expectNear(what, culprit?.savesLast?.cost, saved, truth(log))
  })

  it.each([11, 12, 13])('invents nothing in a clean log (seed %i)', async (seed) => {
    const { report } = await verify({ seed, turns: 30, culprits: [] })
    expect(report.streams[0]?.turns.slice(1).every(({ verdict }) => verdict === 'appended')).toBe(true)
  })

  it('finds any mix, and its figures are those of the simulator', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(10_000), fc.subarray([...plantable], { minLength: 2 }), async (seed, culprits) => {
        await verifyFigures({ seed, turns: 24, culprits })
      }),
      { numRuns: 10 },
    )
  })
})

/** Each one alone, each one last, and the sum of what was lost. */
async function verifyFigures(options: PlantOptions): Promise<void> {
  const { report, log, matches } = await verify(options)
  const asSent = truth(log)
  const all: readonly Plant[] = options.culprits
  const repaired = truth(plant({ ...options, fixed: all }))
  for (const { plant: what, culprits } of matches) {
    if (culprits.length !== 1) continue
    const culprit = report.culprits.find(({ id }) => id === culprits[0])
    expectNear(what, culprit?.savesAlone?.cost, asSent - truth(plant({ ...options, fixed: [what] })), asSent)
    const allButThis = truth(plant({ ...options, fixed: all.filter((other) => other !== what) }))
    expectNear(what, culprit?.savesLast?.cost, allButThis - repaired, asSent)
  }
  const lost = report.streams.flatMap(({ turns }) => turns).reduce((sum, turn) => sum + turn.lost.tokens, 0)
  const blamed = report.culprits.reduce((sum, { tokensLost }) => sum + tokensLost, 0)
  expect(blamed).toBeGreaterThanOrEqual(0.99 * lost)
  expect(blamed).toBeLessThanOrEqual(lost)
}
