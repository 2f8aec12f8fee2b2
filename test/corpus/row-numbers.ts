/**
 * Which row of `usage.csv` a call is. The table numbers what a recorder wrote down, from 0 and with traffic that is no
 * call of a model: interactions, or lines of a `.jsonl` file. Where a line is a connection with several calls, its row is
 * that of the last.
 */
import type { CorpusFile } from './corpus-files.ts'

/** Where a call stands. */
export interface CallNumber {
  /** Its place in the file; no other call has it. */
  readonly index: number
  /** Undefined for a call that the table has no row for. */
  readonly row: number | undefined
}

/** The numbers of the calls of a file, in its order. */
export function numberCalls({ name, exchanges, unread }: CorpusFile): readonly CallNumber[] {
  const lines = exchanges.map(({ source }) => source.line ?? 0)
  const own = new Set(lines)
  const others = new Set(unread.flatMap(({ line }) => (line === null || own.has(line) ? [] : [line])))
  const othersBefore = (line: number): number => [...others].filter((other) => other < line).length
  const isByLine = name.endsWith('.jsonl')
  return lines.map((line, at) => {
    const index = at + othersBefore(line)
    if (!isByLine) return { index, row: index }
    const linesBefore = [...own].filter((other) => other < line).length
    return { index, row: lines[at + 1] === line ? undefined : linesBefore + othersBefore(line) }
  })
}
