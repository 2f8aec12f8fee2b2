/**
 * JSON lines that somebody's own code wrote: a request body per line, bare or beside its answer; see `loose-record.ts`.
 * Asked last, since many formats look like this too. The log of `indelible record` is such a file, that of `indelible emulate`
 * one without bodies.
 */
import { fields } from '../../../cache/usage/fields.ts'
import { looseExchange, hasBody } from '../loose-record.ts'
import type { LogReader } from '../types.ts'
import { jsonRecords } from './json-records.ts'

const emulatorLog = 'indelible.emulate/1'
const recordLog = 'indelible.record/1'
const logs = new Set<unknown>([emulatorLog, recordLog])

/** Reads JSON lines with request bodies. */
export const genericJsonl: LogReader = {
  id: 'generic-jsonl',
  title: 'JSON lines with request bodies',
  hint: 'Log the body as the text that was sent, the headers, the time before the call, and the whole response.',

  recognises: ({ records, start }) =>
    [fields(start), ...records].some((record) => hasBody(record) || logs.has(record?.['schema'])),

  async *read(input) {
    let isEmulator = false
    for await (const { record, line } of jsonRecords(input)) {
      if (record['schema'] === emulatorLog) {
        // Once is enough: no line of it has a body.
        if (!isEmulator) input.unread({ line, kind: 'no-body', message: emulatorAdvice })
        isEmulator = true
        continue
      }
      if (record['schema'] === recordLog && !hasBody(record)) {
        // It has all that passed, lists of models and files too.
        input.unread({ line, kind: 'other-traffic', message: 'Not a call to a model.' })
        continue
      }
      const exchange = looseExchange(record, line, input)
      if (exchange !== null) yield exchange
    }
  },
}

const emulatorAdvice =
  'The log of indelible emulate has counts and no bodies: it says what was read and written, and needs no audit.'
