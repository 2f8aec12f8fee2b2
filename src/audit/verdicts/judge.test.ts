import { describe, expect, it } from 'vitest'
import { wholeFidelity } from '../test-turns.ts'
import { answer, callsOf, claude, conversation, judged, mark, rules, user } from './test-log.ts'
import type { Verdict } from './types.ts'

const kinds = (list: readonly Verdict[]): readonly string[] => list.map(({ verdict }) => verdict)
const sumOf = ({ reasons }: Verdict): number => reasons.reduce((sum, { tokens }) => sum + tokens, 0)

describe('a conversation that only grows', () => {
  it('is first and then appended, and loses nothing', () => {
    const { list } = judged(callsOf(conversation(4)))
    expect(kinds(list)).toEqual(['first', 'appended', 'appended', 'appended'])
    for (const verdict of list) {
      expect(verdict.lostTokens).toBe(0)
      expect(verdict.divergence).toBeNull()
      expect(verdict.basis).toBe('simulated')
    }
    expect(list[1]).toMatchObject({ rewrittenTokens: 0, gapSeconds: 30, ttlSeconds: 300 })
    expect(list[0]).toMatchObject({ rewrittenTokens: null, gapSeconds: null, ttlSeconds: null })
  })

  it.each<[string, (index: number) => object]>([
    ['metadata of the call', (index) => ({ metadata: { user_id: `call ${index}` } })],
    ['sampling parameters', (index) => ({ temperature: index / 10, top_p: 1 - index / 10 })],
  ])('stays so with %s', (_, over) => {
    expect(kinds(judged(callsOf(conversation(3, over))).list)).toEqual(['first', 'appended', 'appended'])
  })

  it('stays so with a system message that is appended', () => {
    const [first] = conversation(1) as [{ messages: unknown[] }]
    const told = [...first.messages, { role: 'system', content: 'It is Tuesday now.' }]
    const { list } = judged(callsOf([first, claude(told), claude([...told, answer('Yes.'), user('Go on.')])]))
    expect(kinds(list)).toEqual(['first', 'appended', 'appended'])
  })

  it('stays so where a text is sent as a string and then as an array', () => {
    const bodies = [
      claude([user('One')]),
      claude([{ role: 'user', content: 'One' }, answer('Yes.'), user('Two')]),
      claude([
        user('One', false),
        { role: 'assistant', content: 'Yes.' },
        user('Two', false),
        answer('Yes.'),
        user('Three'),
      ]),
    ]
    expect(kinds(judged(callsOf(bodies)).list)).toEqual(['first', 'appended', 'appended'])
  })

  it('is a repeat where the same is sent again, and a prewarm where no answer is asked for', () => {
    const [body] = conversation(1)
    const { list } = judged([{ body: { ...body, max_tokens: 0 } }, { body, repeats: true }, { body, repeats: true }])
    expect(kinds(list)).toEqual(['prewarm', 'repeat', 'repeat'])
    expect(list[2]?.lostTokens).toBe(0)
  })
})

