/** go-vcr cassettes, version 2: one YAML document with `interactions`, whose requests have a `url`; bodies are strings. */
import { field, has, list } from '../../../src/cache/layout/peek.ts'
import { readBody } from '../body.ts'
import { addressOf, headerOf, type Exchange, type RecordingReader } from '../exchange.ts'

export const goVcr: RecordingReader = {
  name: 'go-vcr',
  recognises: ([cassette]) => list(field(cassette, 'interactions')).some((each) => has(field(each, 'request'), 'url')),
  read: ([cassette]) => list(field(cassette, 'interactions')).map(exchange),
}

function exchange(interaction: unknown, index: number): Exchange {
  const request = field(interaction, 'request')
  const response = field(interaction, 'response')
  const code = field(response, 'code')
  return {
    index,
    ...addressOf(field(request, 'url')),
    request: readBody(field(request, 'body')),
    response: readBody(field(response, 'body')),
    status: typeof code === 'number' ? code : undefined,
    startedAt: undefined,
    date: headerOf(field(response, 'headers'), 'date'),
  }
}
