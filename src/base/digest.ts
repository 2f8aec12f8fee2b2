/** Hashing for the layers that run anywhere: SHA-256 of `@noble/hashes`, never `node:crypto`. */
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'

/**
 * The first 128 bits of SHA-256 over the UTF-8 of `text`, as 32 hex digits: enough that two different texts of one
 * session never meet, short enough to store for each message.
 */
export function digest(text: string): string {
  return bytesToHex(sha256(utf8ToBytes(text)).subarray(0, 16))
}

/** The whole SHA-256 over the UTF-8 of `text` in Base64, as content security policies name what they let run. */
export function sha256Base64(text: string): string {
  return btoa(String.fromCharCode(...sha256(utf8ToBytes(text))))
}
