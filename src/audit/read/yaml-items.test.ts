import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { stringify } from 'yaml'
import { inputOf } from './test-input.ts'
import { createYamlParser, yamlDocuments, yamlListItems, type YamlItem } from './yaml-items.ts'

const key = /^interactions:\s*$/

async function all(items: AsyncIterable<YamlItem>): Promise<YamlItem[]> {
  const found: YamlItem[] = []
  for await (const item of items) found.push(item)
  return found
}

function listOf(text: string): Promise<YamlItem[]> {
  const input = inputOf(text)
  return all(yamlListItems(input.lines(), key, (problem) => input.unread(problem)))
}

async function valuesOf(items: Promise<YamlItem[]>): Promise<unknown[]> {
  const parse = createYamlParser()
  return (await items).map((item) => parse(item)).map((record) => (record.type === 'value' ? record.value : record))
}

describe('the records of a list', () => {
  it('cuts where the dashes of the list stand, at any indentation, and says where each begins', async () => {
    for (const indent of ['', '    ']) {
      const text = `---\nversion: 2\ninteractions:\n\n${indent}- a: 1\n${indent}  b:\n${indent}  - c\n${indent}- a: 2\nend: 3\n`
      const items = await listOf(text)
      expect(items.map(({ line }) => line)).toEqual([5, 8])
      expect(await valuesOf(Promise.resolve(items))).toEqual([[{ a: 1, b: ['c'] }], [{ a: 2 }]])
    }
  })

  it('keeps the blank lines of a block of text', async () => {
    const text = 'interactions:\n- body: |+\n    data: 1\n\n    data: 2\n\n- body: x\n'
    expect(await valuesOf(listOf(text))).toEqual([[{ body: 'data: 1\n\ndata: 2\n\n' }], [{ body: 'x' }]])
  })

  it('gives back any list of texts that a YAML writer wrote', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({ body: fc.string({ unit: fc.constantFrom('a', '-', ' ', '\n', ':', "'", '"', '#', '{', '…') }) }),
        ),
        async (interactions) => {
          fc.pre(interactions.every(({ body }) => !/ \n|\n$/.test(body)))
          const items = await valuesOf(listOf(stringify({ interactions })))
          expect(items.flat()).toEqual(interactions)
        },
      ),
      { numRuns: 100 },
    )
  })

  it('finds nothing where the list is missing, empty, or something else', async () => {
    for (const text of [
      '',
      'interactions:',
      'interactions:\nversion: 1',
      'interactions: []',
      'other:\n- a',
      '- a\n- b',
    ]) {
      expect(await listOf(text)).toEqual([])
    }
  })

  it('reads what an earlier record gave a name, and does not fail on a name that nobody gave', async () => {
    const parse = createYamlParser()
    expect(parse({ text: '- a: &id001\n  - x\n  b: *id001', line: 1 })).toEqual({
      type: 'value',
      value: [{ a: ['x'], b: ['x'] }],
    })
    expect(parse({ text: '- c: *id001', line: 5 })).toEqual({ type: 'value', value: [{ c: ['x'] }] })
    expect(parse({ text: '- c: *id002', line: 9 })).toMatchObject({ type: 'broken', line: 9 })
  })

  it('leaves out a record that is too long, says which, and reads the next', async () => {
    const input = inputOf(`interactions:\n- a: 1\n- a: ${'x'.repeat(50)}\n  b: ${'x'.repeat(50)}\n- a: 3\n`)
    const items = await all(yamlListItems(input.lines(), key, (problem) => input.unread(problem), 80))
    expect(items.map(({ line }) => line)).toEqual([2, 5])
    expect(input.problems).toMatchObject([{ kind: 'too-large', line: 3 }])
  })

  it('does not unfold references without end', () => {
    const bomb = [
      '- a: &a',
      '  - x',
      ...Array.from({ length: 12 }, (_, at) => {
        const [from, to] = ['abcdefghijklm'[at], 'abcdefghijklm'[at + 1]]
        return `  ${to}: &${to}\n${`  - *${from}\n`.repeat(9).trimEnd()}`
      }),
    ].join('\n')
    expect(createYamlParser()({ text: bomb, line: 1 })).toMatchObject({ type: 'broken' })
  })

  it('names the line of the file in which a record breaks', async () => {
    const text = "interactions:\n- a: 1\n- b: 'unclosed\n  c: 2\n"
    expect((await valuesOf(listOf(text)))[1]).toMatchObject({ type: 'broken', line: 4 })
  })

  it('reads as numbers only what every recorder means as one', () => {
    const record = createYamlParser()({ text: 'a: 1e5\nb: 08\nc: 0o7\nd: 1.5e-05\ne: 12\nf: -3.5', line: 1 })
    expect(record).toMatchObject({ value: { a: '1e5', b: '08', c: '0o7', d: 0.000015, e: 12, f: -3.5 } })
  })
})

describe('the documents of a file', () => {
  it('cuts at each marker, and keeps what stands behind one', async () => {
    const input = inputOf('# first\n---\na: 1\n\n---\na: 2\n---\n--- {a: 3}\n...\n')
    const items = all(yamlDocuments(input.lines(), (problem) => input.unread(problem)))
    expect(await valuesOf(items)).toEqual([null, { a: 1 }, { a: 2 }, { a: 3 }])
    expect((await items).map(({ line }) => line)).toEqual([1, 3, 6, 8])
  })

  it('does not cut inside of a text that has dashes in it', async () => {
    const input = inputOf('a: |\n  x\n  ---\n  y\n---\na: 2\n')
    const items = all(yamlDocuments(input.lines(), (problem) => input.unread(problem)))
    expect(await valuesOf(items)).toEqual([{ a: 'x\n---\ny\n' }, { a: 2 }])
  })
})