describe('a change of the text', () => {
  it('is a rewrite from where the parent was cached, and the culprits share all of it', () => {
    const bodies = conversation(3, (index) => ({
      system: [{ type: 'text', text: `It is 12:0${index}. ${rules}`, ...mark }],
    }))
    const { list } = judged(callsOf(bodies))
    expect(kinds(list)).toEqual(['first', 'rewritten', 'rewritten'])
    const [first, second] = list
    expect(second?.divergence).toMatchObject({ kind: 'changed', path: 'system[0]', offset: 10 })
    expect(second?.lostTokens).toBe(first?.prediction?.written.at(-1)?.tokens)
    expect(second?.reasons[0]).toMatchObject({ kind: 'rewritten', tokens: second?.lostTokens })
    expect(second?.rewrittenTokens).toBeGreaterThan(0)
  })

  it('costs what stands between the last entry in front of it and the end of the parent', () => {
    const bodies = conversation(4)
    const edited = structuredClone(bodies[3]) as { messages: { content: { text: string }[] }[] }
    edited.messages[2]!.content[0]!.text = 'Something else.'
    const { list } = judged(callsOf([...bodies.slice(0, 3), edited]))
    const last = list[3]
    expect(last?.verdict).toBe('rewritten')
    expect(last?.divergence?.path).toBe('messages[2].content[0]')
    // The first message is still there, and its entry is within reach.
    expect(last?.prediction?.hit?.path).toBe('messages[0].content[0]')
    expect(last?.lostTokens).toBe(
      (list[2]?.prediction?.written.at(-1)?.tokens ?? 0) - (last?.prediction?.usage.read ?? 0),
    )
    expect(sumOf(last as Verdict)).toBe(last?.lostTokens)
  })

  it('takes all of it also where an older entry is gone', () => {
    const bodies = conversation(5)
    const plain = bodies.slice(1, 4).map((body) => ({ ...body, system: rules }))
    const edited = structuredClone(bodies[4]) as { messages: { content: { text: string }[] }[] }
    edited.messages[0]!.content[0]!.text = 'Something else.'
    // The tail is kept alive by each turn; the entry of the system prompt is used only by the first.
    const { list } = judged(callsOf([bodies[0], ...plain, edited], (index) => ({ at: index * 100 })))
    const last = list[4]
    expect(last?.prediction?.misses[0]?.reason).toBe('expired')
    expect(last?.reasons).toMatchObject([
      { kind: 'rewritten', tokens: last?.lostTokens },
      { kind: 'expired', tokens: 0 },
    ])
  })

  it('behind all that is cached is no loss', () => {
    const withTime = (body: object, time: string): object => {
      const { messages } = body as { messages: unknown[] }
      return { ...body, messages: [...messages, { role: 'user', content: `It is ${time}.` }] }
    }
    const { list } = judged(callsOf(conversation(3).map((body, index) => withTime(body, `12:0${index}`))))
    expect(kinds(list)).toEqual(['first', 'appended', 'appended'])
    expect(list[1]?.reasons).toContainEqual(expect.objectContaining({ kind: 'rewritten', tokens: 0 }))
    expect(list[1]?.lostTokens).toBe(0)
  })

  it('is no loss where the report shows that all was read', () => {
    const calls = callsOf(conversation(2)).map((call, index) => ({
      ...call,
      body: { ...(call.body as object), system: [{ type: 'text', text: `${index} ${rules}`, ...mark }] },
    }))
    const { list } = judged([
      { ...calls[0], usage: [0, 2000, 5] },
      { ...calls[1], usage: [2000, 200, 5] },
    ])
    expect(list[1]?.lostTokens).toBe(0)
    expect(list[1]?.verdict).toBe('appended')
    expect(list[1]?.reproduced).toBe(false)
  })
})

describe('a pause', () => {
  it('longer than the lifetime is expired', () => {
    const { list } = judged(callsOf(conversation(2), (index) => ({ at: index * 400 })))
    expect(list[1]).toMatchObject({ verdict: 'expired', gapSeconds: 400, ttlSeconds: 300 })
    expect(list[1]?.lostTokens).toBe(list[0]?.prediction?.written.at(-1)?.tokens)
  })

  it('together with a change is a rewrite, since neither alone would give anything back', () => {
    const bodies = conversation(2, (index) => ({ system: [{ type: 'text', text: `${index} ${rules}`, ...mark }] }))
    const { list } = judged(callsOf(bodies, (index) => ({ at: index * 400 })))
    expect(list[1]?.verdict).toBe('rewritten')
    expect(list[1]?.reasons.map(({ kind }) => kind)).toEqual(['rewritten', 'expired'])
    expect(sumOf(list[1] as Verdict)).toBe(list[1]?.lostTokens)
  })

  it('says nothing where the log has no times', () => {
    const over = { fidelity: { ...wholeFidelity, time: false } }
    const { list } = judged(callsOf(conversation(2), (index) => ({ at: index * 4000, over })))
    expect(list[1]?.verdict).toBe('appended')
    expect(list[1]?.gapSeconds).toBeNull()
  })

  it('is no loss where the provider still read the entry', () => {
    const { list } = judged(
      callsOf(conversation(2), (index) => ({ at: index * 400, usage: index === 0 ? [0, 2000, 5] : [2000, 200, 5] })),
    )
    expect(list[1]).toMatchObject({ verdict: 'appended', lostTokens: 0, reproduced: false })
  })
})

