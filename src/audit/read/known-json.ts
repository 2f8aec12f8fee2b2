/**
 * JSON of which most was read before. Every request of a conversation holds the ones before it, so nearly all of a log is
 * text that an earlier line had; here an object in a list that is known is found by one comparison with its bytes, and the
 * value that was made of it is given again: the same object, neither decoded nor parsed nor allocated twice, and found by
 * identity by all that comes behind. Values are shared between results and must not be changed.
 *
 * Why that is exact: in JSON, `{"` and a letter after a comma or an opening bracket is always the start of an object,
 * since the same characters in a string would need the quote escaped, and a quote that ended one is followed by none. An
 * object ends where its text does, whatever follows. So the text of a whole object, found there, is that object; and as
 * it begins and ends with signs of ASCII, the rest decodes to the same text without it. Another object takes its place
 * while the rest is parsed, so that a document that is no JSON stays none.
 */
import { ByteBuffer } from './byte-buffer.ts'
import { endOfObject, nextObject } from './json-objects.ts'
import { comma } from './json-signs.ts'
import { KnownObjects, type KnownObject } from './known-objects.ts'
import { viewOf } from './same-bytes.ts'

/** Neighbours in a list. */
type Run = unknown[]

/** Remembers the objects in lists, the latest within a bound. */
export class KnownJson {
  readonly #largest: number
  readonly #known: KnownObjects
  /** Key of the objects that stand for known ones while the rest is parsed; no log can hold it by chance. */
  readonly #mark = `known ${crypto.randomUUID()}`
  readonly #rest = new ByteBuffer()

  /** Keeps objects of at most so many bytes in all. */
  constructor(most: number = MOST_BYTES) {
    this.#largest = most * LARGEST_SHARE
    this.#known = new KnownObjects(most)
  }

  /** As `JSON.parse` of the text that the bytes are, which it throws like. They may change afterwards. */
  parse(bytes: Uint8Array): unknown {
    if (bytes.length < WORTH_IT) return JSON.parse(textOf(bytes)) as unknown
    this.#rest.clear()
    const runs = this.#takeOut(bytes)
    if (runs.length === 0) return JSON.parse(textOf(bytes)) as unknown
    let value: unknown
    try {
      value = JSON.parse(textOf(this.#rest.bytes()))
    } catch {
      // Says what is wrong with the text that was given.
      return JSON.parse(textOf(bytes)) as unknown
    }
    putBack(value, runs, this.#mark)
    this.#known.trim()
    return value
  }

  /** The known objects of a document; leaves the rest of it, with one that says its number in place of each run of them. */
  #takeOut(bytes: Uint8Array): readonly Run[] {
    const view = viewOf(bytes)
    const runs: Run[] = []
    let run: Run = []
    let before: KnownObject | undefined
    let end = 0
    for (let at = nextObject(bytes, 0); at >= 0;) {
      const neighbour = before !== undefined && at === end + 1 && bytes[end] === comma ? before : undefined
      const known = this.#known.find(view, at, neighbour?.next) ?? this.#learn(bytes, at)
      if (known === undefined) {
        at = nextObject(bytes, at + 1)
        continue
      }
      if (neighbour === undefined) {
        this.#rest.append(bytes.subarray(end, at))
        this.#rest.append(encoder.encode(`{"${this.#mark}":${runs.length}}`))
        run = []
        runs.push(run)
      } else neighbour.next = known
      run.push(known.value)
      before = known
      end = at + known.length
      at = nextObject(bytes, end)
    }
    this.#rest.append(bytes.subarray(end))
    return runs
  }

  #learn(bytes: Uint8Array, at: number): KnownObject | undefined {
    const end = endOfObject(bytes, at)
    if (end - at < SHORTEST || end - at > this.#largest) return undefined
    const part = bytes.subarray(at, end)
    const text = textOf(part)
    // A whole record in a list is read once; what repeats is inside of it.
    if (CONVERSATION.test(text)) return undefined
    try {
      return this.#known.add(part, JSON.parse(text))
    } catch {
      return undefined
    }
  }
}

const MOST_BYTES = 16_000_000
/** Of one object: larger ones are looked into instead. */
const LARGEST_SHARE = 0.25
/** Shorter texts are parsed in no time. */
const WORTH_IT = 2_000
const SHORTEST = 160
const CONVERSATION = /"(?:messages|input|contents)"\s*:\s*\[\s*\{/

const encoder = new TextEncoder()
const decoder = new TextDecoder()

function textOf(bytes: Uint8Array): string {
  return decoder.decode(bytes)
}

/** They stand in lists only. Without recursion: a document may be nested deeper than the stack. */
function putBack(value: unknown, runs: readonly Run[], mark: string): void {
  const open = [value]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (Array.isArray(next)) expand(next, runs, mark, open)
    else if (typeof next === 'object' && next !== null) {
      for (const key in next) {
        const inner: unknown = next[key as keyof object]
        if (typeof inner === 'object' && inner !== null) open.push(inner)
      }
    }
  }
}

/** Puts what is known in its place, and all else of the list to what is `open`. */
function expand(list: unknown[], runs: readonly Run[], mark: string, open: unknown[]): void {
  let whole: unknown[] | undefined
  for (let index = 0; index < list.length; index++) {
    const element = list[index]
    const number: unknown =
      typeof element === 'object' && element !== null ? element[mark as keyof typeof element] : undefined
    if (typeof number === 'number') {
      whole ??= list.slice(0, index)
      for (const known of runs[number] ?? []) whole.push(known)
      continue
    }
    if (typeof element === 'object' && element !== null) open.push(element)
    whole?.push(element)
  }
  if (whole === undefined) return
  for (let index = 0; index < whole.length; index++) list[index] = whole[index]
}
