/** The start of a file as its format is told from it. */
import { parseJson } from '../../cache/usage/sse.ts'
import { parseStart } from './partial-json.ts'
import type { Head } from './types.ts'

// More are not needed to tell a format, and each may be large.
const mostRecords = 20

/** The head of a file called `name` that begins with `bytes`; `whole` where there is nothing after them. */
export function headOf(name: string, bytes: Uint8Array, whole: boolean): Head {
  // In stream mode, a character that the cut goes through is left out instead of being replaced.
  const text = new TextDecoder().decode(bytes, { stream: !whole })
  return { name, text, records: recordsIn(text, whole), start: parseStart(text), whole }
}

function recordsIn(text: string, whole: boolean): Record<string, unknown>[] {
  const records: Record<string, unknown>[] = []
  const lines = text.split('\n')
  if (!whole) lines.pop()
  for (const line of lines) {
    if (records.length === mostRecords) break
    const trimmed = line.trim()
    // Cheaper than an exception for each line of a file that is no JSON.
    if (!trimmed.startsWith('{') || !trimmed.endsWith('}')) continue
    const value = parseJson(trimmed)
    if (typeof value === 'object' && value !== null) records.push(value as Record<string, unknown>)
  }
  return records
}
