/**
 * Where a request goes: the first part of its path names the provider and is taken off, the rest is put behind the base of
 * the upstream as it came, byte for byte.
 *
 * The odd case is the version in the path. Base URLs of one and the same API are written with and without `/v1`, so a `/v1`
 * that both base and path have counts once, and Anthropic's messages are found under a base that lacks it: the AI SDK takes
 * the variable of the Anthropic SDK to end in `/v1`.
 */

/** One upstream, and the paths that lead there. */
export interface Route {
  /** As `/anthropic`; empty where every path leads there. */
  readonly prefix: string
  /** Where requests go. */
  readonly base: URL
  /** Where the log says that they went: another place than `base` only where that is an emulator. */
  readonly named: URL
}

/** Where one request goes. */
export interface Target {
  readonly route: Route
  /** Path and query, as they are sent. */
  readonly path: string
  /** The whole address, as the log has it. */
  readonly url: string
}

const version = '/v1'
const messages = /^\/messages(?=[/?]|$)/

/** The target of a request for `path`, which has its query; `undefined` where no route leads there. */
export function targetOf(path: string, routes: readonly Route[]): Target | undefined {
  const route = path.startsWith('/') ? routes.find(({ prefix }) => isBelow(path, prefix)) : undefined
  if (route === undefined) return undefined
  const rest = path.slice(route.prefix.length)
  return {
    route,
    path: joinPath(route.base.pathname, rest),
    url: route.named.origin + joinPath(route.named.pathname, rest),
  }
}

function isBelow(path: string, prefix: string): boolean {
  if (!path.startsWith(prefix)) return false
  return prefix === '' || path.length === prefix.length || '/?'.includes(path.charAt(prefix.length))
}

/** What is asked for below the path of a base. */
export function joinPath(base: string, rest: string): string {
  const root = base.replace(/\/+$/, '')
  if (root.endsWith(version)) return root + (hasVersion(rest) ? rest.slice(version.length) : rest) || '/'
  const path = root + (messages.test(rest) ? version : '') + rest
  return path.startsWith('/') ? path : `/${path}`
}

function hasVersion(path: string): boolean {
  return path.startsWith(version) && (path.length === version.length || '/?'.includes(path.charAt(version.length)))
}

/** What a client puts behind the address of the recorder, so that it writes paths as it did for `base`. */
export function clientPath({ prefix, base }: Route): string {
  return prefix + (base.pathname.replace(/\/+$/, '').endsWith(version) ? version : '')
}
