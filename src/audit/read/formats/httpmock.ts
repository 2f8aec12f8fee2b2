/**
 * httpmock (Rust): one YAML document for each interaction, `when` it was asked and `then` it answered. Older versions
 * keep the path and no host; a body in bytes is `body_base64`.
 */
import { field, has } from '../../../cache/layout/peek.ts'
import { readDocuments, type Interaction } from '../cassette.ts'
import { readBase64, readBody, type RecordedBody } from '../recorded-body.ts'
import type { LogReader } from '../types.ts'
import { nameOf } from './json-records.ts'

/** Reads recordings of httpmock. */
export const httpmock: LogReader = {
  id: 'httpmock',
  title: 'httpmock recording',
  hint: 'Recordings have neither host nor account and often no clock: record the host and date headers.',
  // The body of the first request may reach beyond the head, so `then` need not be in it.
  recognises: ({ text }) => /^when:\s*$/m.test(text) && /^ +(?:path|method|path_includes|host):/m.test(text),
  read: (input) => readDocuments(input, interaction),
}

function interaction(recorded: unknown): Interaction | undefined {
  const when = field(recorded, 'when')
  const then = field(recorded, 'then')
  if (!has(recorded, 'when')) return undefined
  const status = field(then, 'status')
  return {
    host: nameOf(field(when, 'host')),
    path: nameOf(field(when, 'path')),
    method: nameOf(field(when, 'method')),
    requestHeaders: field(when, 'header'),
    request: bodyOf(when),
    status: typeof status === 'number' ? status : undefined,
    responseHeaders: field(then, 'header'),
    response: bodyOf(then),
  }
}

function bodyOf(side: unknown): RecordedBody {
  const encoded = field(side, 'body_base64')
  return typeof encoded === 'string' ? readBase64(encoded) : readBody(field(side, 'body'))
}
