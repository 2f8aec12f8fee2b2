/**
 * nock recordings: a JSON list of `{ scope, method, path, body, status, response }`. A response that came compressed is
 * one hex string or a list of them; headers are an object, or names and values in turn.
 */
import { field, has, list, textOf } from '../../../cache/layout/peek.ts'
import { readElements, type Interaction } from '../cassette.ts'
import { isHex, readBody, readHex, type RecordedBody } from '../recorded-body.ts'
import type { LogReader } from '../types.ts'
import { nameOf } from './json-records.ts'

/** Reads recordings of nock. */
export const nock: LogReader = {
  id: 'nock',
  title: 'nock recording',
  hint: 'Recordings have no account and no clock but the Date header: record with enable_reqheaders_recording.',
  recognises: ({ start }) => {
    const [first] = list(start)
    return /^https?:/.test(textOf(first, 'scope')) && has(first, 'path')
  },
  read: (input) => readElements(input, [], interaction),
}

function interaction(recorded: unknown): Interaction | undefined {
  const scope = nameOf(field(recorded, 'scope'))
  if (scope === undefined || !has(recorded, 'path')) return undefined
  const status = field(recorded, 'status')
  return {
    url: scope + String(field(recorded, 'path')),
    method: nameOf(field(recorded, 'method')),
    requestHeaders: field(recorded, 'reqheaders'),
    request: bodyOf(field(recorded, 'body')),
    status: typeof status === 'number' ? status : undefined,
    responseHeaders: field(recorded, 'rawHeaders') ?? field(recorded, 'headers'),
    response: bodyOf(field(recorded, 'response')),
  }
}

function bodyOf(body: unknown): RecordedBody {
  if (Array.isArray(body) && body.length > 0 && body.every(isHex)) return readHex(body)
  return isHex(body) ? readHex([body]) : readBody(body)
}
