import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createSimulator } from '../../src/cache/simulator/create-simulator.ts'
import type { Exclusion } from './evidence.ts'
import { replay } from './replay.ts'
import { acceptance, reportLines } from './report.ts'
import { run, type Result } from './run.ts'
import { turnsOf } from './test-turn.ts'
import { readUsageTable } from './usage-table.ts'

const long = Array.from({ length: 2000 }, (_, at) => `Rule ${at}.`).join(' ')
const main = join(import.meta.dirname, 'main.ts')
const header = 'source,file,call,prev,input_total,cache_read,cache_write,output'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'indelible-corpus-'))
  mkdirSync(join(folder, 'own'))
})
afterEach(() => {
  rmSync(folder, { recursive: true })
})

/** A nock recording of the Messages API: the same marked prompt each time, with these reads and writes. */
function record(usages: readonly (readonly [read: number, write: number])[]): void {
  const content = [{ type: 'text', text: long, cache_control: { type: 'ephemeral' } }]
  const exchanges = usages.map(([read, write]) => ({
    scope: 'https://api.anthropic.com:443',
    path: '/v1/messages',
    status: 200,
    body: { model: 'claude-sonnet-4-6', max_tokens: 1, messages: [{ role: 'user', content }] },
    response: {
      type: 'message',
      usage: { input_tokens: 3, cache_read_input_tokens: read, cache_creation_input_tokens: write, output_tokens: 1 },
    },
  }))
  writeFileSync(join(folder, 'own', 'probe.json'), JSON.stringify(exchanges))
}

async function play(exclusions: readonly Exclusion[] = []): Promise<Result> {
  return run(folder, createSimulator, exclusions)
}

describe('a run over a folder', () => {
  it('predicts what was read from what earlier calls reported, and says how often it was right', async () => {
    record([
      [0, 8123],
      [8123, 0],
    ])
    const result = await play()
    expect(result.problems).toEqual([])
    expect(result.judged.map(({ category, hit }) => [category, hit])).toEqual([
      ['cold', true],
      ['warm', true],
    ])
    expect(result.judged[1]?.turn.prediction.usage.read).toBe(8123)
    expect(acceptance(result)).toEqual([
      { line: 'anthropic: 1 of 1 (100 %) of the warm turns (all are asked)', outcome: 'passed' },
      { line: 'openai: 0 of 0 of the warm turns (at least 90 % are asked)', outcome: 'open' },
    ])
  })

  it('does not accept a warm turn that is predicted wrong, and names the miss', async () => {
    record([
      [0, 8123],
      [0, 8123],
    ])
    const result = await play()
    expect(acceptance(result)[0]?.outcome).toBe('failed')
    expect(reportLines(result, { verbose: false }).join('\n')).toContain(
      'miss  own/probe.json #1: predicted 8,123, through messages[0].content[0], reported 0, range 8,123–8,123',
    )
  })

  it('takes out what its list excludes, and says which lines it could not look at', async () => {
    record([
      [0, 8123],
      [0, 8123],
      [8123, 0],
    ])
    const line = { evidence: 'later-read', explanation: '' } as const
    const result = await play([
      { ...line, file: 'probe.json', call: 1 },
      { ...line, file: 'elsewhere.json', call: 1 },
    ])
    expect(result.judged.map(({ category }) => category)).toEqual(['cold', 'excluded', 'warm'])
    expect(result.unused.map(({ file }) => file)).toEqual(['elsewhere.json'])
    expect(acceptance(result)[0]?.outcome).toBe('passed')
  })

  it('compares what was reported with the table', async () => {
    record([
      [0, 8123],
      [8123, 0],
    ])
    const rows = ['own,probe.json,0,,8126,0,8123,1', 'own,probe.json,1,0,8126,8000,,1', 'own,probe.json,7,,5,,,1']
    writeFileSync(join(folder, 'usage.csv'), `${header}\n${rows.join('\n')}\n`)
    const { problems, hasTable } = await play()
    expect(hasTable).toBe(true)
    expect(problems).toEqual([
      'own/probe.json: reported usage read wrongly: call 1: read read as 8123, usage.csv has 8000',
      'own/probe.json: reported usage read wrongly: call 1: write read as 0, usage.csv has –',
      'own/probe.json: reported usage read wrongly: call 7 is in usage.csv and was not found',
    ])
  })

  it('misses the recordings of a table', async () => {
    record([[0, 8123]])
    const rows = ['own,probe.json,0,,8126,0,8123,1', 'own,gone.json,0,,5,,,1']
    writeFileSync(join(folder, 'usage.csv'), `${header}\n${rows.join('\n')}\n`)
    expect((await play()).problems).toEqual(['own/gone.json is in usage.csv and was not found'])
  })

  it('counts a file that cannot be read, and a body that cannot be played, as problems', async () => {
    writeFileSync(join(folder, 'own', 'a.json'), '{"hello":"world"}')
    const foreign = { scope: 'https://api.anthropic.com', path: '/v1/messages', body: { hello: 1 }, response: {} }
    writeFileSync(join(folder, 'own', 'b.json'), JSON.stringify([foreign]))
    expect((await play()).problems).toEqual([
      'own/a.json cannot be read: no reader recognises it',
      expect.stringMatching(/^own\/b\.json cannot be played: The request body is an object with hello/),
    ])
  })
})

