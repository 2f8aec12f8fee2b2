/**
 * JSON lines that somebody's own code wrote: a request body per line, bare or beside its answer; see `loose-record.ts`.
 * Asked last, since many formats look like this too. The log of `indelible emulate` is such a file without bodies.
 */
import { fields } from '../../../cache/usage/fields.ts'
import { looseExchange, hasBody } from '../loose-record.ts'
import type { LogReader } from '../types.ts'
import { jsonRecords } from './json-records.ts'

const emulatorLog = 'indelible.emulate/1'

/** Reads JSON lines with request bodies. */
export const genericJsonl: LogReader = {
  id: 'generic-jsonl',
  title: 'JSON lines with request bodies',
  hint: 'Log the body as the text that was sent, the headers, the time before the call, and the whole response.',

  recognises: ({ records, start }) =>
    [fields(start), ...records].some((record) => hasBody(record) || record?.['schema'] === emulatorLog),

  async *read(input) {
    let isEmulator = false
    for await (const { record, line } of jsonRecords(input)) {
      if (record['schema'] === emulatorLog) {
        // Once is enough: no line of it has a body.
        if (!isEmulator) input.unread({ line, kind: 'no-body', message: emulatorAdvice })
        isEmulator = true
        continue
      }
      const exchange = looseExchange(record, line, input)
      if (exchange !== null) yield exchange
    }
  },
}

const emulatorAdvice =
  'The log of indelible emulate has counts and no bodies: it says what was read and written, and needs no audit.'
