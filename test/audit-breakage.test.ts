/**
 * Values that change in front of a conversation, in logs as real clients write them, and what an audit says of each: the
 * culprit by its kind, its path, its values and the turns on which it differs.
 */
import { describe, expect, it } from 'vitest'
import {
  conversation,
  environmentOf,
  mapBlocks,
  mark,
  rulesOf,
  toolOf,
  toolsOf,
  type Block,
  type Scene,
  type Tool,
} from './support/audit/coding-agent.ts'
import { toChat } from './support/audit/other-apis.ts'
import { namesOf, onlyCulprit, turnsOf, turnsWith, valuesOf, verdictsOf } from './support/audit/readings.ts'
import {
  calls,
  auditScene,
  audited,
  environment,
  from,
  pad,
  turned,
  expectRewritten,
  TURNS,
} from './support/audit/scenes.ts'

type Tools = NonNullable<Scene['tools']>

describe('A: a clock or date in the prompt', () => {
  it.each<[string, (turn: number) => string]>([
    ['an ISO time', (turn) => `Current time: 2026-11-02T09:${pad(turn)}:03.512Z`],
    ['a time with a zone', (turn) => `Current date and time: Monday, November 2, 2026 at 9:${pad(turn)} AM CET`],
    ['what JavaScript prints', (turn) => `Now: Mon Nov 02 2026 09:${pad(turn)}:00 GMT+0100 (Central European Time)`],
    ['what Python prints', (turn) => `now=2026-11-02 09:${pad(turn)}:31.204817`],
    ['seconds since the epoch', (turn) => `timestamp: ${1_793_610_000 + turn * 60}`],
  ])('names %s, with its path and values', async (_, line) => {
    const report = await auditScene(environment((turn) => ({ more: [line(turn), 'Ask before you delete.'] })))
    const culprit = onlyCulprit(report)
    expect(culprit).toMatchObject({ kind: 'clock', path: 'system[1]', scope: 'within' })
    expect(valuesOf(culprit)).toHaveLength(TURNS)
    for (const [turn, value] of valuesOf(culprit).entries()) expect(line(turn)).toContain(value)
    expectRewritten(report, from(1))
    expect(report.counterfactual.steps[0]?.remedy).toEqual({ type: 'culprits', ids: [culprit.id] })
  })

  it('names a clock of minutes by the turns on which it moved', async () => {
    const bodies = conversation(environment((turn) => ({ more: [`It is 9:${pad(15 + Math.floor(turn / 3))} now.`] })))
    const report = await audited(calls(bodies, (index) => ({ at: index * 20 })))
    expect(onlyCulprit(report)).toMatchObject({ kind: 'clock', path: 'system[1]' })
    expectRewritten(report, [3, 6])
  })

  it('names a date that changes at midnight', async () => {
    const report = await auditScene(environment((turn) => ({ date: turn < 5 ? '2026-11-02' : '2026-11-03' })))
    const culprit = onlyCulprit(report)
    expect(culprit).toMatchObject({ kind: 'date', path: 'system[1]' })
    expect(valuesOf(culprit)).toEqual(['2026-11-02', '2026-11-03'])
    expectRewritten(report, [5])
  })

  it('still reads the tools where these have a breakpoint of their own', async () => {
    const report = await auditScene({
      environment: (turn) => environmentOf({ more: [`Time: 09:${pad(turn)}:41`] }),
      tools: () => toolsOf().map((tool, index, all) => (index === all.length - 1 ? { ...tool, ...mark } : tool)),
    })
    expect(onlyCulprit(report).kind).toBe('clock')
    expect(turnsOf(report)[4]?.tokens.read).toBeGreaterThan(500)
    expect(turnsOf(report)[4]?.tokens.read).toBe(turnsOf(report)[7]?.tokens.read)
  })

  it('names it in the first message of the user', async () => {
    const report = await auditScene({
      history: (messages, turn) =>
        mapBlocks(messages, (block, message) =>
          message === 0 ? { ...block, text: `[09:${pad(turn)}:07] ${String(block['text'])}` } : block,
        ),
    })
    expect(onlyCulprit(report)).toMatchObject({ kind: 'clock', path: 'messages[0].content[0]' })
    expect(verdictsOf(report).slice(1)).toEqual(from(1).map(() => 'rewritten'))
    // System prompt and tools are still read.
    expect(turnsOf(report)[5]?.tokens.read).toBeGreaterThan(2000)
  })
})