describe('another scope', () => {
  it.each<[string, object, readonly string[]]>([
    ['the model', { model: 'claude-sonnet-5' }, ['model']],
    ['the tool choice', { tool_choice: { type: 'any' } }, ['tool_choice']],
    ['thinking', { thinking: { type: 'adaptive' } }, ['thinking']],
  ])('by %s is named', (_, over, parameters) => {
    const { list } = judged(callsOf(conversation(2, (index) => (index === 0 ? {} : over))))
    expect(list[1]).toMatchObject({ verdict: 'scope', divergence: null })
    expect(list[1]?.reasons[0]).toMatchObject({ kind: 'scope', parameters })
    expect(list[1]?.lostTokens).toBeGreaterThan(100)
  })

  it('by a tool choice still reads tools and system', () => {
    const bodies = conversation(2, (index) => (index === 0 ? {} : { tool_choice: { type: 'any' } }))
    const { list } = judged(callsOf(bodies))
    expect(list[1]?.prediction?.hit?.path).toBe('system[0]')
    expect(list[1]?.lostTokens).toBeLessThan(list[1]?.prediction?.usage.read ?? 0)
  })

  it('by account or host is another cache', () => {
    for (const part of ['account', 'host'] as const) {
      const { list } = judged(callsOf(conversation(2), (index) => ({ over: { [part]: `number ${index}` } })))
      expect(list[1]?.reasons[0]).toMatchObject({ kind: 'scope', parameters: [part] })
      expect(list[1]?.prediction?.usage.read).toBe(0)
      expect(list[1]?.lostTokens).toBe(list[0]?.prediction?.written.at(-1)?.tokens)
    }
  })

  it('is not taken from an account that is not known beside one that is', () => {
    const { list } = judged(callsOf(conversation(2), (index) => ({ over: index === 0 ? { account: 'one' } : {} })))
    expect(list[1]?.verdict).toBe('appended')
  })

  it('by the model that answered instead is found in the answer', () => {
    const served = ['claude-opus-5', 'claude-haiku-5-5', 'claude-haiku-5-5']
    const usage = { input_tokens: 5, cache_read_input_tokens: 0, cache_creation_input_tokens: 2000 }
    const { list } = judged(
      callsOf(conversation(3), (index) => ({
        over: {
          response: {
            model: served[index],
            usage: index === 2 ? { ...usage, cache_read_input_tokens: 2000, cache_creation_input_tokens: 200 } : usage,
          },
        },
      })),
    )
    expect(kinds(list)).toEqual(['first', 'scope', 'appended'])
    expect(list[1]?.reasons[0]?.parameters).toEqual(['served model'])
  })

  it('by a header counts only where reads were lost', () => {
    const run = (read: number): Verdict | undefined =>
      judged(
        callsOf(conversation(2), (index) => ({
          usage: index === 0 ? [0, 2000, 5] : [read, 2200 - read, 5],
          over: { headers: { 'anthropic-beta': index === 0 ? 'a,b' : 'b,c' } },
        })),
      ).list[1]
    expect(run(2000)?.verdict).toBe('appended')
    expect(run(0)).toMatchObject({ verdict: 'scope', reproduced: false })
    expect(run(0)?.reasons[0]?.parameters).toEqual(['anthropic-beta'])
  })
})

