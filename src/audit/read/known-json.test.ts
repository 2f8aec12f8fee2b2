import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { KnownJson } from './known-json.ts'

/** Long enough to be worth remembering. */
const filler = 'Be brief, be right, say what you did. '.repeat(60)

function body(messages: readonly unknown[]): string {
  return JSON.stringify({
    at: 1,
    request: { model: 'claude-opus-5', system: [{ type: 'text', text: filler }], messages },
  })
}

function message(text: string): { readonly role: string; readonly content: string } {
  return { role: 'user', content: `${text} ${filler}` }
}

describe('KnownJson', () => {
  it('gives the same objects again for what an earlier document held', () => {
    const known = new KnownJson()
    const first = known.parse(encode(body([message('one')]))) as Parsed
    const second = known.parse(encode(body([message('one'), message('two')]))) as Parsed

    expect(second.request.system[0]).toBe(first.request.system[0])
    expect(second.request.messages[0]).toBe(first.request.messages[0])
    expect(second).toEqual(JSON.parse(body([message('one'), message('two')])))
  })

  it('tells objects apart that begin alike and end differently', () => {
    const known = new KnownJson()
    known.parse(encode(body([{ role: 'user', content: `${filler}one` }])))
    const text = body([{ role: 'user', content: `${filler}two` }])

    expect(known.parse(encode(text))).toEqual(JSON.parse(text))
  })

  it('looks into records in a list for what repeats', () => {
    const known = new KnownJson()
    const records = (count: number): string =>
      JSON.stringify(Array.from({ length: count }, () => ({ id: count, messages: [message('one')] })))
    const [first] = known.parse(encode(records(1))) as [Parsed['request']]
    const [, second] = known.parse(encode(records(2))) as [unknown, Parsed['request']]

    expect(second.messages[0]).toBe(first.messages[0])
  })

  it('throws as the engine does for what is no JSON, wherever it is broken', () => {
    const known = new KnownJson()
    const text = body([message('one'), message('two')])
    known.parse(encode(text))
    for (const broken of [text.slice(0, -1), text.slice(0, 4000), `${text}]`, text.replace('},{', '}{')]) {
      expect(() => known.parse(encode(broken))).toThrow(messageOf(broken))
    }
  })

  it('reads what is no UTF-8 as the decoder does, in what is known and around it', () => {
    const known = new KnownJson()
    const bytes = encode(body([message('one ?'), { role: 'user', content: '?' }]))
    for (const [at, byte] of bytes.entries()) if (byte === 0x3f) bytes[at] = 0xe2
    const expected = JSON.parse(new TextDecoder().decode(bytes)) as unknown

    expect(known.parse(bytes)).toEqual(expected)
    expect(known.parse(bytes)).toEqual(expected)
    expect(JSON.stringify(expected)).toContain('\ufffd')
  })

  it('drops a byte order mark at the start and nowhere else', () => {
    const known = new KnownJson()
    const text = body([message('one'), message('two')])
    known.parse(encode(text))

    expect(known.parse(encode(`\ufeff${text}`))).toEqual(JSON.parse(text))
    const broken = text.replace('},{', '}\ufeff,{')
    expect(() => known.parse(encode(broken))).toThrow(messageOf(broken))
  })

  it('does not take an object for a key', () => {
    const known = new KnownJson()
    const object = JSON.stringify(message('one'))
    const text = `{"list":[${object}],"at":1,${object}:2}`

    expect(() => known.parse(encode(text))).toThrow(messageOf(text))
  })

  it('holds nothing of the bytes that it was given', () => {
    const known = new KnownJson()
    const bytes = encode(body([message('one')]))
    const first = known.parse(bytes) as Parsed
    bytes.fill(0x20)
    const second = known.parse(encode(body([message('one'), message('two')]))) as Parsed

    expect(second.request.messages[0]).toBe(first.request.messages[0])
    expect(second).toEqual(JSON.parse(body([message('one'), message('two')])))
  })

  it('reads what is nested deeper than any stack', () => {
    const known = new KnownJson()
    const depth = 200_000
    const text = `{"list":[${JSON.stringify(message('one'))}],"deep":${'['.repeat(depth)}${']'.repeat(depth)}}`

    expect((known.parse(encode(text)) as { readonly list: unknown }).list).toEqual([message('one')])
  })

  it('forgets what was met longest ago, and goes on', () => {
    const known = new KnownJson(20_000)
    const texts = Array.from({ length: 40 }, (_, index) => body([message(`${index}`), message(`${index} again`)]))
    const first = known.parse(encode(texts[0] ?? '')) as Parsed
    for (const text of texts) expect(known.parse(encode(text))).toEqual(JSON.parse(text))
    const later = known.parse(encode(texts[0] ?? '')) as Parsed

    expect(later.request.messages[0]).not.toBe(first.request.messages[0])
    expect(later.request.system[0]).toBe(first.request.system[0])
  })

  it('is JSON.parse, for any documents that share parts, and for broken ones', () => {
    const shared = fc.array(fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.dictionary(fc.string(), fc.string())), {
      maxLength: 4,
    })
    const edit = fc.record({
      at: fc.nat(20_000),
      remove: fc.nat(3),
      insert: fc.constantFrom('', '{"', '"', '},{', '[', '\\', ',{"a'),
    })
    fc.assert(
      fc.property(shared, fc.array(edit, { maxLength: 6 }), (values, edits) => {
        const known = new KnownJson(40_000)
        const text = JSON.stringify({
          list: [...values, ...values.map((value) => ({ value, filler, quote: ',{"x":1},{"' }))],
        })
        const texts = [text, text, ...edits.map(({ at, remove, insert }) => edited(text, at, remove, insert))]
        for (const each of texts)
          expect(outcome(() => known.parse(encode(each)))).toEqual(outcome(() => JSON.parse(each)))
      }),
      { numRuns: 300 },
    )
  })
})

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

interface Parsed {
  readonly request: { readonly system: readonly unknown[]; readonly messages: readonly unknown[] }
}

function edited(text: string, at: number, remove: number, insert: string): string {
  const place = at % text.length
  return text.slice(0, place) + insert + text.slice(place + remove)
}

/** The value with the order of its keys, or that it threw. */
function outcome(parse: () => unknown): string {
  try {
    return JSON.stringify(parse())
  } catch (error) {
    return `${error instanceof SyntaxError}`
  }
}

function messageOf(text: string): string {
  try {
    JSON.parse(text)
  } catch (error) {
    return (error as Error).message
  }
  throw new Error('It is JSON.')
}
