/** Where the objects in the lists of a JSON text begin and end, by its signs alone: whether it is JSON is for its parser to say. */
import { backslash, closeList, closeObject, comma, openList, openObject, quote } from './json-signs.ts'

/** Where the next object in a list begins, from `from` on; -1 where none does. */
export function nextObject(text: Uint8Array, from: number): number {
  const last = text.length - 2
  for (let at = from; at < last; at++) {
    if (text[at] === openObject && text[at + 1] === quote && isWord(text[at + 2]) && isInList(text, at)) return at
  }
  return -1
}

function isWord(byte: number | undefined): boolean {
  if (byte === undefined) return false
  return (byte >= 0x61 && byte <= 0x7a) || (byte >= 0x41 && byte <= 0x5a) || byte === 0x5f || byte === 0x24
}

function isInList(text: Uint8Array, at: number): boolean {
  let before = at - 1
  while (before >= 0 && (text[before] ?? 0) <= 0x20) before--
  return text[before] === comma || text[before] === openList
}

/** Behind the object that begins at `from`; -1 where it does not end. */
export function endOfObject(text: Uint8Array, from: number): number {
  let depth = 0
  for (let at = from; at < text.length; at++) {
    const byte = text[at]
    if (byte === quote) {
      at = endOfString(text, at)
      if (at < 0) return -1
    } else if (byte === openObject || byte === openList) depth++
    else if (byte === closeObject || byte === closeList) {
      depth--
      if (depth === 0) return at + 1
    }
  }
  return -1
}

/** Its closing quote. */
function endOfString(text: Uint8Array, open: number): number {
  for (let at = open + 1; at < text.length; at++) {
    const byte = text[at]
    if (byte === quote) return at
    if (byte === backslash) at++
  }
  return -1
}
