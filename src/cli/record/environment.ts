/**
 * From the variables that are set to the routes of a run, and from these to the variables that a command is given. A base
 * URL that is already set is where requests went so far, so it becomes the upstream of its provider.
 */
import { CommandError } from '../errors.ts'
import type { Environment } from '../output.ts'
import { EMULATED, PROVIDERS, type Provider } from './providers.ts'
import { clientPath, type Route } from './routes.ts'

/** What is known before the recorder listens. */
export interface Plan {
  readonly routes: readonly Route[]
  /** The variables to set, each with what stands behind the address of the recorder. */
  readonly variables: readonly Variable[]
  /** Variables that are set to something else than an address that can be passed on. */
  readonly unusable: readonly string[]
}

interface Variable {
  readonly name: string
  readonly path: string
}

/** Where requests go, by what is set: to `upstream` all of them, where it is given. Throws {@link CommandError} for one that is no address. */
export function planFor(environment: Environment, upstream: string | undefined): Plan {
  if (upstream !== undefined) return toOne(environment, parseUpstream(upstream))
  const routes: Route[] = []
  const variables: Variable[] = []
  const unusable: string[] = []
  for (const provider of PROVIDERS) {
    if (isSet(environment, provider.unless) && provider.variables.every(({ name }) => !isSet(environment, name)))
      continue
    // What is set leads the others, which are read in its place by other clients.
    const set = provider.variables.map(({ name }) => environment[name]).find((value) => toUrl(value) !== undefined)
    for (const { name } of provider.variables) {
      const text = isSet(environment, name) ? environment[name] : (set ?? provider.base)
      if (text === undefined) continue
      const base = toUrl(text)
      if (base === undefined) unusable.push(name)
      else variables.push({ name, path: clientPath(routeTo(base, provider, routes)) })
    }
  }
  return { routes, variables, unusable }
}

/** The same for answers of an emulator at `url`: the log names the addresses of the providers. */
export function planForEmulator(url: string): Plan {
  const routes: Route[] = []
  const variables: Variable[] = []
  for (const { id, base, variables: found } of PROVIDERS) {
    if (base === undefined || !EMULATED.has(id)) continue
    const named = new URL(base)
    const route = { prefix: `/${id}`, base: new URL(named.pathname, url), named }
    routes.push(route)
    for (const { name } of found) variables.push({ name, path: clientPath(route) })
  }
  return { routes, variables, unusable: [] }
}

function toOne(environment: Environment, base: URL): Plan {
  const providers = PROVIDERS.filter((provider) => provider.base !== undefined && !isSet(environment, provider.unless))
  return {
    routes: [{ prefix: '', base, named: base }],
    variables: providers.flatMap((provider) => {
      const path = new URL(provider.base ?? '').pathname.replace(/\/$/, '')
      return provider.variables.map(({ name }) => ({ name, path }))
    }),
    unusable: [],
  }
}

/** The route to `base`, a new one unless there is one. */
function routeTo(base: URL, { id }: Provider, routes: Route[]): Route {
  const own = routes.filter(({ prefix }) => prefix.replace(/-\d+$/, '') === `/${id}`)
  const known = own.find((route) => route.base.href === base.href)
  if (known !== undefined) return known
  const route = { prefix: own.length === 0 ? `/${id}` : `/${id}-${own.length + 1}`, base, named: base }
  routes.push(route)
  return route
}

/** The variables for a command, on a recorder at `url`: base URLs, and ways around proxies to it. */
export function variablesFor(plan: Plan, url: string, environment: Environment): Record<string, string> {
  const variables = Object.fromEntries(plan.variables.map(({ name, path }) => [name, url + path]))
  return { ...variables, ...pastProxies(environment) }
}

/** Keys for an emulator, which asks for none, where clients would not start without. */
export function placeholderKeys(environment: Environment): Record<string, string> {
  const missing = PROVIDERS.filter(({ id, keys }) => EMULATED.has(id) && keys.every((key) => !isSet(environment, key)))
  return Object.fromEntries(missing.flatMap(({ keys }) => keys.slice(0, 1)).map((key) => [key, PLACEHOLDER]))
}

const PLACEHOLDER = 'indelible-emulator'

/** A client that sends everything through a proxy would look for this machine from there. */
function pastProxies(environment: Environment): Record<string, string> {
  const proxies = ['http_proxy', 'HTTP_PROXY', 'all_proxy', 'ALL_PROXY']
  if (!proxies.some((name) => isSet(environment, name))) return {}
  const known = environment['no_proxy'] ?? environment['NO_PROXY'] ?? ''
  const list = [known, '127.0.0.1', 'localhost'].filter((part) => part !== '').join(',')
  return { no_proxy: list, NO_PROXY: list }
}

function parseUpstream(text: string): URL {
  const url = toUrl(text)
  if (url !== undefined) return url
  throw new CommandError(
    `The upstream ${JSON.stringify(text)} is no address to pass requests on to. Give one as https://gateway.example, without a name and password in it.`,
  )
}

/** An address without credentials, query and fragment, which could not be passed on as they are. */
function toUrl(text: string | undefined): URL | undefined {
  if (text === undefined || !URL.canParse(text)) return undefined
  const url = new URL(text)
  const isPlain = url.username === '' && url.password === '' && url.search === '' && url.hash === ''
  return isPlain && (url.protocol === 'https:' || url.protocol === 'http:') ? url : undefined
}

function isSet(environment: Environment, name: string | undefined): boolean {
  return name !== undefined && (environment[name] ?? '') !== ''
}
