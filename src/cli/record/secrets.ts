/**
 * What of a request may be written down: everything but what lets its sender in. An audit has to tell accounts apart, so
 * in place of a key stands a hash of it under a secret that this run alone knows; all other credentials are left out.
 *
 * The odd case is the body. Requests carry tokens for servers of tools that the provider is to call; there the value gives
 * way to its hash, and no other byte is touched.
 */
import { createHmac, randomBytes } from 'node:crypto'
import { pairsOf } from './headers.ts'

/** A keyed hash, as it stands in a log: hexadecimal, so that no reader takes it for a filler. */
export type HideSecret = (secret: string) => string

/** Keys of a run that are remembered: mostly there is one. */
const REMEMBERED = 64

/** Hashes under a secret of its own. */
export function createHiding(secret: Uint8Array = randomBytes(32)): HideSecret {
  const known = new Map<string, string>()
  return (text) => {
    const found = known.get(text)
    if (found !== undefined) return found
    const hidden = createHmac('sha256', secret).update(text).digest('hex').slice(0, 32)
    if (known.size < REMEMBERED) known.set(text, hidden)
    return hidden
  }
}

/** Headers that say whose call it is. */
const accounts = new Set(['authorization', 'x-api-key', 'api-key', 'x-goog-api-key', 'x-amz-security-token'])
const secretHeader = /auth|cookie|key|token(?!s)|secret|credential|signature|passw|jwt|bearer|dpop|referer|-pat$/i
const secretParameter = /key|token|secret|credential|sig|auth|passw/i
const tokenInBody = /("(?:authorization_token|authorization|x-api-key)"\s*:\s*")((?:[^"\\]|\\.)+)"/gi

/** The headers of a request or response without credentials; in place of those that name an account, its hash. */
export function withoutSecrets(raw: readonly string[], hide: HideSecret): [string, string][] {
  return pairsOf(raw).flatMap(([name, value]): [string, string][] => {
    if (accounts.has(name.toLowerCase())) return [[name, hide(accountOf(value))]]
    return secretHeader.test(name) ? [] : [[name, value]]
  })
}

/** What of a credential says whose it is: of an AWS signature the id of its key, since the rest differs per request. */
function accountOf(value: string): string {
  const signed = /\bCredential=([^/,\s]+)/.exec(value)?.[1]
  return signed ?? value.replace(/^(?:bearer|basic|key)\s+/i, '').trim()
}

/** An address, in which the hash of a key stands in its place. */
export function hideInUrl(url: string, hide: HideSecret): string {
  return url.replace(/([?&])([^=&#]*)=([^&#]*)/g, (whole, sign: string, name: string, value: string) =>
    secretParameter.test(name) && value !== '' ? `${sign}${name}=${hide(value)}` : whole,
  )
}

/** The text of a body, in which the hash of a token stands in its place. */
export function hideInBody(text: string, hide: HideSecret): string {
  // Nearly no body has one, and looking for the words alone costs a tenth.
  if (!text.includes('uthorization') && !text.includes('pi-key"') && !text.includes('pi-Key"')) return text
  return text.replace(tokenInBody, (_whole, start: string, token: string) => `${start}${hide(token)}"`)
}
