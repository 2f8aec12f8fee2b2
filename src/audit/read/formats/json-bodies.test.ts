import { describe, expect, it } from 'vitest'
import { inputOf, readAll } from '../test-input.ts'
import { jsonBodies } from './json-bodies.ts'

const body = (text: string): object => ({ model: 'gpt-4o', messages: [{ role: 'user', content: text }] })

describe('a JSON document of request bodies', () => {
  it.each([
    ['one body', body('1'), 1],
    ['a list of bodies', [body('1'), body('2')], 2],
    [
      'a list of requests with responses',
      [{ request: body('1'), response: { id: 'c' } }, { request: { body: body('2') } }],
      2,
    ],
    ['bodies under names', { first: body('1'), second: body('2') }, 2],
  ])('may be %s', async (_, document, count) => {
    const { recognised, exchanges, unread } = await readAll(jsonBodies, JSON.stringify(document, null, 2))
    expect([recognised, exchanges.length, unread]).toEqual([true, count, []])
    expect(exchanges[0]).toMatchObject({ request: body('1'), provider: 'openai', fidelity: { time: false } })
  })

  it('says on which line of a list each stands', async () => {
    const { exchanges } = await readAll(jsonBodies, `[\n${JSON.stringify(body('1'))},\n${JSON.stringify(body('2'))}\n]`)
    expect(exchanges.map(({ source }) => source.line)).toEqual([2, 3])
  })

  it('counts what is none of them', async () => {
    const { exchanges, unread } = await readAll(jsonBodies, JSON.stringify([body('1'), 3, { a: 1 }, null]))
    expect(exchanges).toHaveLength(1)
    expect(unread.map(({ kind }) => kind)).toEqual(['broken', 'unknown-shape', 'broken'])
  })

  it('may be several objects over many lines, as jq writes them, of which the last was cut off', async () => {
    const text = [body('a\n}\n{'), { request: body('b') }, body('c')]
      .map((each) => JSON.stringify(each, null, 2))
      .join('\n')
    const whole = await readAll(jsonBodies, text)
    expect([whole.recognised, whole.unread]).toEqual([true, []])
    expect(whole.exchanges.map(({ source }) => source.line)).toEqual([1, 10, 21])
    const cut = await readAll(jsonBodies, text.slice(0, -20))
    expect([cut.exchanges.length, cut.unread]).toMatchObject([2, [{ line: 21, kind: 'broken' }]])
  })

  it('that was cut off is broken', async () => {
    expect((await readAll(jsonBodies, '{\n "model": "gpt-4o", "messages": [')).unread).toMatchObject([
      { kind: 'broken' },
    ])
  })

  it.each([
    ['lines of bodies', `${JSON.stringify(body('1'))}\n${JSON.stringify(body('2'))}\n`],
    ['one such line', `${JSON.stringify(body('1'))}\n`],
    ['a line and something else', `${JSON.stringify(body('1'))}\noops`],
    ['a conversation', JSON.stringify([{ role: 'user', content: 'a' }])],
    ['nothing', ''],
    ['other JSON', '{\n"a": 1}'],
  ])('is not seen in %s', (_, text) => {
    expect(jsonBodies.recognises(inputOf(text).head)).toBe(false)
  })
})
