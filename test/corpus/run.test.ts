import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { auditWith } from './audited-calls.ts'
import { acceptance, reportLines } from './report.ts'
import { run, type Lists, type Result } from './run.ts'
import { readUsageTable } from './usage-table.ts'

const long = Array.from({ length: 2000 }, (_, at) => `Rule ${at}.`).join(' ')
const main = join(import.meta.dirname, 'main.ts')
const header = 'source,file,call,prev,diverges_at,input_total,cache_read,cache_write,output'

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

function tabulate(...rows: readonly string[]): void {
  writeFileSync(join(folder, 'usage.csv'), `${header}\n${rows.join('\n')}\n`)
}

async function play(lists: Partial<Lists> = {}): Promise<Result> {
  const notLogs = [{ name: /^usage\.csv$/, why: 'the table' }]
  return run(folder, auditWith(), { exclusions: [], divergences: [], parents: [], notLogs, ...lists })
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
      { line: 'files: 1 of 1 read, 0 say why not, 0 not in order', outcome: 'passed' },
      {
        line: 'divergences: 0 rows compared, 0 agree with usage.csv, 0 listed with the rule, 0 not in order',
        outcome: 'open',
      },
      {
        line: 'parents: 0 rows compared, 0 agree with usage.csv, 0 listed with the rule, 0 not in order',
        outcome: 'open',
      },
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
    const exclusions = [
      { ...line, file: 'probe.json', call: 1 },
      { ...line, file: 'elsewhere.json', call: 1 },
    ]
    const result = await play({ exclusions })
    expect(result.judged.map(({ category }) => category)).toEqual(['cold', 'excluded', 'warm'])
    expect(result.unused.map(({ file }) => file)).toEqual(['elsewhere.json'])
    expect(acceptance(result)[0]?.outcome).toBe('passed')
  })

  it('compares what was reported with the table', async () => {
    record([
      [0, 8123],
      [8123, 0],
    ])
    tabulate('own,probe.json,0,,,8126,0,8123,1', 'own,probe.json,1,0,APPEND,8126,8000,,1', 'own,probe.json,7,,,5,,,1')
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
    tabulate('own,probe.json,0,,,8126,0,8123,1', 'own,gone.json,0,,,5,,,1')
    expect((await play()).problems).toEqual(['own/gone.json is in usage.csv and was not found'])
  })

  it('compares where a call parts from the one before it, and which that is, with the table', async () => {
    record([
      [0, 8123],
      [8123, 0],
    ])
    tabulate('own,probe.json,0,,,8126,0,8123,1', 'own,probe.json,1,0,APPEND,8126,8123,0,1')
    const good = await play()
    expect([good.problems, good.divergences.agreeing, good.parents.agreeing]).toEqual([[], 1, 2])
    tabulate('own,probe.json,0,,,8126,0,8123,1', 'own,probe.json,1,,system,8126,8123,0,1')
    const other = await play()
    expect(other.problems).toEqual([
      'own/probe.json #1: parent: usage.csv has none, the audit call 0; it is not listed',
    ])
    expect(acceptance(other).at(-1)).toEqual({
      line: 'parents: 2 rows compared, 1 agree with usage.csv, 0 listed with the rule, 1 not in order',
      outcome: 'failed',
    })
    const rule = { file: 'probe.json', call: 1, ours: 'call 0', rule: 'same-prompt', why: 'sent again' } as const
    const listed = await play({ parents: [rule] })
    expect(listed.problems).toEqual([])
    expect(reportLines(listed, { verbose: false }).join('\n')).toContain(
      'own/probe.json #1: parent: usage.csv has none, the audit call 0 (same-prompt: sent again)',
    )
  })

  it('says so where the call before is not among those that were read', async () => {
    record([[0, 8123]])
    tabulate('own,probe.json,0,7,APPEND,8126,0,8123,1')
    expect((await play()).problems).toEqual([
      'own/probe.json #0: divergence: usage.csv has APPEND, the audit not compared; it is not listed',
      'own/probe.json #0: parent: usage.csv has call 7, the audit none; it is not listed',
    ])
  })

  it('has no row for what was not answered, and asks for one for what was', async () => {
    record([[0, 8123]])
    tabulate('own,probe.json,0,,,8126,0,8123,1')
    const body = { model: 'claude-sonnet-4-6', messages: [{ role: 'user', content: 'Hello' }] }
    writeFileSync(join(folder, 'own', 'request.json'), JSON.stringify(body))
    const silent = await play()
    expect([silent.problems, silent.withoutRow.map(({ call }) => call.file)]).toEqual([[], ['own/request.json']])
    const answered = { scope: 'https://api.anthropic.com', path: '/v1/messages', body, response: { usage: {} } }
    writeFileSync(join(folder, 'own', 'request.json'), JSON.stringify([answered]))
    expect((await play()).problems).toEqual([
      'own/request.json: reported usage read wrongly: call 0 is not in usage.csv',
    ])
  })

  it('counts a file that cannot be read, and a body that cannot be played, as problems', async () => {
    record([[0, 8123]])
    writeFileSync(join(folder, 'own', 'a.json'), '{"hello":"world"}')
    const sent = { scope: 'https://api.anthropic.com', path: '/v1/messages', response: {} }
    writeFileSync(join(folder, 'own', 'b.json'), JSON.stringify([{ ...sent, body: { hello: 1 } }]))
    writeFileSync(join(folder, 'own', 'c.json'), JSON.stringify([{ ...sent, body: { messages: [{ role: 1 }] } }]))
    const { problems, files } = await play()
    expect(problems).toEqual([
      'own/a.json cannot be read: It is in no format that is known.',
      expect.stringMatching(/^own\/b\.json cannot be read: The body is of no API that is known/),
      expect.stringMatching(/^own\/c\.json: call 0 cannot be played: /),
    ])
    expect(files.map(({ calls }) => calls)).toEqual([0, 0, 1, 1])
  })
})

describe('the usage table', () => {
  it('has quoted cells with commas, quotes and line ends, and keeps empty cells apart from 0', () => {
    const text = `source,file,call,prev,diverges_at,old,input_total,cache_read,cache_write,output\r\n"a","b.json",1,0,system,"x,""y""\nz",9,0,,2\r\n`
    expect(readUsageTable(text)).toEqual(
      new Map([
        ['a/b.json', [{ call: 1, previous: 0, divergesAt: 'system', total: 9, read: 0, write: undefined, output: 2 }]],
      ]),
    )
  })

  it('must have its columns', () => {
    expect(() => readUsageTable('source,file,call\n')).toThrow('usage.csv has no column diverges_at')
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
    expect(command(folder)).toMatchObject({ status: 1, stderr: expect.stringContaining('There is no file to read.') })
  })
})
