/**
 * Telling accounts apart without keeping their keys: a key becomes a hash under a secret that lives as long as the
 * emulator. The same key gives the same account; nothing that is stored or shown leads back to it.
 */
import { hash, randomBytes } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

/** Headers in which SDKs send their key, the one that wins first. */
const keyHeaders = ['x-api-key', 'x-goog-api-key', 'api-key', 'authorization'] as const

/** Names the account of a request from its headers and query; requests without a key are all `anonymous`. */
export type NameAccount = (headers: IncomingHttpHeaders, query: { readonly [name: string]: string }) => string

/** A naming of its own, which no other emulator shares. */
export function createAccountNames(): NameAccount {
  const secret = randomBytes(32).toString('hex')
  return (headers, query) => {
    const name = keyHeaders.find((header) => headers[header] !== undefined)
    const key = name === undefined ? query['key'] : String(headers[name]).replace(/^bearer\s+/i, '')
    return key === undefined || key === '' ? 'anonymous' : hash('sha256', secret + key, 'base64url').slice(0, 16)
  }
}
