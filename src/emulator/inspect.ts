/** What the emulator shows of itself, under `/__indelible`. */
import type { Hono } from 'hono'
import type { HttpBindings } from '@hono/node-server'
import type { Emulation } from './emulation.ts'
import { jsonResponse } from './json-response.ts'

/** Adds the routes: what arrived and what is cached; DELETE forgets it. */
export function inspect(app: Hono<{ Bindings: HttpBindings }>, { journal, scopes, routes }: Emulation): void {
  app.get('/__indelible/requests', () => {
    return new Response(`{"requests":[${journal.toJson()}],"dropped":${journal.dropped()}}`, {
      headers: { 'content-type': 'application/json' },
    })
  })
  app.delete('/__indelible/requests', () => {
    journal.clear()
    return new Response(null, { status: 204 })
  })
  app.get('/__indelible/caches', () => jsonResponse({ status: 200, body: { caches: scopes.list() as never } }))
  app.delete('/__indelible/caches', () => {
    forget({ scopes, routes })
    return new Response(null, { status: 204 })
  })
}

/** Forgets caches and what endpoints keep. */
export function forget({ scopes, routes }: Pick<Emulation, 'scopes' | 'routes'>): void {
  scopes.clear()
  for (const { endpoint } of routes) endpoint.clear?.()
}
