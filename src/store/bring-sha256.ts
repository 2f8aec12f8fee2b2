/** Node's SHA-256 for the digests of all layers, brought by the stores that run on Node anyway. */
import { hash } from 'node:crypto'
import { bringSha256 } from '../base/digest.ts'

/** From here on, digests are had from Node. They are the same ones. */
export function bringNodeSha256(): void {
  bringSha256(nodeSha256)
}

/** SHA-256 over the UTF-8 of `text`, in hex digits. */
export function nodeSha256(text: string): string {
  return hash('sha256', text, 'hex')
}
