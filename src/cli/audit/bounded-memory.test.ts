import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'

/** Makes garbage of which some stays alive for a while, and prints the bytes of the young generation. */
const script = (bounds: boolean): string => `
  import { getHeapSpaceStatistics } from 'node:v8'
  import { boundMemory } from ${JSON.stringify(new URL('bounded-memory.ts', import.meta.url).href)}
  const check = ${bounds ? 'boundMemory(2e9)' : '() => true'}
  const alive = []
  for (let round = 0; round < 400; round++) {
    alive[round % 40] = Array.from({ length: 5000 }, (_, index) => ({ index }))
    check()
  }
  console.log(getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space').space_size)`

async function youngGeneration(bounds: boolean): Promise<number> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '--max-semi-space-size=64', '--eval', script(bounds)],
    { cwd: fileURLToPath(new URL('.', import.meta.url)) },
  )
  return Number(stdout)
}

describe('boundMemory', () => {
  it('keeps the young generation small, in a process that would let it grow', async () => {
    expect(await youngGeneration(true)).toBeLessThanOrEqual(20_000_000)
    expect(await youngGeneration(false)).toBeGreaterThan(60_000_000)
  })
})
