/**
 * The JSON value that a text begins with, also where the text ends in the middle of it. What was complete before the cut
 * is kept, and so is the start of a string that it goes through; a key without its value is dropped.
 */
import { parseJson } from '../../cache/usage/sse.ts'

/** The first value, closed where it was cut off; undefined where the text begins with no object or list. */
export function parseStart(text: string): unknown {
  const start = text.search(/\S/)
  if (text[start] !== '{' && text[start] !== '[') return undefined
  const closers: string[] = []
  // Up to here the text is complete but for its closers.
  let sound = start
  let isValue = false
  for (let at = start; at < text.length; at++) {
    const sign = text[at]
    if (sign === '"') {
      const end = endOfString(text, at + 1)
      if (end === -1) return closeString(text, at, sound, isValue, closers)
      at = end
    } else if (sign === '{' || sign === '[') {
      closers.push(sign === '{' ? '}' : ']')
      isValue = sign === '['
      sound = at + 1
    } else if (sign === '}' || sign === ']') {
      closers.pop()
      sound = at + 1
      if (closers.length === 0) return parseJson(text.slice(start, sound))
    } else if (sign === ',') {
      isValue = closers.at(-1) === ']'
      sound = at
    } else if (sign === ':') {
      isValue = true
    }
  }
  return parseJson(text.slice(start, sound) + ending(closers))
}

function closeString(text: string, at: number, sound: number, isValue: boolean, closers: readonly string[]): unknown {
  const kept = text.slice(0, at + 1) + text.slice(at + 1).replace(/(?<!\\)((?:\\\\)*)\\(?:u[0-9a-f]{0,3})?$/i, '$1')
  const closed = isValue ? parseJson(`${kept}"${ending(closers)}`) : undefined
  return closed ?? parseJson(text.slice(0, sound) + ending(closers))
}

function ending(closers: readonly string[]): string {
  return [...closers].reverse().join('')
}

function endOfString(text: string, from: number): number {
  let end = text.indexOf('"', from)
  while (end !== -1) {
    let at = end
    while (at > from && text[at - 1] === '\\') at--
    if ((end - at) % 2 === 0) return end
    end = text.indexOf('"', end + 1)
  }
  return -1
}
