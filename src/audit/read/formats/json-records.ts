/**
 * The records of a log that has one JSON object per line. A line that is none is counted by its number and costs no
 * other: tools are killed while they write, and the half of a record says nothing.
 */
import { fields, type Fields } from '../../../cache/usage/fields.ts'
import type { ReaderInput } from '../types.ts'

/** One object and the line, from 1, that it stands on. */
export interface JsonRecord {
  readonly record: Fields
  readonly line: number
}

/** Every line that is a JSON object, in order. Blank lines are nothing; all others are told to `input.unread`. */
export async function* jsonRecords(input: ReaderInput): AsyncIterable<JsonRecord> {
  for await (const { bytes, line } of input.rawLines()) {
    const record = recordIn(line, () => input.json.parse(bytes), input)
    if (record !== undefined) yield { record, line }
  }
}

/** The same of a log that says each message once: what is in it is not looked for in others. */
export async function* jsonEvents(input: ReaderInput): AsyncIterable<JsonRecord> {
  for await (const { text, line } of input.lines()) {
    const record = recordIn(line, () => JSON.parse(text) as unknown, input)
    if (record !== undefined) yield { record, line }
  }
}

function recordIn(line: number, parse: () => unknown, input: ReaderInput): Fields | undefined {
  let value: unknown
  try {
    value = parse()
  } catch {
    input.unread({ line, kind: 'broken', message: 'The line is no JSON, or only a part of it.' })
    return undefined
  }
  const record = fields(value)
  if (record === undefined) {
    input.unread({ line, kind: 'unknown-shape', message: 'The line is JSON, but no object.' })
  }
  return record
}

/** Milliseconds since the epoch of a time in ISO 8601; undefined where it is none. */
export function timeOf(value: unknown): number | undefined {
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN
  return Number.isNaN(time) ? undefined : time
}

/** `value` where it is text that is not empty. */
export function nameOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** `value` where it is a number that can be counted with. */
export function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}
