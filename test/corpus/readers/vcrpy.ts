/**
 * vcrpy cassettes: one YAML document with `interactions`, whose requests have a `uri`. A body is a string, bytes
 * (`!!binary`, often gzip), `{ string }`, `{ base64_string }`, or stands parsed beside its headers as `parsed_body`.
 */
import { field, has, list } from '../../../src/cache/layout/peek.ts'
import { readBase64, readBody } from '../body.ts'
import { addressOf, headerOf, type Exchange, type RecordingReader } from '../exchange.ts'

export const vcrpy: RecordingReader = {
  name: 'vcrpy',
  recognises: ([cassette]) => list(field(cassette, 'interactions')).some((each) => has(field(each, 'request'), 'uri')),
  read: ([cassette]) => list(field(cassette, 'interactions')).map(exchange),
}

function exchange(interaction: unknown, index: number): Exchange {
  const request = field(interaction, 'request')
  const response = field(interaction, 'response')
  const code = field(field(response, 'status'), 'code')
  return {
    index,
    ...addressOf(field(request, 'uri')),
    request: bodyOf(request),
    response: bodyOf(response),
    status: typeof code === 'number' ? code : undefined,
    startedAt: undefined,
    date: headerOf(field(response, 'headers'), 'date'),
  }
}

function bodyOf(message: unknown): unknown {
  if (has(message, 'parsed_body')) return field(message, 'parsed_body')
  const body = field(message, 'body')
  const encoded = field(body, 'base64_string')
  if (typeof encoded === 'string') return readBase64(encoded)
  return readBody(has(body, 'string') ? field(body, 'string') : body)
}
