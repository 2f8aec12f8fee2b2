/** What `bench/money` promises, for the ways that need no more than what the project installs. */
import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { account, type Row } from '../bench/money/account.ts'
import { play, type Exchange } from '../bench/money/play.ts'
import { broken, keptResult, LIMIT, yardsticks } from '../bench/money/result.ts'
import { formatResult, putTable } from '../bench/money/table.ts'
import { told } from '../bench/money/told.ts'
import { toolDefinitions } from '../bench/money/tools.ts'
import { waysWith } from '../bench/money/ways/installed.ts'
import { loadTokenCounter } from '../src/cache/index.ts'

const exchanges = new Map<string, readonly Exchange[]>()
const rows: Row[] = []

beforeAll(async () => {
  const countTokens = await loadTokenCounter()
  for (const way of waysWith([])) {
    const played = await play(way, countTokens)
    exchanges.set(way.name, played)
    rows.push(await account(way, played, countTokens))
  }
  // Seconds on a machine that does nothing else; the limit is there for what hangs.
}, 600_000)

function rowOf(way: string): Row {
  const row = rows.find((one) => one.way === way)
  if (row === undefined) throw new Error(`There is no ${way}`)
  return row
}

describe('Indelible', () => {
  it('costs at most 1.05 of the floor of a conversation in which every change is told for nothing', () => {
    const { dollars } = rowOf('Indelible')
    expect(dollars / yardsticks(rows).floor).toBeLessThanOrEqual(1.05)
    expect(LIMIT).toBe(1.05)
  })

  it('tells every change at its turn', () => {
    const { told: count, changes } = rowOf('Indelible')
    expect(changes).toBeGreaterThan(30)
    expect(count).toBe(changes)
    expect(broken(rows)).toEqual([])
  })

  it('costs what its own floor is: it writes everything once', () => {
    const { dollars, floor } = rowOf('Indelible')
    expect(dollars / floor).toBeCloseTo(1, 3)
  })
})

describe('a broken promise', () => {
  it('is named, so that the bench ends with 1', () => {
    const worse = (change: Partial<Row>): Row[] =>
      rows.map((row) => (row.kind === 'indelible' ? { ...row, ...change } : row))
    const { floor } = yardsticks(rows)
    expect(broken(worse({ dollars: floor * 1.06 }))).toEqual(['Indelible costs 1.060 of the floor, more than 1.05'])
    expect(broken(worse({ told: 31 }))).toEqual(['Indelible told 31 of 32 changes'])
  })
})

describe('the other ways', () => {
  it('tell every change where they write the prompt anew, and none where it is frozen', () => {
    const share = Object.fromEntries(rows.map(({ way, told: count, changes }) => [way, count / changes]))
    expect(share).toEqual({
      'No caching': 1,
      'AI SDK, prompt in one message': 1,
      'AI SDK, prompt in two messages': 1,
      'AI SDK, prompt frozen by hand': 0,
      'Static/dynamic split, end marked': 1,
      'Static/dynamic split alone': 1,
      Indelible: 1,
    })
  })

  it('have the same conversation', () => {
    const answers = [...exchanges.values()].map((all) => all.map(({ truth }) => truth))
    for (const truths of answers) expect(truths).toEqual(answers[0])
    const outputs = [...new Set(rows.map(({ output }) => output.toLocaleString('en-US')))]
    expect(outputs).toHaveLength(1)
    expect(readFileSync('bench/money/README.md', 'utf8')).toContain(`${outputs[0]} tokens`)
  })
})

describe('the conversation', () => {
  it('has twenty turns, six tools, and a prompt of 220 lines that ends in time, status and branch', () => {
    expect(exchanges.get('No caching')).toHaveLength(20)
    expect(toolDefinitions).toHaveLength(6)
    const [first] = exchanges.get('No caching') ?? []
    const lines = String(first?.body['system']).split('\n')
    expect(lines).toHaveLength(220)
    expect(lines.slice(-7).join('\n')).toBe(
      'Current time: Tuesday, 2026-12-01, 23:18 UTC\n\nGit status:\n M docs/counter.md\n?? notes.txt\n\nGit branch: main',
    )
  })

  it('never makes a value again what it was at the start', () => {
    const truths = (exchanges.get('No caching') ?? []).map(({ truth }) => truth)
    const [first, ...later] = truths
    for (const key of ['time', 'status', 'branch'] as const) {
      const changedAt = later.findIndex((truth) => truth[key] !== first?.[key])
      expect(later.slice(changedAt).some((truth) => truth[key] === first?.[key])).toBe(false)
    }
  })
})

describe('what was told', () => {
  const truth = { time: 'Current time: 1', status: 'Git status: clean', branch: 'Git branch: main' }
  const later = { ...truth, branch: 'Git branch: fix' }
  const request = (body: Exchange['body'], at: Exchange['truth']): Exchange => ({
    at: '',
    body,
    answer: null,
    truth: at,
  })
  const first = request({ messages: [{ role: 'user', content: 'Hello' }] }, truth)
  const answer = { role: 'assistant', content: 'Hi.' }

  it('does not count what a tool returned or what stands before the last answer', () => {
    const result = { type: 'tool_result', tool_use_id: '1', content: later.branch }
    const messages = [{ role: 'user', content: later.branch }, answer, { role: 'user', content: [result] }]
    expect(told([first, request({ messages }, later)])).toEqual({ told: 0, changes: 1 })
  })

  it('does not count a list that goes on, and counts the system prompt and what stands behind the answer', () => {
    const sent = (system: string, content: string): Exchange =>
      request({ system, messages: [answer, { role: 'system', content }] }, later)
    expect(told([first, sent('', `${later.branch}\nmore`)])).toEqual({ told: 0, changes: 1 })
    expect(told([first, sent('', `It is late.\n\n${later.branch}`)])).toEqual({ told: 1, changes: 1 })
    expect(told([first, sent(later.branch, '')])).toEqual({ told: 1, changes: 1 })
  })
})

describe('what is checked in', () => {
  it('is what is played, for the ways that are installed', () => {
    const kept = keptResult().rows
    expect(kept.filter(({ way }) => exchanges.has(way))).toEqual(rows)
    expect(kept.map(({ way }) => way).filter((way) => !exchanges.has(way))).toEqual([
      'LangChain, caching middleware',
      'LangChain, caching middleware, marked block',
      'LangChain, prompt frozen by hand',
    ])
  })

  it.each(['README.md', 'bench/money/README.md'])('stands in %s', (file) => {
    const page = readFileSync(file, 'utf8')
    expect(putTable(page, formatResult(keptResult()))).toBe(page)
  })

  it('is of the versions that the bench installs, which are those of the project where it has them', () => {
    const { dependencies } = packageAt('bench/money/package.json')
    const { version, devDependencies } = packageAt('package.json')
    expect(keptResult().versions).toEqual({ indelible: version, ...dependencies })
    const shared = Object.keys(dependencies ?? {}).filter((name) => devDependencies?.[name] !== undefined)
    expect(shared).toEqual(['@ai-sdk/anthropic', '@anthropic-ai/sdk', 'ai'])
    for (const name of shared) expect(dependencies?.[name]).toBe(devDependencies?.[name])
  })
})

function packageAt(file: string): {
  readonly version?: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
} {
  return JSON.parse(readFileSync(file, 'utf8'))
}
