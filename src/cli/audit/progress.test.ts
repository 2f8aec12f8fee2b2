import { describe, expect, it } from 'vitest'
import { createProgress, type Progress } from './progress.ts'

interface Watched extends Progress {
  readonly lines: readonly string[]
  at(time: number): void
}

function progressOf(total: number | undefined): Watched {
  const lines: string[] = []
  let now = 0
  const progress = createProgress({ status: (line) => void lines.push(line) }, total, () => now)
  return {
    ...progress,
    lines,
    at: (time) => {
      now = time
    },
  }
}

describe('progress', () => {
  it('says nothing of what takes less than a second', () => {
    const progress = progressOf(1000)
    progress.at(999)
    progress.report(500, 'a.jsonl')
    progress.end()
    expect(progress.lines).toEqual([])
  })

  it('says how much of it is read, now and then, and goes', () => {
    const progress = progressOf(5_000_000_000)
    for (const [time, bytes] of [
      [1000, 1_200_000_000],
      [1050, 1_300_000_000],
      [1100, 5_500_000_000],
    ] as const) {
      progress.at(time)
      progress.report(bytes, 'logs/a.jsonl')
    }
    progress.end()
    expect(progress.lines).toEqual([
      'Reading 24 % of 5.0 GB: logs/a.jsonl',
      'Reading 100 % of 5.5 GB: logs/a.jsonl',
      '',
    ])
  })

  it('has no percent where nobody knows the size', () => {
    const progress = progressOf(undefined)
    progress.at(2000)
    progress.report(1_234_567, '-')
    expect(progress.lines).toEqual(['Reading -: 1.2 MB'])
  })

  it('fits into a line, and holds nothing that moves the cursor', () => {
    const progress = progressOf(10)
    progress.at(2000)
    progress.report(5, `\u001b[2J\n${'x'.repeat(1000)}`)
    expect(progress.lines[0]).toHaveLength(79)
    expect(progress.lines[0]).not.toMatch(/\p{Cc}/u)
  })

  it('is nothing without a terminal', () => {
    const progress = createProgress({}, 10, () => 5000)
    expect(() => {
      progress.report(1, 'a')
      progress.end()
    }).not.toThrow()
  })
})
