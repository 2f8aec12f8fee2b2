/**
 * The rows of a log that exists in several wrappings of JSON: one object per line, a list, a list inside an object (the
 * answer of an API), or one object over several lines. Lists over several lines are read row by row, whatever their size.
 */
import { fields, type Fields } from '../../../cache/usage/fields.ts'
import { parseJson } from '../../../cache/usage/sse.ts'
import type { Head, ReaderInput } from '../types.ts'
import { jsonRecords, type JsonRecord } from './json-records.ts'

/** Every row in order; `lists` are the names that the list may have in an object around it. */
export async function* jsonRows(input: ReaderInput, lists: readonly string[] = []): AsyncGenerator<JsonRecord> {
  if (/^\s*\[/.test(input.head.text)) yield* rowsOfList(input, [])
  else if (/^\s*\{\s*\n/.test(input.head.text)) {
    const name = listIn(fields(input.head.start) ?? {}, lists)
    yield* name === undefined ? rowOfDocument(input) : rowsOfList(input, [name])
  } else {
    for await (const { record, line } of jsonRecords(input)) {
      const name = listIn(record, lists)
      if (name === undefined) yield { record, line }
      else for (const row of rowsIn(record[name])) yield { record: row, line }
    }
  }
}

/** The first rows, as far as the head has them: from these a format is told. */
export function firstRows({ records, start }: Head, lists: readonly string[] = []): readonly Fields[] {
  if (Array.isArray(start)) return rowsIn(start)
  const first = fields(start)
  const name = first === undefined ? undefined : listIn(first, lists)
  if (first !== undefined && name !== undefined) return rowsIn(first[name])
  return [...(first === undefined ? [] : [first]), ...records]
}

function listIn(record: Fields, lists: readonly string[]): string | undefined {
  return lists.find((name) => Array.isArray(record[name]))
}

function rowsIn(value: unknown): readonly Fields[] {
  return (value as readonly unknown[]).map(fields).filter((row) => row !== undefined)
}

async function* rowsOfList(input: ReaderInput, path: readonly string[]): AsyncGenerator<JsonRecord> {
  for await (const { text, line } of input.items(path)) {
    const record = fields(parseJson(text))
    if (record !== undefined) yield { record, line }
    else input.unread({ line, kind: 'broken', message: 'The entry is no JSON object.' })
  }
}

async function* rowOfDocument(input: ReaderInput): AsyncGenerator<JsonRecord> {
  const text = await input.document()
  if (text === undefined) return
  const record = fields(parseJson(text))
  if (record !== undefined) yield { record, line: 1 }
  else input.unread({ line: 1, kind: 'broken', message: 'The file is no JSON object, or only a part of one.' })
}
