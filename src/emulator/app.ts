/** The HTTP side: which request goes where, and what is said to those that go nowhere. */
import { randomBytes } from 'node:crypto'
import type { HttpBindings } from '@hono/node-server'
import { Hono } from 'hono'
import { answerCall } from './call.ts'
import type { Emulation } from './emulation.ts'
import { exchange } from './exchange.ts'
import { inspect } from './inspect.ts'
import { jsonResponse, plainError } from './json-response.ts'
import { refusal } from './receive.ts'
import type { Endpoint } from './types.ts'

/** The app of one emulator. */
export function createApp(emulation: Emulation): Hono<{ Bindings: HttpBindings }> {
  const app = new Hono<{ Bindings: HttpBindings }>()
  app.use(async (context, next) => {
    const host = context.env.incoming.headers.host
    if (emulation.isAllowedHost(host)) return next()
    const message = `Requests for host ${JSON.stringify(host ?? '')} are not answered: only loopback names, the address that the emulator is bound to, and names that it was started with.`
    return plainError(403, 'permission_error', message)
  })
  inspect(app, emulation)
  const allowed = new Map<string, { readonly endpoint: Endpoint | null; methods: string[] }>()
  const allow = (path: string, method: string, endpoint: Endpoint | null): void => {
    const found = allowed.get(path)
    if (found === undefined) allowed.set(path, { endpoint, methods: [method] })
    else found.methods.push(method)
  }
  for (const path of ['/__indelible/requests', '/__indelible/caches']) {
    allow(path, 'GET', null)
    allow(path, 'DELETE', null)
  }
  for (const route of emulation.routes) {
    allow(route.path, 'POST', route.endpoint)
    app.post(route.path, (context) => exchange(context, emulation, route))
  }
  for (const endpoint of new Set(emulation.routes.map((route) => route.endpoint))) {
    for (const call of endpoint.calls ?? []) {
      allow(call.path, call.method, endpoint)
      app.on(call.method, call.path, (context) => answerCall(context, emulation, endpoint, call))
    }
  }
  for (const [path, { endpoint, methods }] of allowed) {
    app.all(path, (context) => {
      const message = `${context.req.method} is not allowed here; use ${methods.join(' or ')}.`
      const headers = { allow: methods.join(', ') }
      if (endpoint !== null) return refusal(endpoint, randomBytes(12).toString('hex'), 405, message, headers)
      const response = plainError(405, 'invalid_request_error', message)
      response.headers.set('allow', headers.allow)
      return response
    })
  }
  app.notFound(({ req: { method, path } }) => {
    const versioned = `/v1${path}`
    const hint = emulation.routes.some((route) => route.path === versioned)
      ? `The API is at ${versioned}: end the base URL of this client in /v1.`
      : `/__indelible lists what there is.`
    return plainError(404, 'not_found_error', `There is nothing at ${method} ${path}. ${hint}`)
  })
  app.get('/__indelible', () => jsonResponse({ status: 200, body: { paths: listed(allowed) } }))
  app.onError((error) => plainError(500, 'api_error', `The emulator failed: ${error.message}`))
  return app
}

/** Every path with its methods, in the order in which they were added. */
function listed(allowed: ReadonlyMap<string, { readonly methods: readonly string[] }>): string[] {
  return [...allowed].flatMap(([path, { methods }]) => methods.map((method) => `${method} ${path}`))
}
