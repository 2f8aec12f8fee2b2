/**
 * nock recordings: a JSON list of `{ scope, method, path, body, status, response }`. A response that was compressed is
 * one hex string or a list of them; headers are an object, or names and values in turn.
 */
import { field, has, list } from '../../../src/cache/layout/peek.ts'
import { isHex, readBody, readHex } from '../body.ts'
import { addressOf, headerOf, type Exchange, type RecordingReader } from '../exchange.ts'

export const nock: RecordingReader = {
  name: 'nock',
  recognises: ([recording]) => list(recording).some((each) => has(each, 'scope') && has(each, 'response')),
  read: ([recording]) => list(recording).map(exchange),
}

function exchange(recorded: unknown, index: number): Exchange {
  const status = field(recorded, 'status')
  const headers = field(recorded, 'rawHeaders') ?? field(recorded, 'headers')
  return {
    index,
    ...addressOf(`${String(field(recorded, 'scope'))}${String(field(recorded, 'path') ?? '')}`),
    request: readRecorded(field(recorded, 'body')),
    response: readRecorded(field(recorded, 'response')),
    status: typeof status === 'number' ? status : undefined,
    startedAt: undefined,
    date: headerOf(Array.isArray(headers) ? pairs(headers) : headers, 'date'),
  }
}

function readRecorded(body: unknown): unknown {
  if (Array.isArray(body) && body.length > 0 && body.every(isHex)) return readHex(body)
  return isHex(body) ? readHex([body]) : readBody(body)
}

function pairs(headers: readonly unknown[]): Record<string, unknown> {
  const found: Record<string, unknown> = {}
  for (let at = 0; at + 1 < headers.length; at += 2) found[String(headers[at])] = headers[at + 1]
  return found
}
