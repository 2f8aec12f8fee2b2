/**
 * Headers on their way through, as Node keeps them raw: names and values in turn, with the order, case and repetitions of
 * the wire. Each connection of a client has connections of its own to upstreams, so what the two sides agree on about
 * keeping it open holds for both, and `Connection` and `Keep-Alive` go through as they are.
 *
 * What belongs to one hop alone is left out (RFC 9110, 7.6.1), `Host` is the upstream's, and a body is framed as it was.
 */

/** A message whose headers are passed on. */
export interface RawMessage {
  readonly rawHeaders: readonly string[]
  readonly httpVersion: string
}

const oneHop = new Set(['proxy-connection', 'te', 'upgrade'])
/** What `Connection` cannot name away: these say where a message ends and whom it is for. */
const needed = new Set(['connection', 'keep-alive', 'close', 'content-length', 'transfer-encoding', 'host', 'trailer'])
/** Methods of which a request without a body says nothing about its length. */
const bodiless = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT'])

/** The headers of a request to `host`. */
export function requestHeaders(request: RawMessage & { readonly method: string }, host: string): string[] {
  const headers: string[] = []
  let hasHost = false
  const framing = framingOf(request.rawHeaders)
  for (const [name, value] of endToEnd(request.rawHeaders, framing)) {
    if (name.toLowerCase() !== 'host') headers.push(name, value)
    else if (!hasHost) {
      hasHost = true
      headers.push(name, host)
    }
  }
  // Without a length Node would announce chunks, and send none.
  if (framing === 'none' && !bodiless.has(request.method)) headers.push('Content-Length', '0')
  return headers
}

/** The headers of a response to a client of HTTP version `clientVersion`, which cannot take chunks before 1.1. */
export function responseHeaders(response: RawMessage, clientVersion: string): string[] {
  const framing = framingOf(response.rawHeaders)
  const isOld = clientVersion === '1.0'
  return endToEnd(response.rawHeaders, framing)
    .filter(([name]) => !(isOld && /^(?:transfer-encoding|trailer)$/i.test(name)))
    .flat()
}

/** Trailers in the pairs that Node takes. */
export function pairsOf(raw: readonly string[]): [string, string][] {
  const pairs: [string, string][] = []
  for (let index = 0; index + 1 < raw.length; index += 2) pairs.push([raw[index] ?? '', raw[index + 1] ?? ''])
  return pairs
}

type Framing = 'chunks' | 'length' | 'none'

function framingOf(raw: readonly string[]): Framing {
  const names = new Set(pairsOf(raw).map(([name]) => name.toLowerCase()))
  if (names.has('transfer-encoding')) return 'chunks'
  return names.has('content-length') ? 'length' : 'none'
}

function endToEnd(raw: readonly string[], framing: Framing): [string, string][] {
  const pairs = pairsOf(raw)
  const named = pairs.flatMap(([name, value]) => (isConnection(name) ? tokensOf(value) : []))
  const dropped = new Set(named.map((token) => token.toLowerCase()).filter((token) => !needed.has(token)))
  return pairs.flatMap(([name, value]): [string, string][] => {
    const lower = name.toLowerCase()
    if (oneHop.has(lower) || dropped.has(lower)) return []
    // There are trailers only behind chunks.
    if (lower === 'trailer' && framing !== 'chunks') return []
    if (!isConnection(name) || dropped.size === 0) return [[name, value]]
    const left = tokensOf(value).filter((token) => !dropped.has(token.toLowerCase()))
    return left.length === 0 ? [] : [[name, left.join(', ')]]
  })
}

function isConnection(name: string): boolean {
  return name.toLowerCase() === 'connection'
}

function tokensOf(value: string): string[] {
  return value
    .split(',')
    .map((token) => token.trim())
    .filter((token) => token !== '')
}
