import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { inputOf, readAll } from '../test-input.ts'
import { looseReaders, readers } from './readers.ts'

const all = [...readers, ...looseReaders]

// Names that readers look for, with values of the wrong kind as often as of the right one.
const names = `
  type request response body messages message model usage input output content role timestamp payload
  log entries interactions scope path url headers status turn id steps runs samples events
  resourceSpans attributes sessionId uuid duration_ms raw_request ws_events usage_details call_type
  system tools text info start_time method postData`
  .trim()
  .split(/\s+/)
const leaf = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    0,
    -1,
    1e21,
    '',
    'x',
    '{"messages":[]}',
    '{"',
    '2026-01-01T00:00:00Z',
    'assistant',
  ),
  fc.constantFrom<unknown>(
    'response.create',
    'token_count',
    'https://api.anthropic.com/v1/messages',
    'GENERATION',
    [],
    {},
  ),
)
const { record } = fc.letrec<{ record: unknown; value: unknown }>((tie) => ({
  record: fc.dictionary(fc.constantFrom(...names), tie('value'), { maxKeys: 6 }),
  value: fc.oneof({ maxDepth: 4 }, leaf, tie('record'), fc.array(tie('value'), { maxLength: 3 })),
}))

describe('every format', () => {
  it('has an id and a title of its own, and a hint of one line', () => {
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length)
    expect(new Set(all.map(({ title }) => title)).size).toBe(all.length)
    for (const { id, hint } of all) {
      expect(id).toMatch(/^[a-z0-9-]+$/)
      expect(hint ?? '').not.toContain('\n')
    }
  })

  it.each(all.map((reader) => [reader.id, reader] as const))(
    '%s throws for nothing that a file may hold',
    async (_, reader) => {
      await fc.assert(
        fc.asyncProperty(fc.array(record, { maxLength: 4 }), fc.nat(3), async (records, layout) => {
          const text = [
            records.map((each) => `${JSON.stringify(each)}\n`).join(''),
            JSON.stringify(records, null, 1),
            JSON.stringify(records[0] ?? null, null, 1),
            JSON.stringify(records).slice(0, -3),
          ][layout]
          const { exchanges } = await readAll(reader, text ?? '')
          for (const { source, fidelity } of exchanges)
            expect([typeof source.file, typeof fidelity.level]).toEqual(['string', 'string'])
        }),
      )
    },
  )

  it.each(all.map((reader) => [reader.id, reader] as const))('%s is not recognised in what is no log', (_, reader) => {
    for (const text of [
      '',
      '\n\n',
      'text',
      '{}',
      '[]',
      '[[]]',
      '[null]',
      'null',
      '{"a":1}\n{"b":2}\n',
      '- a\n- b\n',
      '\u0000\u0001',
    ]) {
      expect(reader.recognises(inputOf(text).head)).toBe(false)
    }
  })
})