describe('a recording', () => {
  it('is predicted call by call before what came back is shown to the simulator', () => {
    const log: string[] = []
    const [turn] = turnsOf([{ texts: ['one'], read: 0 }])
    if (turn === undefined) throw new Error('no turn')
    const { call, prediction } = turn
    replay([call, { ...call, index: 1 }], new Map(), undefined, ({ provider }) => ({
      provider,
      scope: {},
      segments: 0,
      send: () => (log.push('send'), prediction),
      begin: () => undefined,
      abandon: () => undefined,
      observe: (response) => void log.push(response === call.response ? 'observe' : 'something else'),
      entries: () => [],
      clear: () => undefined,
    }))
    expect(log).toEqual(['send', 'observe', 'send', 'observe'])
  })
})

describe('the usage table', () => {
  it('has quoted cells with commas, quotes and line ends, and keeps empty cells apart from 0', () => {
    const text = `source,file,call,prev,old,input_total,cache_read,cache_write,output\r\n"a","b.json",1,0,"x,""y""\nz",9,0,,2\r\n`
    expect(readUsageTable(text)).toEqual(
      new Map([['a/b.json', [{ call: 1, previous: 0, total: 9, read: 0, write: undefined, output: 2 }]]]),
    )
  })

  it('must have its columns', () => {
    expect(() => readUsageTable('source,file,call\n')).toThrow('usage.csv has no column prev')
  })
})

describe('the command', () => {
  const command = (...given: string[]): { status: number | null; stdout: string; stderr: string } =>
    spawnSync(process.execPath, [main, ...given], { encoding: 'utf8' })

  it('exits with 0 when all is well and with 1 when it is not', () => {
    record([
      [0, 8123],
      [8123, 0],
    ])
    const good = command(folder, '--verbose')
    expect([good.status, good.stderr]).toEqual([0, ''])
    expect(good.stdout).toContain('passed  anthropic: 1 of 1 (100 %)')
    writeFileSync(join(folder, 'own', 'broken.json'), '{')
    const bad = command(folder)
    expect(bad.status).toBe(1)
    expect(bad.stdout).toContain('own/broken.json cannot be read')
  })

  it('says what is wrong with a path', () => {
    expect(command()).toMatchObject({ status: 1, stderr: 'Give one folder: npm run test:corpus -- PATH\n' })
    expect(command(join(folder, 'none'))).toMatchObject({ status: 1, stderr: `${join(folder, 'none')} is no folder\n` })
    expect(command(folder)).toMatchObject({
      status: 1,
      stderr: `${folder} has no recordings (.json, .jsonl, .yaml)\n`,
    })
  })
})