describe('B: the workspace in the prompt', () => {
  it('names the branch', async () => {
    const report = await auditScene(environment((turn) => ({ branch: turn < 4 ? 'main' : 'fix/rounding-of-taxes' })))
    const culprit = onlyCulprit(report)
    expect(culprit).toMatchObject({ kind: 'git', path: 'system[1]', scope: 'within' })
    expect(valuesOf(culprit)).toEqual(['main', 'fix/rounding-of-taxes'])
    expectRewritten(report, [4])
  })

  it.each<[string, string, readonly [string, string, string]]>([
    ['a folder that goes deeper', 'path', ['/home/ana/shop', '/home/ana/shop/packages/cart', '/home/ana/shop']],
    ['a branch that begins like the one before', 'git', ['fix/tax', 'fix/tax-2', 'fix/tax']],
  ])('gives whole values of %s', async (_, kind, states) => {
    const at = (turn: number): string => states[turn < 3 ? 0 : turn < 6 ? 1 : 2]
    const report = await auditScene(environment((turn) => (kind === 'path' ? { cwd: at(turn) } : { branch: at(turn) })))
    const culprit = onlyCulprit(report)
    expect(culprit.kind).toBe(kind)
    expect(turnsWith(culprit)).toEqual([3, 6])
    expect(valuesOf(culprit)).toEqual(states)
  })

  it('tells a branch from a status that changes with it, and that only both together save', async () => {
    const report = await auditScene(
      environment((turn) => (turn < 4 ? {} : { branch: 'fix/tax', status: ' M src/cart/total.ts' })),
    )
    expect(namesOf(report)).toEqual(['git at system[1]', 'git at system[1]'])
    expect(report.culprits[0]?.tokensLost).toBe(report.totals.lost.tokens)
    for (const { savesAlone, savesLast } of report.culprits) {
      expect(savesAlone?.cost).toBeLessThan(0.001)
      expect(savesLast?.cost).toBeGreaterThan(0.03)
    }
    expect(report.counterfactual.steps[0]?.remedy).toEqual({
      type: 'culprits',
      ids: report.culprits.map(({ id }) => id),
    })
  })

  it('names the status of the working copy', async () => {
    const states = ['(clean)', ' M src/cart/total.ts', ' M src/cart/total.ts\n?? notes.md']
    const report = await auditScene(environment((turn) => ({ status: states[Math.floor(turn / 3)] as string })))
    expect(onlyCulprit(report)).toMatchObject({ kind: 'git', path: 'system[1]' })
    expectRewritten(report, [3, 6])
  })

  it('names the address of a sandbox', async () => {
    const report = await auditScene(
      environment((turn) => ({ more: [`Sandbox: https://${turn < 4 ? 'sbx-8f3k2q' : 'sbx-p01zmm'}.e2b.app/preview`] })),
    )
    expect(onlyCulprit(report)).toMatchObject({ kind: 'path', path: 'system[1]' })
    expectRewritten(report, [4])
  })

  it('names a tree of files that grows', async () => {
    const files = ['src/', '  cart.ts', '  tax.ts', '  coupon.ts']
    const report = await auditScene(
      environment((turn) => ({ more: ['File tree:', ...files.slice(0, turn < 4 ? 3 : 4), '', 'End of the tree.'] })),
    )
    expect(onlyCulprit(report)).toMatchObject({ kind: 'path', path: 'system[1]' })
    expectRewritten(report, [4])
  })

  it('says that a folder hurts between sessions only', async () => {
    const sessions = ['/home/ana/shop', '/home/ana/worktrees/coupon-7'].flatMap((cwd, session) =>
      conversation({ turns: 4, seed: session + 1, environment: () => environmentOf({ cwd }) }).map((body, turn) => ({
        body,
        at: session * 600 + turn * 60,
      })),
    )
    const report = await audited(sessions)
    expect(report.streams).toHaveLength(2)
    const culprit = onlyCulprit(report)
    expect(culprit).toMatchObject({ kind: 'path', path: 'system[1]', scope: 'between' })
    expect(valuesOf(culprit)).toEqual(['/home/ana/shop', '/home/ana/worktrees/coupon-7'])
    expect(verdictsOf(report)).toEqual([
      'first',
      'appended',
      'appended',
      'appended',
      'first',
      'appended',
      'appended',
      'appended',
    ])
  })

  it('says what a folder costs, where the sessions could have shared a warm cache', async () => {
    const sessions = ['/home/ana/shop', '/home/ben/shop', '/home/eva/shop'].flatMap((cwd, session) =>
      conversation({ turns: 3, seed: session + 1, environment: () => environmentOf({ cwd }) }).map((body, turn) => ({
        body,
        at: session * 150 + turn * 45,
      })),
    )
    const culprit = onlyCulprit(await audited(sessions))
    expect(culprit.scope).toBe('between')
    expect(valuesOf(culprit)).toEqual(['/home/ana/shop', '/home/ben/shop', '/home/eva/shop'])
    expect(culprit.savesAlone?.cost).toBeGreaterThan(0)
  })

  it('says that a branch hurts both within and between', async () => {
    const branches = [
      ['main', 'main', 'fix/tax', 'fix/tax'],
      ['feature/coupons', 'feature/coupons', 'main', 'main'],
    ]
    const sessions = branches.flatMap((names, session) =>
      conversation({
        turns: 4,
        seed: session + 1,
        environment: (turn) => environmentOf({ branch: names[turn] as string }),
      }).map((body, turn) => ({ body, at: session * 300 + turn * 60 })),
    )
    const culprit = onlyCulprit(await audited(sessions))
    expect(culprit).toMatchObject({ kind: 'git', path: 'system[1]', scope: 'both' })
  })

  it('gives the value of a session in which it never changed', async () => {
    const branches = [
      ['main', 'main', 'main'],
      ['feature/coupons', 'fix/tax', 'fix/tax'],
    ]
    const sessions = branches.flatMap((names, session) =>
      conversation({
        turns: 3,
        seed: session + 1,
        environment: (turn) => environmentOf({ branch: names[turn] as string }),
      }).map((body, turn) => ({ body, at: session * 200 + turn * 60 })),
    )
    const culprit = onlyCulprit(await audited(sessions))
    expect(culprit.scope).toBe('both')
    expect(valuesOf(culprit)).toEqual(['main', 'feature/coupons', 'fix/tax'])
    expect(turnsWith(culprit)).toEqual([4])
  })
})

