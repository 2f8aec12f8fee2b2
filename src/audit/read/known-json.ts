/**
 * JSON of which most was read before. Every request of a conversation holds the ones before it, so nearly all of a log is
 * text that an earlier line had; here an object in a list that is known is found by one comparison with its text, and the
 * value that was made of it is given again: the same object, neither parsed nor allocated twice, and found by identity by
 * all that comes behind. Values are shared between results and must not be changed.
 *
 * Why that is exact: in JSON, `{"` and a letter after a comma or an opening bracket is always the start of an object,
 * since the same characters in a string would need the quote escaped, and a quote that ended one is followed by none. An
 * object ends where its text does, whatever follows. So the text of a whole object, found there, is that object.
 * A document that is no JSON stays none when objects in it are replaced by strings.
 */
import { backslash, closeList, closeObject, comma, openList, openObject, quote } from './json-signs.ts'

/** Remembers the objects in lists, the latest within a bound. */
export class KnownJson {
  readonly #most: number
  readonly #byStart = new Map<number, Known[]>()
  /** Begins the strings that stand for known objects while the rest is parsed; no log can hold it by chance. */
  readonly #mark = `known ${crypto.randomUUID()} `
  #characters = 0
  #reads = 0

  /** Keeps objects of at most so many UTF-16 units in all. */
  constructor(most: number = MOST_CHARACTERS) {
    this.#most = most
  }

  /** As `JSON.parse`, which it throws like. */
  parse(text: string): unknown {
    if (text.length < WORTH_IT) return JSON.parse(text) as unknown
    this.#reads++
    const found: unknown[] = []
    const pieces: string[] = []
    let rest = 0
    for (let at = nextObject(text, 0); at >= 0;) {
      const known = this.#find(text, at) ?? this.#learn(text, at)
      if (known === undefined) {
        at = nextObject(text, at + 1)
        continue
      }
      known.usedBy = this.#reads
      pieces.push(text.slice(rest, at), `"${this.#mark}${found.length}"`)
      found.push(known.value)
      rest = at + known.text.length
      at = nextObject(text, rest)
    }
    if (found.length === 0) return JSON.parse(text) as unknown
    pieces.push(text.slice(rest))
    let value: unknown
    try {
      value = JSON.parse(pieces.join(''))
    } catch {
      // Says what is wrong with the text that was given.
      return JSON.parse(text) as unknown
    }
    this.#putBack(value, found)
    this.#trim()
    return value
  }

  #find(text: string, at: number): Known | undefined {
    return this.#byStart.get(startOf(text, at))?.find((known) => text.slice(at, at + known.text.length) === known.text)
  }

  #learn(text: string, at: number): Known | undefined {
    const end = endOfObject(text, at)
    const length = end - at
    if (length < SHORTEST || length > this.#most * LARGEST_SHARE) return undefined
    const part = text.slice(at, end)
    // A whole record in a list is read once; what repeats is inside of it.
    if (CONVERSATION.test(part)) return undefined
    let value: unknown
    try {
      value = JSON.parse(part)
    } catch {
      return undefined
    }
    const known: Known = { text: copyOf(part), value, usedBy: this.#reads }
    const start = startOf(text, at)
    const rivals = this.#byStart.get(start)
    if (rivals === undefined) this.#byStart.set(start, [known])
    else if (rivals.unshift(known) > MOST_RIVALS) this.#characters -= rivals.pop()?.text.length ?? 0
    this.#characters += length
    return known
  }

  /** They stand in lists only. Without recursion: a document may be nested deeper than the stack. */
  #putBack(value: unknown, found: readonly unknown[]): void {
    const open = [value]
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (Array.isArray(next)) {
        for (let index = 0; index < next.length; index++) {
          const element: unknown = next[index]
          if (typeof element === 'object' && element !== null) open.push(element)
          else if (typeof element === 'string' && element.startsWith(this.#mark)) {
            next[index] = found[Number(element.slice(this.#mark.length))]
          }
        }
      } else if (typeof next === 'object' && next !== null) {
        for (const key in next) {
          const inner: unknown = next[key as keyof object]
          if (typeof inner === 'object' && inner !== null) open.push(inner)
        }
      }
    }
  }

  /** Forgets what was met longest ago. */
  #trim(): void {
    if (this.#characters <= this.#most) return
    const all = [...this.#byStart.values()].flat().toSorted((one, other) => other.usedBy - one.usedBy)
    this.#byStart.clear()
    this.#characters = 0
    for (const known of all) {
      if (this.#characters + known.text.length > this.#most * KEPT_SHARE) break
      this.#characters += known.text.length
      const start = startOf(known.text, 0)
      const rivals = this.#byStart.get(start)
      if (rivals === undefined) this.#byStart.set(start, [known])
      else rivals.push(known)
    }
  }
}

interface Known {
  readonly text: string
  readonly value: unknown
  usedBy: number
}

const MOST_CHARACTERS = 16_000_000
/** Of one object: larger ones are looked into instead. */
const LARGEST_SHARE = 0.25
const KEPT_SHARE = 0.75
/** Shorter texts are parsed in no time. */
const WORTH_IT = 2_000
/** Units by which objects are looked up; what is no longer has no place in the map. */
const START = 96
const SHORTEST = 160
/** Objects that start alike. */
const MOST_RIVALS = 16
const CONVERSATION = /"(?:messages|input|contents)"\s*:\s*\[\s*\{/

/** Where the next object in a list begins, from `from` on; -1 where none does. */
function nextObject(text: string, from: number): number {
  for (let at = text.indexOf('{"', from); at >= 0; at = text.indexOf('{"', at + 1)) {
    if (isWord(text.charCodeAt(at + 2)) && isInList(text, at)) return at
  }
  return -1
}

function isWord(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || code === 0x5f || code === 0x24
}

function isInList(text: string, at: number): boolean {
  let before = at - 1
  while (before >= 0 && text.charCodeAt(before) <= 0x20) before--
  const code = text.charCodeAt(before)
  return code === comma || code === openList
}

/** A number for the first units of an object. */
function startOf(text: string, at: number): number {
  let hash = 0
  const end = Math.min(at + START, text.length)
  for (let index = at; index < end; index++) hash = (Math.imul(hash, 31) + text.charCodeAt(index)) | 0
  return hash
}

/** Behind the object that begins at `from`; -1 where it does not end. */
function endOfObject(text: string, from: number): number {
  let depth = 0
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) {
      at = endOfString(text, at)
      if (at < 0) return -1
    } else if (code === openObject || code === openList) depth++
    else if (code === closeObject || code === closeList) {
      depth--
      if (depth === 0) return at + 1
    }
  }
  return -1
}

/** Its closing quote. */
function endOfString(text: string, open: number): number {
  for (let at = text.indexOf('"', open + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let slashes = at
    while (text.charCodeAt(slashes - 1) === backslash) slashes--
    if ((at - slashes) % 2 === 0) return at
  }
  return -1
}

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** The same text, which does not keep the one alive that it was cut from. Another one where it is no Unicode: never found, and harmless. */
function copyOf(text: string): string {
  return decoder.decode(encoder.encode(text))
}