describe('breakpoints', () => {
  it('that are missing are named, with what they would give', () => {
    const bodies = [0, 1, 2].map((index) => {
      const body = conversation(index + 1).at(-1)
      return JSON.parse(
        JSON.stringify(body, (key, value: unknown) => (key === 'cache_control' ? undefined : value)),
      ) as object
    })
    const { list } = judged(callsOf(bodies))
    expect(kinds(list)).toEqual(['first', 'unmarked', 'unmarked'])
    expect(list[2]?.lostTokens).toBe(list[2]?.prediction?.common.tokens)
  })

  it('that stay at the front leave the conversation unmarked', () => {
    const bodies = conversation(6).map((body) => {
      const { messages } = body as { messages: { content: { text: string }[] }[] }
      const plain = messages.map(({ content, ...rest }) => ({
        ...rest,
        content: content.map(({ text }) => ({ type: 'text', text })),
      }))
      return { ...body, messages: plain }
    })
    const { list } = judged(callsOf(bodies))
    expect(list[5]?.verdict).toBe('unmarked')
    expect(list[5]?.prediction?.hit?.path).toBe('system[0]')
  })

  it('are not asked for where the log leaves them out', () => {
    const over = { fidelity: { ...wholeFidelity, level: 'prompt', breakpoints: false } } as const
    const { list } = judged(
      callsOf(conversation(2), (index) => ({ over, usage: index === 0 ? [0, 2000, 5] : [2000, 200, 5] })),
    )
    expect(kinds(list)).toEqual(['first', 'appended'])
    expect(list[1]?.basis).toBe('reported')
    expect(list[1]?.missing.join(' ')).toContain('breakpoints')
  })

  it('more than a window behind are out of reach', () => {
    const many = Array.from({ length: 30 }, (_, index) => [answer(`a${index}`), user(`u${index}`, index === 29)]).flat()
    const { list } = judged(
      callsOf([claude([user('One. '.repeat(200))]), claude([user('One. '.repeat(200), false), ...many])]),
    )
    expect(list[1]).toMatchObject({ verdict: 'out-of-window', divergence: null })
    expect(list[1]?.reasons[0]?.detail).toContain('20 positions')
    expect(list[1]?.lostTokens).toBeGreaterThan(0)
  })

  it('below the minimum write nothing, and both numbers are said', () => {
    const { list } = judged(callsOf(conversation(2, () => ({ system: 'Short.' }))))
    expect(list[1]?.verdict).toBe('below-minimum')
    expect(list[1]?.reasons[0]?.detail).toMatch(/512.*\d+/)
  })
})

describe('calls at the same time', () => {
  it('cannot read what is being written', () => {
    const [body] = conversation(1)
    const { list } = judged([
      { body, at: 0 },
      { body: claude([user('Another task, for another agent.')]), at: 1, parent: null },
      { body: claude([user('And a third one.')]), at: 60, parent: null },
    ])
    expect(kinds(list)).toEqual(['first', 'not-yet-readable', 'first'])
    expect(list[1]?.lostTokens).toBeGreaterThan(1000)
    expect(list[2]?.prediction?.usage.read).toBeGreaterThan(1000)
  })

  it('of two streams share what both begin with, and other accounts do not', () => {
    const bodies = [claude([user('One task.')]), claude([user('Another task.')])]
    const [, shared] = judged(callsOf(bodies, () => ({ parent: null }))).list
    expect(shared).toMatchObject({ verdict: 'first', lostTokens: 0 })
    expect(shared?.prediction?.usage.read).toBeGreaterThan(1000)
    const [, alone] = judged(callsOf(bodies, (index) => ({ parent: null, over: { account: `account ${index}` } }))).list
    expect(alone?.prediction?.usage.read).toBe(0)
  })

  it('are played in the order of time, whatever the order of the log', () => {
    const [first, second] = conversation(2)
    const { list } = judged([
      { body: second, at: 60, parent: null },
      { body: first, at: 0, parent: null },
    ])
    expect(list[0]?.prediction?.usage.read).toBeGreaterThan(1000)
    expect(list[1]?.prediction?.usage.read).toBe(0)
  })
})

