import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { csvCells, csvRows } from './csv-rows.ts'
import { inputOf } from './test-input.ts'

async function rowsOf(text: string): Promise<{ rows: readonly unknown[]; problems: readonly unknown[] }> {
  const input = inputOf(text)
  const rows: unknown[] = []
  for await (const { record } of csvRows(input.lines(), (problem) => input.unread(problem))) rows.push(record)
  return { rows, problems: input.problems }
}

describe('tables as text', () => {
  it('give back every cell, whatever is in it', async () => {
    // White space on a line of its own does not come through.
    const cell = fc
      .string({ unit: fc.constantFrom('a', '"', ',', '\n', ' ', 'é'), maxLength: 12 })
      .filter((text) => !/(?:^|\n) +(?:\n|$)/.test(text))
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(cell, cell), { minLength: 1 }), async (cells) => {
        const quote = (text: string): string => `"${text.replaceAll('"', '""')}"`
        const text = `one,two\n${cells.map((row) => row.map(quote).join(',')).join('\n')}\n`
        const { rows, problems } = await rowsOf(text)
        expect(problems).toEqual([])
        expect(rows).toEqual(cells.map(([one, two]) => ({ one, two })))
      }),
      { numRuns: 100 },
    )
  })

  it('take short and long rows, and cells that need no quotes', async () => {
    expect(csvCells('a,,c,')).toEqual(['a', '', 'c', ''])
    expect(csvCells('')).toEqual([''])
    expect((await rowsOf('a,b\n1\n1,2,3\n')).rows).toEqual([
      { a: '1', b: '' },
      { a: '1', b: '2' },
    ])
  })

  it('say where a quote that never closes was opened', async () => {
    const { rows, problems } = await rowsOf('a,b\n1,2\n1,"2\n3,4\n')
    expect(rows).toEqual([{ a: '1', b: '2' }])
    expect(problems).toMatchObject([{ kind: 'broken', line: 3 }])
  })

  it('cut cells as large as prompts are', () => {
    const long = 'x""'.repeat(300_000)
    expect(csvCells(`"${long}",b`).map(({ length }) => length)).toEqual([600_000, 1])
  })
})
