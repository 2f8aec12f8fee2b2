/**
 * A JSON document of request bodies: one, a list, or several under names of their own; each bare or beside its answer.
 * What somebody saved from a debugger or a test. A list is read element by element, an object whole. Several objects over
 * several lines each, one behind the other, are what `jq` makes of JSON lines.
 */
import { fields } from '../../../cache/usage/fields.ts'
import { parseJson } from '../../../cache/usage/sse.ts'
import type { Exchange } from '../../exchange.ts'
import { hasBody, looseExchange } from '../loose-record.ts'
import type { Line, LogReader, ReaderInput } from '../types.ts'

/** Reads JSON documents of request bodies. */
export const jsonBodies: LogReader = {
  id: 'json-bodies',
  title: 'JSON document of request bodies',
  hint: 'Save each body with its response and the time of the call, one JSON object per line.',

  recognises({ start, text, whole }) {
    if (Array.isArray(start)) return start.slice(0, 20).some(hasBody)
    const isSpread = /^\s*\{\s*\n/.test(text)
    // A line for each body is another format, also where there is but one.
    if (hasBody(start)) return isSpread
    const hasBodies = Object.values(fields(start) ?? {}).some(hasBody)
    return hasBodies && (isSpread || (whole && parseJson(text) !== undefined))
  },

  async *read(input) {
    if (/^\s*\[/.test(input.head.text)) {
      for await (const { text, line } of input.items([])) yield* readOne(parseJson(text), line, input)
      return
    }
    const text = await input.document()
    if (text === undefined) return
    const documents = documentsIn(text)
    for (const { text: part, line } of documents) {
      const document = fields(parseJson(part))
      if (documents.length > 1 || hasBody(document)) yield* readOne(document, line, input)
      else if (document === undefined) {
        input.unread({ line: 1, kind: 'broken', message: 'The file is no JSON object, or only a part of one.' })
      } else for (const value of Object.values(document)) yield* readOne(value, null, input)
    }
  },
}

/** The objects that stand one behind the other; only between two of them does a line begin with a brace that opens. */
function documentsIn(text: string): readonly Line[] {
  let line = 1
  return text.split(/(?=\{)(?<=\n\}[ \t\r]*\n)/).map((part) => {
    const document = { text: part, line }
    line += part.split('\n').length - 1
    return document
  })
}

function* readOne(value: unknown, line: number | null, input: ReaderInput): Generator<Exchange> {
  const record = fields(value)
  if (record === undefined) {
    input.unread({ line, kind: 'broken', message: 'The entry is no JSON object, or only a part of one.' })
    return
  }
  const exchange = looseExchange(record, line, input)
  if (exchange !== null) yield exchange
}
