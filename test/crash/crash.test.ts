/** The crash test, a tenth as long as `npm run test:crash`. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFailed } from 'vitest'
import { crash } from './rounds.ts'

describe('a session in a process that is killed', () => {
  it('loses nothing that was acknowledged, and verifies, in 30 rounds', { timeout: 300_000 }, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'indelible-crash-'))
    onTestFailed(() => {
      console.error(`The databases are in ${folder}`)
    })
    const report = await crash({ rounds: 30, seed: 1, folder })
    expect(report.violations).toEqual([])
    expect(report.rounds).toBe(30)
    rmSync(folder, { recursive: true })
  })
})
