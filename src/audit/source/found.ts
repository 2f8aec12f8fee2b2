/** Where a change was found and what it was, in code: constants of string literals, and the message of a loader to be written. */
import type { AuditCulprit, ReportText } from '../report/types.ts'
import { quote } from './quote.ts'

/** The constant `<name>Found`: each place, its first change, and the text around it where that is shown. */
export function foundIn(name: string, culprits: readonly AuditCulprit[]): string {
  return [`export const ${name}Found = [`, ...culprits.map((culprit) => `  ${placeOf(culprit)},`), '] as const'].join(
    '\n',
  )
}

function placeOf({ id, path, offset, anchor, values }: AuditCulprit): string {
  const [before, after] = values
  const fields = [`id: ${quote(id)}`, `path: ${quote(path)}`]
  if (offset !== null) fields.push(`character: ${offset}`)
  if (before !== undefined) fields.push(`before: ${textOf(before)}`)
  if (after !== undefined) fields.push(`after: ${textOf(after)}`)
  if (anchor !== null && anchor.before.text !== null && anchor.after.text !== null) {
    fields.push(`between: [${quote(anchor.before.text)}, ${quote(anchor.after.text)}]`)
  }
  return `{ ${fields.join(', ')} }`
}

function textOf({ text, preview, length }: ReportText): string {
  if (text === null && length > 0) return `{ masked: ${quote(preview)}, length: ${length} }`
  return quote(text ?? '')
}

/** What the loader of `key` throws until it is written, as a literal: path, old value and new value. */
export function missingLoader(key: string, { path, values }: AuditCulprit): string {
  const [before, after] = values
  const change = [
    before === undefined ? '' : ` It was ${inWords(before)}`,
    before === undefined || after === undefined ? '' : `, then ${inWords(after)}`,
    before === undefined ? '' : '.',
  ]
  return quote(`TODO: load what ${key} tells, which stood at ${path}.${change.join('')}`)
}

function inWords({ text, preview, length }: ReportText): string {
  return text === null && length > 0 ? `${preview} [masked, ${length} UTF-16 units]` : JSON.stringify(text ?? '')
}
