/**
 * Which `Host` headers are answered. A web page can point a name of its own at 127.0.0.1 and would then reach a server on
 * loopback as its own origin (DNS rebinding); its requests still carry that name. So only names of loopback and the host
 * that the server was bound to pass. A server bound to every address is reached by address, or by names that it was told.
 */
import { isIP } from 'node:net'

const wildcards = new Set(['0.0.0.0', '::'])

/** A test for `Host` headers. `bound` is the address that is listened on, `names` are further ones. */
export function createHostCheck(bound: string, names: readonly string[]): (header: string | undefined) => boolean {
  const known = new Set(['localhost', '::1', bound.toLowerCase(), ...names.map((name) => name.toLowerCase())])
  return (header) => {
    const host = hostname(header)
    if (host === undefined) return false
    if (known.has(host) || host.endsWith('.localhost')) return true
    const version = isIP(host)
    return version !== 0 && (wildcards.has(bound) || (version === 4 && host.startsWith('127.')))
  }
}

/** The name or address without the port, an IPv6 one without its brackets. */
function hostname(header: string | undefined): string | undefined {
  const found = /^(?:\[(?<six>[^\]]+)\]|(?<name>[^:[\]]+))(?::\d{1,5})?$/.exec(header ?? '')?.groups
  return (found?.['six'] ?? found?.['name'])?.toLowerCase()
}
