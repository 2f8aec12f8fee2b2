import { describe, expect, it } from 'vitest'
import { layout } from '../../../cache/layout/layout.ts'
import { field, list } from '../../../cache/layout/peek.ts'
import { inputOf, readAll } from '../test-input.ts'
import { inspect } from './inspect.ts'

const chat = (...contents: readonly string[]): readonly object[] =>
  contents.map((content) => ({ role: 'user', content }))
const answer = {
  id: 'chatcmpl-1',
  choices: [],
  usage: { prompt_tokens: 900, completion_tokens: 5, prompt_tokens_details: { cached_tokens: 512 } },
}

function call(request: object, more: object = {}, event: object = {}): object {
  return {
    event: 'model',
    model: 'openai/gpt-4o-mini',
    timestamp: '2026-03-01T10:00:00+00:00',
    completed: '2026-03-01T10:00:02+00:00',
    call: { request: { model: 'gpt-4o-mini', ...request }, response: answer, ...more },
    ...event,
  }
}

const sample = (events: readonly object[], more: object = {}): object => ({
  id: 'one',
  epoch: 1,
  input: 'x',
  target: 'y',
  events,
  attachments: {},
  ...more,
})

const log = (...samples: readonly object[]): string =>
  JSON.stringify({ version: 2, eval: { task: 't', model: 'openai/gpt-4o-mini' }, samples }, null, 2)