describe('C: text that somebody edits', () => {
  const rules = (edits: number): string => {
    const lines = [
      '# Project rules',
      '- Use tabs in Makefiles and two spaces elsewhere.',
      ...(edits > 0 ? ['- Run the linter before you say that you are done.'] : []),
      edits > 1 ? '- Money is a number of cents, never a float.' : '- Money is a decimal string.',
      '- Never touch the folder named vendor.',
    ]
    return `${rulesOf()}\n\n${lines.join('\n')}`
  }

  it('names a file of rules, with the number of its edits', async () => {
    const report = await auditScene({ rules: (turn) => rules(turn < 3 ? 0 : turn < 6 ? 1 : 2) })
    expect(namesOf(report).every((name) => name === 'rules-text at system[0]')).toBe(true)
    expect(report.culprits.flatMap(turnsWith).sort()).toEqual([3, 6])
    expect(
      verdictsOf(report)
        .map((verdict, turn) => (verdict === 'rewritten' ? turn : -1))
        .filter((turn) => turn >= 0),
    ).toEqual([3, 6])
  })

  it('names a list of skills that grows by a line', async () => {
    const skills = [
      '- pdf: read and fill forms',
      '- xlsx: make sheets with formulas',
      '- deck: build slides from notes',
    ]
    const report = await auditScene({
      rules: (turn) =>
        `${rulesOf()}\n\nAvailable skills:\n${skills.slice(0, turn < 4 ? 2 : 3).join('\n')}\n\nLoad a skill before you use it.`,
    })
    expect(onlyCulprit(report)).toMatchObject({ kind: 'rules-text', path: 'system[0]' })
    expectRewritten(report, [4])
  })

  it('names a block of memory that was written anew', async () => {
    const memories = [
      'The user likes short answers and works in the evening.',
      'The user likes short answers, works in the evening, and wants tests first for everything that touches money.',
    ]
    const report = await auditScene({
      environment: (turn) => `${environmentOf()}\n<memory>\n${memories[turn < 5 ? 0 : 1]}\n</memory>`,
    })
    expect(onlyCulprit(report)).toMatchObject({ kind: 'rules-text', path: 'system[1]' })
    expectRewritten(report, [5])
  })
})

