/**
 * go-vcr, versions 1 and 2 of its file: `interactions` whose requests have a `url`. Bodies are strings, streams too.
 * Where `code` is missing, `status` begins with it.
 */
import { field, has } from '../../../cache/layout/peek.ts'
import { isYamlCassette, readInteractions, type Interaction } from '../cassette.ts'
import { readBody } from '../recorded-body.ts'
import type { LogReader } from '../types.ts'
import { nameOf } from './json-records.ts'

// The body of a request stands before its address, which may lie beyond the head; these stand around it.
const ownFields = /^[ -]*(?:url|proto|form|id|duration|content_length):/m

/** Reads cassettes of go-vcr. */
export const goVcr: LogReader = {
  id: 'go-vcr',
  title: 'go-vcr cassette',
  hint: 'Cassettes have no clock and often no account: when a hook filters headers, leave Date in.',
  recognises: (head) => isYamlCassette(head) && ownFields.test(head.text) && !/^[ -]*uri:/m.test(head.text),
  read: (input) => readInteractions(input, interaction),
}

function interaction(recorded: unknown): Interaction | undefined {
  const request = field(recorded, 'request')
  const response = field(recorded, 'response')
  if (!has(request, 'url')) return undefined
  const code = field(response, 'code') ?? Number.parseInt(String(field(response, 'status')), 10)
  return {
    url: field(request, 'url'),
    method: nameOf(field(request, 'method')),
    requestHeaders: field(request, 'headers'),
    request: readBody(field(request, 'body')),
    status: typeof code === 'number' && code >= 100 ? code : undefined,
    responseHeaders: field(response, 'headers'),
    response: readBody(field(response, 'body')),
  }
}