describe('a log that begins in the middle', () => {
  it('starts warm, and judges what follows by what it has seen', () => {
    const bodies = conversation(6).slice(3)
    const { list } = judged(
      callsOf(bodies, (index) => ({ usage: index === 0 ? [2400, 200, 5] : [2400 + index * 200, 200, 5] })),
    )
    expect(kinds(list)).toEqual(['warm-start', 'appended', 'appended'])
    expect(list.map(({ reproduced }) => reproduced)).toEqual([null, true, true])
  })

  it('does not call a turn wrong that reads what was there before', () => {
    const bodies = conversation(6).slice(3)
    const edited = structuredClone(bodies[1]) as { messages: { content: { text: string }[] }[] }
    edited.messages[4]!.content[0]!.text = 'Something else.'
    const { list } = judged([
      { body: bodies[0], usage: [2400, 200, 5] },
      { body: edited, usage: [2200, 300, 5] },
    ])
    expect(list[1]?.reproduced).toBeNull()
    expect(list[1]?.verdict).toBe('rewritten')
    // Of 2,600 tokens that were cached it has room for 2,505.
    expect(list[1]?.lostTokens).toBe(305)
  })
})

describe('what the provider did', () => {
  const known = { account: 'a', host: 'api.anthropic.com', headers: { 'anthropic-version': '2023-06-01' } }
  const missed = (over: object): Verdict | undefined =>
    judged(
      callsOf(conversation(3), (index) => ({
        usage: index === 0 ? [0, 2000, 5] : index === 1 ? [0, 2200, 5] : [2200, 200, 5],
        over: { ...known, ...(index === 1 ? over : {}) },
      })),
    ).list[1]

  it('is its own miss where all is known and nothing changed', () => {
    const verdict = missed({})
    expect(verdict).toMatchObject({ verdict: 'provider-miss', missing: [], reproduced: false })
    expect(verdict?.lostTokens).toBe(verdict?.prediction?.usage.read)
    expect(verdict?.confidence).toBeGreaterThan(0.9)
  })

  it.each<[string, object, RegExp]>([
    ['the account', { account: undefined }, /key/],
    ['the host', { host: undefined }, /host/],
    ['the headers', { headers: undefined }, /headers/],
    ['the parameters', { fidelity: { ...wholeFidelity, parameters: false } }, /parameters/],
    ['the tools', { fidelity: { ...wholeFidelity, tools: false } }, /tool/],
    ['what was blacked out', { fidelity: { ...wholeFidelity, redacted: true } }, /blacked out/],
    ['the times', { fidelity: { ...wholeFidelity, time: false } }, /times/],
  ])('is unknown where the log lacks %s, which is named', (_, over, sentence) => {
    const verdict = missed(over)
    expect(verdict?.verdict).toBe('unknown')
    expect(verdict?.missing.join('\n')).toMatch(sentence)
  })

  it('is unknown near the end of a lifetime', () => {
    const { list } = judged(
      callsOf(conversation(2), (index) => ({
        at: index * 290,
        usage: index === 0 ? [0, 2000, 5] : [0, 2200, 5],
        over: known,
      })),
    )
    expect(list[1]).toMatchObject({ verdict: 'unknown', missing: [] })
    expect(list[1]?.reasons[0]?.detail).toContain('end of its lifetime')
  })

  it('is told from edits that it makes itself', () => {
    const context_management = { applied_edits: [{ type: 'clear_tool_uses_20250919' }] }
    const { list } = judged(
      callsOf(conversation(2), (index) =>
        index === 0
          ? {
              over: {
                ...known,
                response: {
                  context_management,
                  usage: { input_tokens: 5, cache_read_input_tokens: 0, cache_creation_input_tokens: 900 },
                },
              },
            }
          : { usage: [0, 2200, 5], over: known },
      ),
    )
    expect(list[1]?.verdict).toBe('server-edited')
    expect(list[0]?.reproduced).toBeNull()
  })

  it('is another scope where the cache key changed, also where it promises nothing', () => {
    const [first, second] = ['one', 'two'].map((prompt_cache_key, index) => ({
      body: {
        model: 'gpt-4.1',
        prompt_cache_key,
        messages: [
          { role: 'system', content: rules },
          ...['Q', 'R'].slice(0, index + 1).map((content) => ({ role: 'user', content })),
        ],
      },
      over: { response: { usage: { prompt_tokens: 2000, prompt_tokens_details: { cached_tokens: 0 } } } },
    }))
    const { list } = judged([first!, second!])
    expect(list[1]?.verdict).toBe('scope')
    expect(list[1]?.reasons[0]?.parameters).toEqual(['prompt_cache_key'])
    expect(list[1]?.lostTokens).toBe(list[1]?.prediction?.usage.read)
  })

  it('refuses more breakpoints than it takes, and that is said', () => {
    const system = Array.from({ length: 5 }, (_, at) => ({ type: 'text', text: `${at} ${rules}`, ...mark }))
    const body = claude([user('One', false)], { system })
    const [refused, open, answered] = [
      { status: 400 },
      {},
      { response: { usage: { input_tokens: 9000, output_tokens: 1 } } },
    ].map((over) => judged([{ body, over }]).list[0])
    expect(refused).toMatchObject({
      verdict: 'failed',
      reasons: [{ detail: expect.stringMatching(/5 breakpoints.*4/) as string }],
    })
    expect(open?.verdict).toBe('first')
    expect(open?.reasons).toContainEqual(expect.objectContaining({ kind: 'failed', tokens: 0 }))
    expect(answered?.reasons.map(({ kind }) => kind)).not.toContain('failed')
  })

  it('is noted, not judged, where it promises nothing', () => {
    const body = (count: number): object => ({
      model: 'gpt-4.1',
      messages: [
        { role: 'system', content: rules },
        ...Array.from({ length: count }, (_, at) => ({ role: 'user', content: `Q ${at}` })),
      ],
    })
    const response = (read: number): object => ({
      usage: { prompt_tokens: 2000, prompt_tokens_details: { cached_tokens: read }, completion_tokens: 1 },
    })
    const { list } = judged([1, 2].map((count) => ({ body: body(count), over: { response: response(0) } })))
    expect(list[1]).toMatchObject({ verdict: 'appended', reproduced: true, lostTokens: 0 })
    expect(list[1]?.reasons[0]?.detail).toContain('does not promise')
  })

  it('fails without touching the cache', () => {
    const [first, second] = conversation(2)
    const { list } = judged([
      { body: first, over: { status: 529 } },
      { body: first, parent: 0, repeats: true },
      { body: second },
    ])
    expect(kinds(list)).toEqual(['failed', 'repeat', 'appended'])
    expect(list[0]).toMatchObject({ prediction: null, lostTokens: 0, confidence: 1, missing: [] })
    expect(list[1]?.prediction?.usage.read).toBe(0)
  })

  it('says why it missed, and both words are counted', () => {
    const bodies = conversation(2, (index) => ({ system: [{ type: 'text', text: `${index} ${rules}`, ...mark }] }))
    const diagnostics = { cache_miss_reason: { type: 'system_changed' } }
    const { confusion, list } = judged(
      callsOf(bodies, (index) => (index === 0 ? {} : { over: { response: { diagnostics } } })),
    )
    expect(list[1]?.providerReason).toBe('system_changed')
    expect(confusion).toEqual([{ provider: 'system_changed', ours: 'rewritten', count: 1 }])
  })
})