describe('inspect logs', () => {
  it('give one call per model event, with its attachments in place', async () => {
    const event = call({
      messages: chat('attachment://a1'),
      tools: [{ type: 'function', function: { name: 'attachment' } }],
    })
    const { recognised, exchanges, unread } = await readAll(
      inspect,
      log(sample([{ event: 'tool' }, event], { attachments: { a1: 'a long text' } })),
      'log.json',
    )
    expect(recognised).toBe(true)
    expect(unread).toEqual([])
    expect(exchanges).toHaveLength(1)
    expect(list(field(exchanges[0]?.request, 'messages'))).toEqual(chat('a long text'))
    expect(exchanges[0]).toMatchObject({
      kind: 'generate',
      provider: 'openai',
      response: answer,
      startedAt: Date.parse('2026-03-01T10:00:00Z'),
      endedAt: Date.parse('2026-03-01T10:00:02Z'),
      ids: { session: 'one/1', response: 'chatcmpl-1' },
      source: { file: 'log.json' },
      fidelity: { level: 'body', tools: true, breakpoints: true, redacted: false },
    })
    // The answer has its own.
    expect(exchanges[0]?.usage).toBeUndefined()
  })

  it('put messages together from the pool, and share them', async () => {
    const events = [
      call({}, { call_refs: [[0, 1]], call_key: 'messages' }),
      call(
        {},
        {
          call_refs: [
            [0, 2],
            [3, 4],
          ],
        },
      ),
    ]
    const pool = chat('one', 'attachment://a', 'left out', 'four')
    const more = { events_data: { calls: pool, messages: [] }, attachments: { a: 'two' } }
    const { exchanges } = await readAll(inspect, JSON.stringify(sample(events, more)), 'samples/one_epoch_1.json')
    expect(exchanges.map(({ request }) => field(request, 'messages'))).toEqual([
      chat('one'),
      chat('one', 'two', 'four'),
    ])
    const first = list(field(exchanges[0]?.request, 'messages'))[0]
    expect(list(field(exchanges[1]?.request, 'messages'))[0]).toBe(first)
  })

  it('leave out calls whose texts are missing, and say so', async () => {
    const events = [
      call({ messages: chat('attachment://gone') }),
      call({}, { call_refs: [[0, 9]] }),
      call({ messages: chat('here') }),
    ]
    const { exchanges, unread } = await readAll(inspect, log(sample(events)))
    expect(exchanges).toHaveLength(1)
    expect(unread.map(({ kind }) => kind)).toEqual(['no-body', 'no-body'])
  })

  it('make a body from the messages where the API was not logged', async () => {
    const event = {
      event: 'model',
      model: 'anthropic/claude-opus-4-8',
      timestamp: '2026-03-01T10:00:00Z',
      call: null,
      input: [
        { role: 'system', content: 'Be brief.', id: 'm1' },
        { role: 'user', content: 'hello', id: 'm2' },
        { role: 'assistant', content: '', tool_calls: [{ id: 'c1', function: 'look', arguments: { at: 1 } }] },
        { role: 'tool', content: 'seen', tool_call_id: 'c1', function: 'look' },
      ],
      tools: [{ name: 'look', description: 'Looks', parameters: { type: 'object' } }],
      output: {
        usage: {
          input_tokens: 10,
          output_tokens: 5,
          total_tokens: 1015,
          input_tokens_cache_read: 900,
          input_tokens_cache_write: 100,
        },
      },
    }
    const { exchanges } = await readAll(inspect, log(sample([event])))
    const { format, segments } = layout(exchanges[0]?.request)
    expect(format).toBe('anthropic')
    expect(segments.map(({ type }) => type)).toEqual(['tool', 'text', 'text', 'tool_use', 'tool_result'])
    expect(exchanges[0]?.usage).toMatchObject({ total: 1010, read: 900, write5m: 100, uncached: 10, output: 5 })
    expect(exchanges[0]?.fidelity).toMatchObject({ level: 'prompt', system: true, tools: true, breakpoints: false })
  })

  it('read the total as it is since input counts cached tokens in', async () => {
    const usage = { input_tokens: 1010, output_tokens: 5, total_tokens: 1015, input_tokens_cache_read: 900 }
    const event = call({ messages: chat('x') }, { response: null }, { output: { usage } })
    const { exchanges } = await readAll(inspect, log(sample([event])))
    expect(exchanges[0]?.usage).toMatchObject({ total: 1010, read: 900, uncached: 110 })
  })

  it('tell that images were taken out, and skip what Inspect answered itself', async () => {
    const image = { type: 'image_url', image_url: { url: '<base64-data-removed>' } }
    const events = [
      call({ messages: [{ role: 'user', content: [image] }] }),
      call({ messages: chat('x') }, {}, { cache: 'read' }),
    ]
    const { exchanges, unread } = await readAll(inspect, log(sample(events)))
    expect(exchanges.map(({ fidelity }) => fidelity.redacted)).toEqual([true])
    expect(unread.map(({ kind }) => kind)).toEqual(['other-traffic'])
  })

  it('find nothing to read in the other members of an archive, and nothing to complain of', async () => {
    const members: readonly (readonly [string, unknown])[] = [
      ['run.eval/header.json', { version: 2, eval: { task: 't' } }],
      ['run.eval/_journal/start.json', { version: 2, eval: { task: 't' }, plan: {} }],
      ['run.eval/_journal/summaries/1.json', [{ id: 1, epoch: 1, input: 'x', target: 'y' }]],
      ['run.eval/summaries.json', [{ id: 1, epoch: 1, input: 'x', target: 'y' }]],
      ['run.eval/reductions.json', [{ scorer: 's', samples: [] }]],
    ]
    for (const [name, content] of members) {
      expect(await readAll(inspect, JSON.stringify(content), name)).toEqual({
        recognised: true,
        exchanges: [],
        unread: [],
      })
    }
    expect(inspect.recognises(inputOf(JSON.stringify([{ id: 1, epoch: 1 }]), 'other.json').head)).toBe(false)
    expect(inspect.recognises(inputOf('{"version":2}').head)).toBe(false)
  })

  it('read the samples before the cut of a log that is not complete', async () => {
    const whole = log(sample([call({ messages: chat('one') })]), sample([call({ messages: chat('two') })]))
    const { exchanges, unread } = await readAll(inspect, whole.slice(0, -200))
    expect(exchanges).toHaveLength(1)
    expect(unread.length).toBeGreaterThan(0)
    expect(unread.every(({ kind }) => kind === 'broken')).toBe(true)
  })

  it('survive events and samples of other shapes', async () => {
    const odd = [null, 7, { event: 'model' }, { event: 'model', call: 5, model: 3, input: 'x' }, call({ messages: 5 })]
    const { exchanges, unread } = await readAll(
      inspect,
      log(sample(odd as object[]), { events: 'none' }, 5 as unknown as object),
    )
    expect(exchanges).toEqual([])
    expect(unread.map(({ kind }) => kind)).toEqual(['no-body', 'no-body', 'unknown-shape', 'broken'])
  })
})
