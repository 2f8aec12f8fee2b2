/** httpmock recordings: one YAML document per exchange, `when` it was asked and `then` it answered; no host is kept. */
import { field, has, list } from '../../../src/cache/layout/peek.ts'
import { readBase64, readBody } from '../body.ts'
import type { Exchange, RecordingReader } from '../exchange.ts'

export const httpmock: RecordingReader = {
  name: 'httpmock',
  recognises: ([first]) => has(first, 'when') && has(first, 'then'),
  read: (documents) => documents.map(exchange),
}

function exchange(document: unknown, index: number): Exchange {
  const when = field(document, 'when')
  const then = field(document, 'then')
  const path = field(when, 'path')
  const status = field(then, 'status')
  const date = list(field(then, 'header')).find((header) => String(field(header, 'name')).toLowerCase() === 'date')
  const value = field(date, 'value')
  return {
    index,
    host: '',
    path: typeof path === 'string' ? path : '',
    request: bodyOf(when),
    response: bodyOf(then),
    status: typeof status === 'number' ? status : undefined,
    startedAt: undefined,
    date: typeof value === 'string' ? value : undefined,
  }
}

function bodyOf(side: unknown): unknown {
  const encoded = field(side, 'body_base64')
  return typeof encoded === 'string' ? readBase64(encoded) : readBody(field(side, 'body'))
}
