/**
 * The agents of `examples/agents`, each tried as a new user would: recorded without a key, audited, fixed as it was advised,
 * recorded again and compared. The model is scripted, and everything else is as it is: the tools work on a repository.
 */
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { projectRoot } from '../scripts/imports.ts'
import type { AuditReport } from '../src/audit/index.ts'
import { expectStablePrefix } from '../src/testing/index.ts'
import { bin, indelible } from './support/run-command.ts'

const agents = join(projectRoot, 'examples', 'agents')
const node = [
  '--disable-warning=ExperimentalWarning',
  '--import',
  new URL('../scripts/snippets/resolve.ts', import.meta.url).href,
]

/** What each of them does wrong. */
const mistakes = {
  anthropic: ['clock', 'git', 'rules-text'],
  openai: ['counter', 'git', 'id', 'pruned-result', 'tool-added', 'tool-removed', 'tool-reordered'],
  'ai-sdk': ['clock', 'git', 'pruned-result', 'remaining-tokens', 'rules-text', 'tool-added', 'tool-removed'],
} as const

/** Milliseconds for programs that take seconds, on a machine that has other things to do. */
const PATIENCE = 300_000

let folder: string
beforeAll(() => {
  mkdirSync(join(projectRoot, '.tmp'), { recursive: true })
  folder = mkdtempSync(join(projectRoot, '.tmp', 'agents-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface Run {
  readonly code: number
  readonly out: string
  readonly err: string
}

/** Runs `indelible record` around a program, in a process of its own without keys. */
function record(program: string, log: string): Promise<Run> {
  const command = [process.execPath, ...node, program]
  const args = ['record', '--emulate', '--script', join(agents, 'script.json'), '--out', log, '--', ...command]
  const env = { PATH: process.env['PATH'], HOME: folder, TMPDIR: folder }
  return new Promise((resolve) => {
    execFile(process.execPath, [...node, bin, ...args], { env }, (error, out, err) => {
      resolve({ code: error === null ? 0 : Number(error.code), out, err })
    })
  })
}

async function audited(log: string): Promise<AuditReport> {
  const { code, out } = await indelible(['audit', log, '--json'])
  expect(code).toBe(0)
  return JSON.parse(out) as AuditReport
}

describe.each(Object.keys(mistakes) as (keyof typeof mistakes)[])('the agent over %s', (sdk) => {
  let runs: readonly [careless: Run, fixed: Run]
  let reports: readonly [careless: AuditReport, fixed: AuditReport]
  const log = (name: string): string => join(folder, `${sdk}-${name}.jsonl`)
  beforeAll(async () => {
    const program = (name: string): string => join(agents, sdk, `${name}.ts`)
    runs = [await record(program('agent'), log('before')), await record(program('fixed'), log('after'))]
    reports = [await audited(log('before')), await audited(log('after'))]
  }, PATIENCE)

  it('does its work before and after, and is told of the log and the hit rate when it ends', () => {
    for (const { code, out, err } of runs) {
      expect({ code, out }).toEqual({
        code: 0,
        out: '12 of 12 modules documented, 7 commits, nothing left to commit\n',
      })
      expect(err).toMatch(/hit rate +[\d.]+ %/)
      expect(err).toContain('.jsonl')
    }
  })

  it('reads next to nothing as it was written, and each of its mistakes is named', () => {
    const [{ totals, culprits }] = reports
    expect(totals.turns).toBe(34)
    expect(totals.hitRate).toBeLessThan(0.05)
    const kinds = new Set(culprits.map(({ kind }) => kind))
    expect([...kinds].sort()).toEqual([...mistakes[sdk]].sort())
  })

  it('is recorded to the byte, and what the rules say is what was reported', () => {
    for (const { inputs, reproduced } of reports) {
      expect(inputs.map(({ fidelity }) => fidelity?.level)).toEqual(['wire'])
      expect(reproduced.warm).toBe(reproduced.of)
    }
  })

  it('reads more than 95 % of all its input when it is fixed, the first turn counted, and loses nothing', () => {
    const [, { totals, culprits, streams }] = reports
    expect([totals.turns, totals.streams, streams[0]?.turns.length]).toEqual([34, 1, 34])
    expect(totals.hitRate).toBeGreaterThan(0.95)
    expect(culprits).toEqual([])
    expect(totals.lost.tokens).toBe(0)
    const warm = streams[0]?.turns.slice(1) ?? []
    expect(warm.filter(({ verdict }) => verdict !== 'appended')).toEqual([])
  })

  it('sends with each request, when it is fixed, all of the one before', () => {
    const bodies = (name: string): string[] =>
      readFileSync(log(name), 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => (JSON.parse(line) as { request: { body: string } }).request.body)
    expect(() => expectStablePrefix(bodies('before'))).toThrow('Request 2 does not begin with request 1')
    expectStablePrefix(bodies('after'))
  })

  it('has lost all its culprits and got none, by the comparison', async () => {
    const { code, out } = await indelible(['audit', '--compare', log('before'), log('after'), '--json'])
    expect(code).toBe(0)
    const compared = JSON.parse(out) as { culprits: Record<'gone' | 'new' | 'left', readonly unknown[]> }
    expect(compared.culprits.gone).toHaveLength(reports[0].culprits.length)
    expect([compared.culprits.new, compared.culprits.left]).toEqual([[], []])
    expect((await indelible(['audit', '--compare', log('before'), log('after')])).out).toContain('hit rate')
  })

  it('passes the gates when it is fixed, and not before', async () => {
    const gates = ['--min-hit-rate', '95%', '--max-rewritten-tokens', '0']
    expect((await indelible(['audit', log('after'), ...gates])).code).toBe(0)
    expect((await indelible(['audit', log('before'), ...gates])).code).toBe(1)
  })

  it('is described in its README as it is: what is found, and what is read in the end', () => {
    const readme = readFileSync(join(agents, sdk, 'README.md'), 'utf8')
    for (const kind of mistakes[sdk]) expect(readme).toContain(`\`${kind}\``)
    const told = Number(/^([\d.]+) % of all input, the first turn counted/m.exec(readme)?.[1])
    expect(told).toBeCloseTo(100 * (reports[1].totals.hitRate ?? 0), 0)
    expect(readme).toMatch(/^New: none\nLeft: none$/m)
  })
})

/** The loops of `agent.ts` around what `--source` prints, which is not edited. */
const pasted = {
  anthropic: `
    import Anthropic from '@anthropic-ai/sdk'
    const anthropic = new Anthropic()
    const definitions = tools.map(({ name, description, parameters }) => ({ name, description, input_schema: parameters }))
    const session = createAgent(instructions, () => definitions).open('pasted')
    for (const content of questions) {
      await session.submit({ role: 'user', content })
      for (;;) {
        const message = await answerIn(session, (body, headers) => anthropic.messages.create(body, { headers }))
        const calls = message.content.filter(({ type }) => type === 'tool_use')
        if (calls.length === 0) break
        const results = calls.map(({ id, name, input }) => ({ type: 'tool_result', tool_use_id: id, content: runTool(name, input) }))
        await session.append([{ role: 'user', content: results }])
      }
    }`,
  openai: `
    import OpenAI from 'openai'
    const openai = new OpenAI()
    const definitions = tools.map(({ name, description, parameters }) => ({ type: 'function', function: { name, description, parameters } }))
    const session = createAgent(instructions, () => definitions).open('pasted')
    for (const content of questions) {
      await session.submit({ role: 'user', content })
      for (;;) {
        const answer = await answerIn(session, (body, headers) => openai.chat.completions.create(body, { headers }))
        const calls = answer.choices[0].message.tool_calls ?? []
        if (calls.length === 0) break
        for (const { id, function: { name, arguments: input } } of calls) {
          await session.append([{ role: 'tool', tool_call_id: id, content: runTool(name, JSON.parse(input)) }])
        }
      }
    }`,
} as const

describe.each(Object.keys(pasted) as (keyof typeof pasted)[])('the source for the agent over %s', (sdk) => {
  it(
    'is code that runs as it was printed, and reads more than 95 % of all input',
    async () => {
      const place = mkdtempSync(join(folder, 'pasted-'))
      const file = (name: string): string => join(place, name)
      expect((await record(join(agents, sdk, 'agent.ts'), file('before.jsonl'))).code).toBe(0)
      const printed = await indelible(['audit', file('before.jsonl'), '--source', file('context.ts')])
      expect(printed.code).toBe(0)
      // The workspace comes first: it is where the program is started from then on.
      const imports = [
        `import { instructions, questions, runTool, summary, tools } from ${JSON.stringify(join(agents, 'workspace.ts'))}`,
        `import { answerIn, createAgent } from './context.ts'`,
      ]
      writeFileSync(file('pasted.ts'), [...imports, pasted[sdk], 'process.stdout.write(summary())', ''].join('\n'))
      const { code, out } = await record(file('pasted.ts'), file('after.jsonl'))
      expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining('12 of 12 modules documented') })
      const { totals, culprits } = await audited(file('after.jsonl'))
      expect(totals.turns).toBe(34)
      expect(totals.hitRate).toBeGreaterThan(0.95)
      expect(culprits).toEqual([])
    },
    PATIENCE,
  )
})
