/**
 * vcrpy and pytest-recording: `interactions` whose requests have a `uri`. A body is a string, bytes (`!!binary`, often
 * gzip), `{ string }`, `{ base64_string }`, or stands parsed beside its headers as `parsed_body`.
 *
 * The odd case is VCR for Ruby, which calls the list `http_interactions` and notes when it recorded.
 */
import { field, has } from '../../../cache/layout/peek.ts'
import { firstRequest, isYamlCassette, readInteractions, type Interaction } from '../cassette.ts'
import { readBase64, readBody, type RecordedBody } from '../recorded-body.ts'
import type { LogReader } from '../types.ts'
import { goVcr } from './go-vcr.ts'
import { nameOf, timeOf } from './json-records.ts'

/** Reads cassettes of vcrpy. */
export const vcrpy: LogReader = {
  id: 'vcrpy',
  title: 'vcrpy cassette',
  hint: 'Cassettes have no clock and often no account: in before_record_response, leave the Date header in.',
  // In YAML, the body of a request stands before its address, which may therefore lie beyond the head.
  recognises: (head) => has(firstRequest(head), 'uri') || (isYamlCassette(head) && !goVcr.recognises(head)),
  read: (input) => readInteractions(input, interaction),
}

function interaction(recorded: unknown): Interaction | undefined {
  const request = field(recorded, 'request')
  const response = field(recorded, 'response')
  if (!has(request, 'uri')) return undefined
  const status = field(field(response, 'status'), 'code')
  return {
    url: field(request, 'uri'),
    method: nameOf(field(request, 'method')),
    requestHeaders: field(request, 'headers'),
    request: bodyOf(request),
    status: typeof status === 'number' ? status : undefined,
    responseHeaders: field(response, 'headers'),
    response: bodyOf(response),
    endedAt: timeOf(field(recorded, 'recorded_at')),
  }
}

function bodyOf(message: unknown): RecordedBody {
  if (has(message, 'parsed_body')) return readBody(field(message, 'parsed_body'))
  const body = field(message, 'body')
  const encoded = field(body, 'base64_string')
  if (typeof encoded === 'string') return readBase64(encoded)
  return readBody(has(body, 'string') ? field(body, 'string') : body)
}
