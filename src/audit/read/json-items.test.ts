import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { splitItems, type ItemOptions } from './json-items.ts'

const encode = (text: string): Uint8Array => new TextEncoder().encode(text)

interface Found {
  readonly items: readonly unknown[]
  readonly lines: readonly number[]
  readonly broken: readonly string[]
}

async function read(
  text: string,
  path: readonly string[],
  size = text.length * 4,
  options: ItemOptions = {},
): Promise<Found> {
  const bytes = encode(text)
  const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
    bytes.subarray(at * size, (at + 1) * size),
  )
  const items: unknown[] = []
  const lines: number[] = []
  const broken: string[] = []
  const all = splitItems(chunks, path, { ...options, broken: (_, message) => broken.push(message) })
  for await (const { text, line } of all) {
    items.push(JSON.parse(text))
    lines.push(line)
  }
  return { items, lines, broken }
}

const string = fc.string({ unit: fc.constantFrom('a', '"', '\\', '[', '}', ',', ':', '\n', 'é', '😀') })
const value = fc.jsonValue({ maxDepth: 3 })
const list = fc.array(fc.oneof(value, string, fc.dictionary(string, string, { maxKeys: 3 })), { maxLength: 5 })

describe('splitItems', () => {
  it('finds the elements of a list at the top, in any layout and any chunks', async () => {
    await fc.assert(
      fc.asyncProperty(list, fc.integer({ min: 1, max: 9 }), fc.nat(2), async (list, size, indent) => {
        const found = await read(JSON.stringify(list, null, indent), [], size)
        expect(found.items).toEqual(JSON.parse(JSON.stringify(list)))
        expect(found.broken).toEqual([])
      }),
    )
  })

  it('finds a list by its path, whatever stands around it', async () => {
    await fc.assert(
      fc.asyncProperty(list, value, string, fc.integer({ min: 1, max: 9 }), async (list, other, text, size) => {
        const document = {
          before: { log: [1], entries: [2], other },
          text,
          log: { entry: other, entries: list, after: [3] },
          end: [4],
        }
        const found = await read(JSON.stringify(document, null, 1), ['log', 'entries'], size)
        expect(found.items).toEqual(JSON.parse(JSON.stringify(list)))
      }),
    )
  })

  it('is not led astray by the same names elsewhere', async () => {
    const text =
      '{"a":"log","log":"entries","x":{"log":{"entries":[1]}},"l":["log",{"entries":[2]}],"log":{"x":{"entries":[3]},"entries":[4,5]}}'
    expect((await read(text, ['log', 'entries'])).items).toEqual([4, 5])
  })

  it('says on which line an element begins', async () => {
    expect((await read('[\n  {\n "a": 1 },\n\n  2,\n  "x"\n]', [])).lines).toEqual([2, 5, 6])
  })

  it('gives what was complete of a document that was cut off, and says so', async () => {
    const found = await read('{"log":{"entries":[{"a":1},{"b":[1,2', ['log', 'entries'])
    expect(found.items).toEqual([{ a: 1 }])
    expect(found.broken).toEqual(['The file ends inside of the list log.entries.'])
  })

  it('says that the list is missing', async () => {
    expect((await read('{"log":{"pages":[1]}}', ['log', 'entries'])).broken).toEqual([
      'It does not hold the list log.entries.',
    ])
    expect((await read('{"a":[1]}', [])).broken).toEqual(['It does not hold the list.'])
    expect((await read('', [])).broken).toHaveLength(1)
  })

  it('leaves out an element beyond the limit and reads the next', async () => {
    const left: [number, number][] = []
    const options = { limit: 6, tooLarge: (line: number, bytes: number) => left.push([line, bytes]) }
    const found = await read('[1,\n"too long",\n"ok"]', [], 3, options)
    expect(found.items).toEqual([1, 'ok'])
    expect(left).toEqual([[2, 10]])
  })
})