describe('D: ids and counters', () => {
  const hex = (turn: number): string =>
    Math.imul(turn + 3, 2_654_435_761)
      .toString(16)
      .replace('-', 'f')
      .padStart(8, '7')

  it.each<[string, string, (turn: number) => string]>([
    ['the id of a message', 'id', (turn) => `Message ID: ${hex(turn)}-4b1c-4d7a-9e0f-${hex(turn * 7)}a0c1`],
    ['the id of a request', 'id', (turn) => `request=req_01${hex(turn)}${hex(turn + 40)}`],
    ['a sender', 'id', (turn) => `Sender ID: U0${hex(turn).toUpperCase()}`],
    ['an iteration', 'counter', (turn) => `You are in iteration ${turn + 7} of the loop.`],
    ['a number of messages of a limit', 'counter', (turn) => `You have used ${turn * 2 + 32} of 60 messages.`],
    ['a number in words', 'counter', (turn) => `This is your ${ordinals[turn]} attempt.`],
    ['tokens that are left', 'remaining-tokens', (turn) => `Token budget: ${187_956 - turn * 1_731} tokens remaining.`],
    [
      'the use of a context window',
      'remaining-tokens',
      (turn) => `Context used: ${12_044 + turn * 1_731}/200000 tokens`,
    ],
  ])('names %s', async (_, kind, line) => {
    const report = await auditScene(environment((turn) => ({ more: [line(turn), 'Ask before you delete.'] })))
    const culprit = onlyCulprit(report)
    expect(culprit).toMatchObject({ kind, path: 'system[1]' })
    for (const [turn, value] of valuesOf(culprit).entries()) expect(line(turn)).toContain(value)
    expectRewritten(report, from(1))
  })

  const ordinals = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth']
})

describe('values in the descriptions of tools', () => {
  const described =
    (text: (turn: number) => string): Tools =>
    (turn) =>
      toolsOf().map((tool) =>
        tool.name === 'fetch' ? { ...tool, description: `${tool.description} ${text(turn)}` } : tool,
      )

  it.each<[string, string, (turn: number) => string, readonly number[]]>([
    ['a date', 'date', (turn) => `Today's date is 2026-11-0${turn < 4 ? 2 : 3}: use it in searches.`, [4]],
    ['a counter', 'counter', (turn) => `You have ${20 - turn} calls left.`, from(1)],
  ])('are named as what they are: %s', async (_, kind, text, turns) => {
    const report = await auditScene({ tools: described(text) })
    expect(onlyCulprit(report)).toMatchObject({ kind, path: 'tools[fetch]' })
    expectRewritten(report, turns)
  })
})

describe('E: a header block in front of the system prompt', () => {
  const header = (turn: number): Block => ({
    type: 'text',
    text: `x-anthropic-billing-header: cc_version=2.1.207.${turn}f3; cc_entrypoint=cli; cch=${(turn * 4099 + 77).toString(16)};`,
  })
  const scene = (of: (turn: number) => number): readonly object[] =>
    conversation({ turns: TURNS, over: (turn, { system }) => ({ system: [header(of(turn)), ...system] }) })
  const local = { url: 'http://localhost:8080/v1/messages' }

  it('is a note where reads go on behind it', async () => {
    const same = scene(() => 0)
    const report = await audited(
      calls(
        scene((turn) => turn),
        (index) => ({ cached: same[index] as object }),
      ),
    )
    expect(report.culprits).toEqual([])
    expect(verdictsOf(report).slice(1)).toEqual(from(1).map(() => 'appended'))
    expect(report.streams[0]?.notes).toContainEqual(
      expect.objectContaining({ kind: 'header-block', path: 'system[0]' }),
    )
  })

  it('is the top finding on an upstream that reads it like all text', async () => {
    const clock = conversation({
      turns: TURNS,
      environment: (turn) => environmentOf({ more: [`Time: 09:${pad(turn)}:41`] }),
      over: (turn, { system }) => ({ system: [header(turn), ...system] }),
    })
    const report = await audited(calls(clock, () => local))
    expect(namesOf(report)).toEqual(['header-block at system[0]', 'clock at system[2]'])
    expect(report.culprits[0]?.tokensLost).toBe(report.totals.lost.tokens)
    // Only both together give anything back.
    expect(report.culprits[0]?.savesAlone?.cost).toBeCloseTo(0, 2)
    expect(report.culprits[0]?.savesLast?.cost).toBeGreaterThan(0.05)
  })

  it('is the top finding where a gateway hands it on to a local server', async () => {
    const bodies = conversation({ turns: TURNS }).map((body, turn) => {
      const { messages, ...rest } = toChat(body)
      const system = {
        role: 'system',
        content: [header(turn), ...body.system.map(({ text }) => ({ type: 'text', text }))],
      }
      return { ...rest, messages: [system, ...messages.slice(1)] }
    })
    const report = await audited(
      calls(bodies, () => ({ url: 'http://localhost:1234/v1/chat/completions' })),
      { api: 'chat' },
    )
    expect(namesOf(report)).toEqual(['header-block at messages[0].content[0]'])
    expect(turnsWith(report.culprits[0]!)).toEqual(from(1))
  })

  it('is not judged without usage', async () => {
    const report = await audited(
      calls(
        scene((turn) => turn),
        () => ({ reported: () => null }),
      ),
    )
    expect(report.culprits).toEqual([])
    expect(report.streams[0]?.notes).toContainEqual(expect.objectContaining({ kind: 'header-block' }))
  })
})

