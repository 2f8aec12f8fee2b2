/**
 * What Python prints for dictionaries, lists, strings and numbers (`repr`), as a JSON value. Nothing is evaluated.
 *
 * Only literals that have a JSON value are read; anything else (an object's `<…>`, `Decimal(…)`, a set) gives undefined
 * for the whole, since a prompt with a hole in it is none.
 */

const MAX_DEPTH = 200

/** The value, or undefined where the text is anything but one literal. */
export function parsePythonLiteral(text: string): unknown {
  const reader = new LiteralReader(text)
  try {
    const value = reader.value(0)
    reader.end()
    return value
  } catch (error) {
    if (error instanceof NotALiteralError) return undefined
    throw error
  }
}

class NotALiteralError extends Error {}

const words: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['True', true],
  ['False', false],
  ['None', null],
  ['true', true],
  ['false', false],
  ['null', null],
])
const escapes: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  b: '\b',
  f: '\f',
  v: '\v',
  a: '\x07',
  '0': '\0',
}

class LiteralReader {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  value(depth: number): unknown {
    if (depth > MAX_DEPTH) throw new NotALiteralError()
    const sign = this.#peek()
    if (sign === '{') return this.#object(depth)
    if (sign === '[') return this.#list(depth, ']')
    if (sign === '(') return this.#list(depth, ')')
    if (sign === "'" || sign === '"') return this.#string()
    return this.#wordOrNumber()
  }

  end(): void {
    if (this.#peek() !== '') throw new NotALiteralError()
  }

  #object(depth: number): unknown {
    this.#expect('{')
    const entries: [string, unknown][] = []
    while (this.#peek() !== '}') {
      const key = this.value(depth + 1)
      this.#expect(':')
      entries.push([String(key), this.value(depth + 1)])
      if (this.#peek() !== '}') this.#expect(',')
    }
    this.#expect('}')
    return Object.fromEntries(entries)
  }

  #list(depth: number, close: string): unknown {
    this.#at++
    const items: unknown[] = []
    while (this.#peek() !== close) {
      items.push(this.value(depth + 1))
      if (this.#peek() !== close) this.#expect(',')
    }
    this.#expect(close)
    return items
  }

  /** Neighbouring strings are one. */
  #string(): string {
    let result = ''
    for (let quote = this.#peek(); quote === "'" || quote === '"'; quote = this.#peek()) result += this.#piece(quote)
    return result
  }

  #piece(quote: string): string {
    const pieces: string[] = []
    let from = ++this.#at
    for (;;) {
      const sign = this.#text[this.#at]
      if (sign === undefined) throw new NotALiteralError()
      if (sign === quote) break
      if (sign === '\\') {
        pieces.push(this.#text.slice(from, this.#at), this.#escape())
        from = this.#at
      } else this.#at++
    }
    pieces.push(this.#text.slice(from, this.#at++))
    return pieces.join('')
  }

  #escape(): string {
    const sign = this.#text[this.#at + 1] ?? ''
    const digits = { x: 2, u: 4, U: 8 }[sign]
    if (digits === undefined) {
      this.#at += 2
      return escapes[sign] ?? (sign === '\n' ? '' : /['"\\]/.test(sign) ? sign : `\\${sign}`)
    }
    const code = this.#text.slice(this.#at + 2, this.#at + 2 + digits)
    const point = /^[0-9a-f]+$/i.test(code) && code.length === digits ? Number.parseInt(code, 16) : Infinity
    if (point > 0x10ffff) throw new NotALiteralError()
    this.#at += 2 + digits
    return String.fromCodePoint(point)
  }

  #wordOrNumber(): unknown {
    const pattern = /[\w.+-]+/y
    pattern.lastIndex = this.#at
    const word = pattern.exec(this.#text)?.[0] ?? ''
    this.#at += word.length
    if (words.has(word)) return words.get(word)
    if (!/^[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?$/i.test(word)) throw new NotALiteralError()
    return Number(word)
  }

  #peek(): string {
    while (/\s/.test(this.#text[this.#at] ?? '')) this.#at++
    return this.#text[this.#at] ?? ''
  }

  #expect(sign: string): void {
    if (this.#peek() !== sign) throw new NotALiteralError()
    this.#at++
  }
}
