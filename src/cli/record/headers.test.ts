import { describe, expect, it } from 'vitest'
import { requestHeaders, responseHeaders } from './headers.ts'

const request = (rawHeaders: string[], method = 'POST'): string[] =>
  requestHeaders({ rawHeaders, httpVersion: '1.1', method }, 'api.example')
const response = (rawHeaders: string[], version = '1.1'): string[] =>
  responseHeaders({ rawHeaders, httpVersion: '1.1' }, version)

describe('the headers of a request', () => {
  it('keep order, case and repetitions, and name the host of the upstream', () => {
    const raw = ['X-b', '1', 'HOST', '127.0.0.1:1', 'x-A', '2', 'X-B', '3', 'Content-Length', '5']
    expect(request(raw)).toEqual(raw.with(3, 'api.example'))
  })

  it('leave out what belongs to one hop, and what Connection names so', () => {
    const raw = [
      'Host',
      'x',
      'Connection',
      'Upgrade, HTTP2-Settings',
      'Upgrade',
      'h2c',
      'HTTP2-Settings',
      'AAM',
      'TE',
      'trailers',
    ]
    expect(request([...raw, 'Content-Length', '0'])).toEqual(['Host', 'api.example', 'Content-Length', '0'])
  })

  it('keep what says whether a connection stays, and where a body ends, whatever Connection names', () => {
    const raw = [
      'Host',
      'x',
      'Connection',
      'keep-alive, content-length',
      'Keep-Alive',
      'timeout=5',
      'Content-Length',
      '3',
    ]
    expect(request(raw)).toEqual(raw.with(1, 'api.example'))
  })

  it('say that there is no body where a method with one has none', () => {
    expect(request(['Host', 'x'])).toEqual(['Host', 'api.example', 'Content-Length', '0'])
    expect(request(['Host', 'x'], 'GET')).toEqual(['Host', 'api.example'])
    expect(request(['Host', 'x', 'Transfer-Encoding', 'chunked'])).toEqual([
      'Host',
      'api.example',
      'Transfer-Encoding',
      'chunked',
    ])
  })
})

describe('the headers of a response', () => {
  it('keep order, case and repetitions', () => {
    const raw = ['set-cookie', 'a', 'Set-Cookie', 'b', 'Transfer-Encoding', 'chunked', 'Trailer', 'x-sum']
    expect(response(raw)).toEqual(raw)
  })

  it('announce neither chunks nor trailers to a client that knows none', () => {
    expect(response(['Transfer-Encoding', 'chunked', 'Trailer', 'x-sum', 'a', 'b'], '1.0')).toEqual(['a', 'b'])
  })

  it('announce no trailers behind a body of known length, which has none', () => {
    expect(response(['Content-Length', '3', 'Trailer', 'x-sum'])).toEqual(['Content-Length', '3'])
  })
})