describe('a compaction', () => {
  const before = conversation(4)
  const tail = (before[3] as { messages: unknown[] }).messages.slice(-3)

  it.each<[string, readonly unknown[], object]>([
    ['a summary', [user('This session is being continued from a previous conversation. It was about questions.')], {}],
    ['a tag', [user('<summary>\nThe user asked questions.\n</summary>')], {}],
    [
      'a kept tail behind something new',
      [user('They talked about this and that before.', false), ...tail, answer('Yes.'), user('Go on.')],
      {},
    ],
    ['a record of it', [user('Let us go on.')], { events: [{ type: 'compaction' }] }],
    [
      'a block of its own',
      [{ role: 'assistant', content: [{ type: 'compaction', content: 'So far: questions.' }] }, user('Go on.')],
      {},
    ],
  ])('is seen by %s', (_, messages, over) => {
    const { list } = judged([...callsOf(before), { body: claude(messages), over }])
    expect(list[4]?.verdict).toBe('compacted')
    expect(list[4]?.lostTokens).toBeGreaterThan(0)
  })

  it.each<[string, readonly unknown[]]>([
    ['the oldest messages that are dropped', [...tail, answer('Yes.'), user('Go on.')]],
    ['another first message', [user('Let us talk about something else.')]],
  ])('is not %s', (_, messages) => {
    const { list } = judged([...callsOf(before), { body: claude(messages) }])
    expect(list[4]?.verdict).toBe('rewritten')
  })

  it('is not a record of it where the text goes on', () => {
    const [first, second] = conversation(2)
    const { list } = judged([{ body: first }, { body: second, over: { events: [{ type: 'compaction' }] } }])
    expect(list[1]?.verdict).toBe('appended')
  })
})

