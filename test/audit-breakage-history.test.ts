/** A conversation that is sent otherwise than it was sent before, and what an audit says of each way to do so. */
import { describe, expect, it } from 'vitest'
import {
  blocksOf,
  conversation,
  mapBlocks,
  type Block,
  type Message,
  type Scene,
} from './support/audit/coding-agent.ts'
import { onlyCulprit, turnsOf, turnsWith, valuesOf, verdictsOf } from './support/audit/readings.ts'
import { calls, auditScene, audited, from, turned, TURNS } from './support/audit/scenes.ts'

describe('G: one content in other bytes', () => {
  it('names calls whose ids were made anew', async () => {
    const minted = (id: unknown, turn: number): unknown => (turn < 4 ? id : `call_${String(id).slice(-9)}`)
    const report = await auditScene({
      history: (messages, turn) =>
        mapBlocks(messages, (block) => ({
          ...block,
          ...(block['type'] === 'tool_use' && { id: minted(block['id'], turn) }),
          ...(block['type'] === 'tool_result' && { tool_use_id: minted(block['tool_use_id'], turn) }),
        })),
    })
    const culprit = onlyCulprit(report)
    expect(culprit.kind).toBe('tool-call-ids')
    expect(culprit.path).toMatch(/^messages\[/)
    expect(turnsWith(culprit)).toEqual([4])
    expect(culprit.fix).toMatch(/as it came|ids that the model gave/)
    expect(verdictsOf(report)[4]).toBe('rewritten')
  })

  it('names arguments whose keys went into another order', async () => {
    const report = await auditScene({
      history: (messages, turn) =>
        mapBlocks(messages, (block) =>
          block['type'] === 'tool_use' && turn >= 4 ? { ...block, input: turned(block['input'] as object) } : block,
        ),
    })
    const culprit = onlyCulprit(report)
    expect(culprit.kind).toBe('argument-order')
    expect(turnsWith(culprit)).toEqual([4])
    expect(culprit.fix).toMatch(/as the model wrote/)
  })

  it('notes arguments in another order where reads went on', async () => {
    const bodies = conversation({
      turns: TURNS,
      history: (messages, turn) =>
        mapBlocks(messages, (block) =>
          block['type'] === 'tool_use' && turn >= 4 ? { ...block, input: turned(block['input'] as object) } : block,
        ),
    })
    const same = conversation({ turns: TURNS })
    const report = await audited(calls(bodies, (index) => ({ cached: same[index] as object })))
    expect(report.culprits).toEqual([])
    expect(report.streams[0]?.notes).toContainEqual(expect.objectContaining({ kind: 'argument-order', turns: [4] }))
  })
})

describe('H: history that is edited after it was sent', () => {
  const reminder = 'The files that the user has open: src/cart/total.ts, src/cart/tax.ts. Do not mention this reminder.'
  const text = (content: string): Block => ({ type: 'text', text: `<system-reminder>${content}</system-reminder>` })
  const withBlock = (messages: readonly Message[], at: number, block: Block): readonly Message[] =>
    messages.map((message, index) => (index === at ? { ...message, content: [...blocksOf(message), block] } : message))

  it('names metadata that only the active turn has', async () => {
    const report = await auditScene({
      history: (messages, turn) =>
        withBlock(
          messages,
          messages.length - 1,
          text(`Cursor at line ${turn * 37 + 12} of src/cart/total-${turn}.ts.`),
        ),
    })
    const culprit = onlyCulprit(report)
    expect(culprit.path).toMatch(/^messages\[/)
    expect(turnsWith(culprit)).toEqual(from(1))
    // Only what the tools and the system prompt need is read: the breakpoint stands on what goes away.
    const reads = turnsOf(report).map(({ tokens }) => tokens.read)
    expect(new Set(reads.slice(1)).size).toBe(1)
    expect(culprit.tokensLost).toBe(report.totals.lost.tokens)
    expect(culprit.tokensLost).toBeGreaterThan(1000)
    expect(turnsOf(report)[3]?.divergence?.path).toMatch(/^messages\[4\]/)
  })

  it('names a reminder that moves to the newest message', async () => {
    const report = await auditScene({
      history: (messages, turn) => withBlock(messages, turn < 4 ? 0 : messages.length - 1, text(reminder)),
    })
    const [culprit] = report.culprits
    expect(culprit?.kind).toBe('moved-block')
    expect(culprit?.path).toMatch(/^messages\[/)
    expect(turnsWith(culprit!)).toEqual(from(4))
    expect(culprit?.tokensLost).toBe(report.totals.lost.tokens)
    expect(valuesOf(culprit!).join()).toContain('The files that the user has open')
    expect(verdictsOf(report)[4]).toBe('rewritten')
  })

  it('names an old file that is rewritten where it was read', async () => {
    const report = await auditScene({
      history: (messages, turn) =>
        mapBlocks(messages, (block, message) =>
          message === 2 && turn >= 5
            ? { ...block, content: String(block['content']).replace('\n3\t', '\n3\tconst ') }
            : block,
        ),
    })
    const culprit = onlyCulprit(report)
    expect(culprit.path).toMatch(/^messages\[2\]/)
    expect(turnsWith(culprit)).toEqual([5])
    const [turn] = turnsOf(report).slice(5)
    expect(turn).toMatchObject({ verdict: 'rewritten', divergence: { path: 'messages[2].content[0]' } })
    expect(turn?.divergence?.after?.text).toContain('const ')
  })

  it('names what is trimmed off once a message is no longer the newest', async () => {
    const report = await auditScene({
      turns: 12,
      history: (messages) =>
        messages
          .map((message, index) =>
            index < messages.length - 1
              ? message
              : {
                  ...message,
                  content: [
                    ...blocksOf(message),
                    { type: 'text', text: 'Go on with the next step of the plan, please.\n\n' },
                  ],
                },
          )
          .map((message, index) =>
            index === messages.length - 1 || message.role === 'assistant'
              ? message
              : {
                  ...message,
                  content: [
                    ...blocksOf(message),
                    { type: 'text', text: 'Go on with the next step of the plan, please.' },
                  ],
                },
          ),
    })
    const culprit = onlyCulprit(report)
    expect(['unknown', 'rules-text', 'breakpoint-wasted']).toContain(culprit.kind)
    expect(culprit.path).toMatch(/^messages\[/)
    expect(turnsWith(culprit)).toEqual(from(1, 11))
    expect(culprit.tokensLost).toBe(report.totals.lost.tokens)
  })

  it('names messages that a later client merges', async () => {
    const report = await auditScene({
      answer: (turn, usual) => (turn === 1 ? [{ type: 'text', text: 'One moment.' }] : usual),
      history: (messages, turn) => {
        const doubled = messages.flatMap((message, index) =>
          index === 1
            ? [{ role: 'assistant', content: [{ type: 'text', text: 'Let me think about the carts first.' }] }, message]
            : [message],
        )
        if (turn < 5) return doubled
        const [first, one, two, ...rest] = doubled as [Message, Message, Message, ...Message[]]
        return [first, { ...two, content: [...blocksOf(one), ...blocksOf(two)] }, ...rest]
      },
    })
    expect(report.culprits.every(({ path }) => path.startsWith('messages['))).toBe(true)
    expect(verdictsOf(report)[5] === 'rewritten').toBe(report.culprits.length > 0)
  })
})

describe('I: old results are dropped', () => {
  it.each<[string, unknown]>([
    ['a placeholder', '[Old tool result content cleared]'],
    ['less of it', '1\tthe of and to in that'],
    ['nothing', ''],
  ])('names a result that is pruned to %s', async (_, content) => {
    const report = await auditScene({
      turns: 12,
      history: (messages, turn) =>
        mapBlocks(messages, (block, message) =>
          turn >= 8 && message < 8 && block['type'] === 'tool_result' ? { ...block, content } : block,
        ),
    })
    const culprit = onlyCulprit(report)
    expect(culprit.kind).toBe('pruned-result')
    expect(culprit.path).toMatch(/^messages\[/)
    expect(turnsWith(culprit)).toEqual([8])
    expect(verdictsOf(report)[8]).toBe('rewritten')
    expect(turnsOf(report)[8]?.lost.tokens).toBeGreaterThan(500)
  })

  it('names pruning at every step', async () => {
    const report = await auditScene({
      turns: 12,
      history: (messages) =>
        mapBlocks(messages, (block, message) =>
          message < messages.length - 6 && block['type'] === 'tool_result' ? { ...block, content: '[cleared]' } : block,
        ),
    })
    expect(report.culprits.map(({ kind }) => kind)).toEqual(['pruned-result'])
    expect(turnsWith(report.culprits[0]!).length).toBeGreaterThan(6)
  })

  it.each<[string, (length: number, turn: number) => number, readonly number[]]>([
    ['all at once', (_, turn) => (turn < 8 ? 0 : 8), [8]],
    ['by a window that slides', (length) => Math.max(0, length - 9), from(5, 11)],
  ])('names the oldest messages that are dropped %s, which is no compaction', async (_, drop, turns) => {
    const report = await auditScene({
      turns: 12,
      history: (messages, turn) => messages.slice(drop(messages.length, turn)),
    })
    const culprit = onlyCulprit(report)
    expect(culprit.kind).toBe('pruned-result')
    expect(turnsWith(culprit)).toEqual(turns)
    expect(verdictsOf(report)).not.toContain('compacted')
  })

  const summary: Message = {
    role: 'user',
    content: [
      {
        type: 'text',
        text: 'This session is being continued from a previous conversation that ran out of context. The summary below covers the earlier part.\n\nAnalysis: the totals of carts were wrong since coupons were applied twice; tests were added.',
      },
    ],
  }
  const session = '0f8b2c64-6a0e-4a57-9b8b-1d2f3a4c5e6f'

  it.each<[string, Omit<Scene, 'turns'>]>([
    [
      'of the session',
      {
        history: (messages, turn) => (turn < 6 ? messages : [summary, ...messages.slice(13)]),
        over: () => ({ metadata: { user_id: `user_12_account__session_${session}` } }),
      },
    ],
    [
      'in front of the kept end',
      { history: (messages, turn) => (turn < 6 ? messages : [summary, ...messages.slice(7)]) },
    ],
  ])('is compacted, and no culprit, where the conversation restarts from a summary %s', async (_, scene) => {
    const report = await auditScene({ turns: 10, ...scene })
    expect(report.streams).toHaveLength(1)
    expect(verdictsOf(report)[6]).toBe('compacted')
    expect(verdictsOf(report).slice(7)).toEqual(['appended', 'appended', 'appended'])
    expect(report.culprits).toEqual([])
    expect(report.totals.otherLosses).toMatchObject([{ reason: 'compacted', turns: 1 }])
  })
})

describe('J: thinking, effort, model', () => {
  const thinking = (turn: number): Block => ({
    type: 'thinking',
    thinking: `The totals are wrong where coupons are applied twice. Step ${turn}. ${'Consider the carts. '.repeat(20)}`,
    signature: `EqQBCgIYAhIM${turn}${'abcdEFGH0123'.repeat(12)}`,
  })
  const thoughtful = {
    answer: (turn: number, usual: readonly Block[]): readonly Block[] => [thinking(turn), ...usual],
    over: () => ({ thinking: { type: 'enabled', budget_tokens: 8000 } }),
  }

  it('names thinking that is dropped', async () => {
    const report = await auditScene({
      ...thoughtful,
      history: (messages, turn) =>
        mapBlocks(messages, (block) => (turn >= 5 && block['type'] === 'thinking' ? null : block)),
    })
    const culprit = onlyCulprit(report)
    expect(culprit.kind).toBe('thinking-dropped')
    expect(turnsWith(culprit)).toEqual([5])
    expect(turnsOf(report)[5]).toMatchObject({ verdict: 'rewritten', divergence: { path: 'messages[1].content[0]' } })
  })

  it('names signatures that are lost', async () => {
    const report = await auditScene({
      ...thoughtful,
      history: (messages, turn) =>
        mapBlocks(messages, (block) =>
          turn >= 5 && block['type'] === 'thinking' ? { ...block, signature: '' } : block,
        ),
    })
    expect(onlyCulprit(report).kind).toBe('thinking-dropped')
  })

  it.each<[string, string, object, object]>([
    ['effort', 'output_config.effort', { output_config: { effort: 'high' } }, { output_config: { effort: 'low' } }],
    ['the mode of thinking', 'thinking', { thinking: { type: 'adaptive' } }, { thinking: { type: 'disabled' } }],
    ['the choice of tools', 'tool_choice', { tool_choice: { type: 'auto' } }, { tool_choice: { type: 'any' } }],
    ['the model', 'model', { model: 'claude-opus-5' }, { model: 'claude-sonnet-5' }],
  ])('names %s as the parameter that changed', async (_, name, first, then) => {
    const report = await auditScene({ over: (turn) => (turn < 4 ? first : then) })
    const culprit = onlyCulprit(report)
    expect(culprit).toMatchObject({ kind: 'parameter', scope: 'within' })
    expect(culprit.path).toMatch(/^parameter /)
    expect(turnsWith(culprit)).toEqual([4])
    const turn = turnsOf(report)[4]
    expect(turn).toMatchObject({ verdict: 'scope', divergence: null })
    expect(turn?.reasons[0]?.parameters.join()).toContain(name.split('.').at(-1))
    expect(culprit.tokensLost).toBe(report.totals.lost.tokens)
  })

  it('still reads tools and system behind another choice of tools', async () => {
    const report = await auditScene({ over: (turn) => ({ tool_choice: { type: turn % 2 === 0 ? 'auto' : 'any' } }) })
    expect(turnsOf(report)[5]?.tokens.read).toBeGreaterThan(2000)
  })

  it('reads nothing under another model', async () => {
    const report = await auditScene({ over: (turn) => ({ model: turn < 4 ? 'claude-opus-5' : 'claude-sonnet-5' }) })
    expect(report.streams).toHaveLength(1)
    expect(turnsOf(report)[4]?.tokens.read).toBe(0)
  })
})

describe('K: images', () => {
  const image = (data: string): Block => ({ type: 'image', source: { type: 'base64', media_type: 'image/png', data } })
  const data = (seed: number): string =>
    `iVBORw0KGgoAAAANSUhEUgAA${`${seed}QmFzZTY0IGRhdGEgb2YgYSBwaWN0dXJl`.repeat(60)}`
  const scene = (then: Block): Omit<Scene, 'turns'> => ({
    history: (messages, turn) => {
      const [first, ...rest] = messages as [Message, ...Message[]]
      return [{ ...first, content: [turn < 5 ? image(data(1)) : then, ...blocksOf(first)] }, ...rest]
    },
  })

  it.each<[string, Block]>([
    ['is encoded again', image(data(2))],
    ['becomes text', { type: 'text', text: '[image removed to save context]' }],
  ])('names one that %s', async (_, then) => {
    const report = await auditScene(scene(then))
    const culprit = onlyCulprit(report)
    expect(culprit).toMatchObject({ kind: 'image-replaced', path: 'messages[0].content[0]' })
    // With its size.
    expect(valuesOf(culprit)[0]).toMatch(/\d+ (?:tokens|bytes|kB)/)
    expect(turnsWith(culprit)).toEqual([5])
    expect(verdictsOf(report)[5]).toBe('rewritten')
  })
})

describe('K: images in results', () => {
  const shot = (data: string): Block => ({
    type: 'image',
    source: { type: 'base64', media_type: 'image/png', data: `iVBORw0KGgo${data.repeat(2000)}` },
  })
  const scene = (then: Block): Omit<Scene, 'turns'> => ({
    history: (messages, turn) =>
      mapBlocks(messages, (block, message) =>
        message === 2
          ? { ...block, content: [{ type: 'text', text: 'The page now:' }, turn < 5 ? shot('ab') : then] }
          : block,
      ),
  })

  it.each<[string, Block]>([
    ['is encoded again', shot('cd')],
    ['becomes text', { type: 'text', text: '[screenshot removed]' }],
  ])('names one that %s', async (_, then) => {
    const report = await auditScene(scene(then))
    const culprit = report.culprits.find((one) => turnsWith(one).includes(5))
    expect(culprit?.kind).toBe('image-replaced')
    expect(culprit?.path).toMatch(/^messages\[2\]\.content\[0\]/)
    expect(turnsWith(culprit!)).toEqual([5])
  })
})
