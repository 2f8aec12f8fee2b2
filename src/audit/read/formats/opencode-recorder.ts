/** opencode's http-recorder: `{ version, interactions }` in JSON, whose requests have a `url`; bodies are strings. */
import { field, has } from '../../../cache/layout/peek.ts'
import { firstRequest, readInteractions, type Interaction } from '../cassette.ts'
import { readBody } from '../recorded-body.ts'
import type { LogReader } from '../types.ts'
import { nameOf } from './json-records.ts'

/** Reads recordings of http-recorder. */
export const opencodeRecorder: LogReader = {
  id: 'opencode-recorder',
  title: 'opencode http-recorder cassette',
  hint: 'Recordings have no clock and no account: record with the date header of responses.',
  recognises: (head) => has(firstRequest(head), 'url'),
  read: (input) => readInteractions(input, interaction),
}

function interaction(recorded: unknown): Interaction | undefined {
  const request = field(recorded, 'request')
  const response = field(recorded, 'response')
  if (!has(request, 'url')) return undefined
  const status = field(response, 'status')
  return {
    url: field(request, 'url'),
    method: nameOf(field(request, 'method')),
    requestHeaders: field(request, 'headers'),
    request: readBody(field(request, 'body')),
    status: typeof status === 'number' ? status : undefined,
    responseHeaders: field(response, 'headers'),
    response: readBody(field(response, 'body')),
  }
}