describe('a header block in front of the system prompt', () => {
  const withHeader = (index: number): object => ({
    system: [
      { type: 'text', text: `x-anthropic-billing-header: cch=${index}${'ab'.repeat(index)};` },
      { type: 'text', text: rules, ...mark },
    ],
  })

  it('is no change where reads go on behind it', () => {
    const { list } = judged(
      callsOf(conversation(4, withHeader), (index) => ({
        usage: index === 0 ? [0, 2200, 5] : [2000 + index * 200, 200, 5],
      })),
    )
    expect(kinds(list)).toEqual(['first', 'appended', 'appended', 'appended'])
    expect(list.map(({ reproduced }) => reproduced)).toEqual([null, true, true, true])
    expect(list[1]?.divergence).toBeNull()
  })

  it.each<[string, (index: number) => { usage?: readonly [number, number, number] }]>([
    ['nothing is reported', () => ({})],
    ['nothing is read', (index) => ({ usage: [0, 2200 + index * 200, 5] })],
  ])('is a rewrite where %s', (_, over) => {
    const { list } = judged(callsOf(conversation(3, withHeader), over))
    expect(kinds(list)).toEqual(['first', 'rewritten', 'rewritten'])
    expect(list[1]?.divergence?.path).toBe('system[0]')
  })
})

describe('hostile input', () => {
  it('is judged without a throw', () => {
    const { list } = judged([
      { body: undefined },
      { body: { nothing: true } },
      { body: claude([]) },
      { body: claude([user('x')]), over: { provider: '__proto__', startedAt: Number.NaN } },
      { body: claude([user('x')]), over: { provider: 'openai' } },
      { body: { contents: [{ role: 'user', parts: [{ text: 'x' }] }] }, over: { endedAt: 1, startedAt: 2 } },
      { body: claude([user('x')]), usage: [1e12, 5, Number.MAX_SAFE_INTEGER] },
    ])
    for (const verdict of list) {
      expect(verdict.reasons.length).toBeGreaterThan(0)
      expect(verdict.reasons.map(({ kind }) => kind)).toContain(verdict.verdict)
      expect(sumOf(verdict)).toBe(verdict.lostTokens)
    }
  })

  it('of no streams is nothing', () => {
    expect(judged([])).toMatchObject({ list: [], confusion: [] })
  })
})