describe('F: the list of tools', () => {
  const from4 =
    (then: Tools): Tools =>
    (turn) =>
      turn < 4 ? toolsOf() : then(turn)

  it.each<[string, string, Tools]>([
    ['reordered', 'tool-reordered', () => [...toolsOf().slice(3), ...toolsOf().slice(0, 3)]],
    [
      'added',
      'tool-added',
      () => [...toolsOf().slice(0, 2), toolOf('mcp__github__create_issue'), ...toolsOf().slice(2)],
    ],
    ['added at the end', 'tool-added', () => [...toolsOf(), toolOf('mcp__github__create_issue')]],
    ['removed', 'tool-removed', () => toolsOf().filter(({ name }) => name !== 'search')],
    [
      'edited',
      'tool-edited',
      () =>
        toolsOf().map((tool) =>
          tool.name === 'search' ? { ...tool, description: `${tool.description} Regular expressions work.` } : tool,
        ),
    ],
    [
      'written with the keys of a schema in another order',
      'schema-key-order',
      () =>
        toolsOf().map((tool) =>
          tool.name === 'search'
            ? {
                ...tool,
                input_schema: {
                  required: ['path'],
                  properties: { limit: { type: 'integer' }, path: { description: 'Where it is.', type: 'string' } },
                  type: 'object',
                },
              }
            : tool,
        ),
    ],
  ])('that is %s is told as that', async (_, kind, then) => {
    const report = await auditScene({ tools: from4(then) })
    const culprit = onlyCulprit(report)
    expect(culprit.kind).toBe(kind)
    expect(culprit.path).toMatch(/^tools/)
    expectRewritten(report, [4])
  })

  it.each<[string, Tools, string]>([
    ['added', () => [toolOf('mcp__github__create_issue'), ...toolsOf()], 'mcp__github__create_issue'],
    ['removed', () => toolsOf().filter(({ name }) => name !== 'run_tests'), 'run_tests'],
    [
      'edited',
      () => toolsOf().map((tool) => (tool.name === 'fetch' ? { ...tool, description: 'Gets a page.' } : tool)),
      'fetch',
    ],
  ])('that is %s is named', async (_, then, name) => {
    const report = await auditScene({ tools: from4(then) })
    expect(onlyCulprit(report).path).toContain(name)
  })

  it.each<[string, string, (tool: Tool) => object]>([
    ['a schema', 'schema-key-order', (tool) => ({ ...tool, input_schema: turned(tool.input_schema) })],
    ['a definition', 'raw', turned],
  ])('with keys of %s in another order is a note where reads went on', async (_, kind, change) => {
    const other = toolsOf().map((tool) => change(tool) as Tool)
    const bodies = conversation({ turns: TURNS, tools: from4(() => other) })
    const same = conversation({ turns: TURNS })
    const report = await audited(calls(bodies, (index) => ({ cached: same[index] as object })))
    expect(report.culprits).toEqual([])
    expect(verdictsOf(report).slice(1)).toEqual(from(1).map(() => 'appended'))
    expect(report.streams[0]?.notes).toContainEqual(expect.objectContaining({ kind, turns: [4] }))
  })

  it('that is shuffled for each call is one finding', async () => {
    const shuffled = (turn: number): Tool[] =>
      toolsOf().map((_, index, all) => all[(index * (turn % 2 === 0 ? 5 : 1) + turn) % all.length]!)
    const report = await auditScene({ tools: shuffled })
    expect(onlyCulprit(report)).toMatchObject({ kind: 'tool-reordered', path: 'tools' })
    expectRewritten(report, from(1))
  })

  it('that drops and grows within one log is two findings', async () => {
    const report = await auditScene({
      tools: (turn) => [
        ...toolsOf().filter(({ name }) => turn < 3 || name !== 'list_files'),
        ...(turn < 6 ? [] : [toolOf('mcp__linear__search')]),
      ],
    })
    expect(namesOf(report).toSorted()).toEqual([
      'tool-added at tools[mcp__linear__search]',
      'tool-removed at tools[list_files]',
    ])
  })
})
