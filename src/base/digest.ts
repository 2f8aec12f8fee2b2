/**
 * Hashing for the layers that run anywhere: SHA-256 of `@noble/hashes`, never an import of `node:crypto`. A layer that
 * runs on Node only may bring the one of the runtime: the digests are the same, and had some twenty times faster.
 */
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'

let sha256Hex = portableSha256

/**
 * The first 128 bits of SHA-256 over the UTF-8 of `text`, as 32 hex digits: enough that two different texts of one
 * session never meet, short enough to store for each message.
 */
export function digest(text: string): string {
  return sha256Hex(text).slice(0, 32)
}

/** Has {@link digest} use another way to what {@link portableSha256} gives. */
export function bringSha256(runtime: (text: string) => string): void {
  sha256Hex = runtime
}

/** SHA-256 over the UTF-8 of `text`, in hex digits, wherever this runs. */
export function portableSha256(text: string): string {
  return bytesToHex(sha256(utf8ToBytes(text)))
}

/** The whole SHA-256 over the UTF-8 of `text` in Base64, as content security policies name what they let run. */
export function sha256Base64(text: string): string {
  return btoa(String.fromCharCode(...sha256(utf8ToBytes(text))))
}
