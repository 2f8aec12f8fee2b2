/**
 * `indelible audit` from end to end: on the logs that the demo writes, as files, folders, archives and standard input,
 * whole and damaged. One run of the demo makes the logs of all tests.
 */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync, zipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import schema from '../schema/indelible.audit-1.schema.json' with { type: 'json' }
import { projectRoot } from '../scripts/imports.ts'
import type { AuditReport } from '../src/audit/index.ts'
import { bin, indelible } from './support/run-command.ts'

let folder: string
/** The folder with the demo's logs, from where the tests run. */
let logs: string
/** The report on requests that are built anew. */
let anew: AuditReport
const log = (way: string): string => join(logs, `${way}.jsonl`)
const file = (name: string, content: string | Uint8Array): string => {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

beforeAll(async () => {
  // Most of the time of a process goes into stripping the types of the sources, which is the same for all of them.
  vi.stubEnv('NODE_COMPILE_CACHE', join(projectRoot, '.tmp', 'compile-cache'))
  mkdirSync(join(projectRoot, '.tmp'), { recursive: true })
  folder = relative(process.cwd(), mkdtempSync(join(projectRoot, '.tmp', 'cli-audit-')))
  logs = join(folder, 'demo-logs')
  const { code } = await indelible(['demo', '--logs', logs, '--out', join(folder, 'demo.sqlite')])
  expect(code).toBe(0)
  anew = await reportOf(log('anew'))
})
afterAll(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true, force: true })
})

async function reportOf(...args: readonly string[]): Promise<AuditReport> {
  const { code, out, err } = await indelible(['audit', '--json', ...args])
  expect([code, err]).toEqual([0, ''])
  return JSON.parse(out) as AuditReport
}

/** What a report says, without the name of the file and what is drawn anew for each run. */
function findings({ streams, culprits, totals, counterfactual }: AuditReport): unknown {
  return {
    turns: streams.map(({ turns }) => turns.map(({ source, verdict, lost }) => [source.line, verdict, lost])),
    culprits: culprits.map(({ id, occurrences, cost }) => [id, occurrences.map(({ turn }) => turn), cost]),
    totals,
    counterfactual,
  }
}

/** The lines of `text` that stand in `output` in this order; lines that are cut off in `text` are left out. */
function linesIn(output: string, text: string): string[] {
  const printed = output.split('\n')
  return text.split('\n').filter((line) => {
    const at = printed.indexOf(line)
    if (at < 0) return false
    printed.splice(0, at + 1)
    return true
  })
}

describe('indelible audit', () => {
  it('names what broke the cache on each turn, what it cost, and what to change', async () => {
    const { code, out, err } = await indelible(['audit', log('anew')])
    expect([code, err]).toEqual([0, ''])
    const lines = out.trimEnd().split('\n')
    expect(lines[0]).toBe('12 turns in 1 conversation, 2026-12-01 23:43 to 2026-12-02 00:07 UTC')
    expect(out).toContain('hit rate       29.6 %  of 35,572 tokens')
    expect(out).toMatch(/^bill +\$0\.17 /m)
    expect(out).toMatch(/^ +9 +3,56\d ░+▒+ +\$0\.02\d rewritten: date$/m)
    expect(out).toContain('"Tuesday, 2026-12-01" → "Wednesday, 2026-12-02"')
    expect(out).toContain('date() of indelible/sources')
    expect(out).toMatch(/^What to change first: from \$0\.17 to \$0\.0\d+$/m)
    expect(lines.length).toBeLessThanOrEqual(48)
    expect(Math.max(...lines.map((line) => Array.from(line).length))).toBeLessThanOrEqual(80)
    expect(out).not.toContain('\u001b')
  })

  it('finds nothing where each request starts with the one before', async () => {
    const { code, out } = await indelible(['audit', log('epochs')])
    expect(code).toBe(0)
    expect(out).toMatch(/^reproduced +11 of 11 /m)
    expect(out).toMatch(/^avoidable +\$0\.00 /m)
    expect(out).toContain('\nNothing breaks the cache.\n')
    expect(out).not.toContain('What to change')
  })

  it('prints every turn and every culprit when it is asked for all', async () => {
    const { out } = await indelible(['audit', log('epochs'), '--all'])
    expect(out.match(/^ +\d+ +\d,\d{3} .*(?:first|appended)$/gm)).toHaveLength(12)
    expect(out).not.toContain('(--all)')
  })

  it('prints what the README shows', async () => {
    const readme = readFileSync(join(projectRoot, 'README.md'), 'utf8')
    const [, path = '', shown = ''] =
      /npx indelible audit (demo-logs\/\S+).*?```\n+```console\n(.*?)```/s.exec(readme) ?? []
    expect(path).toBe('demo-logs/anew.jsonl')
    const { stdout } = await promisify(execFile)(process.execPath, [bin, 'audit', path], { cwd: folder })
    const whole = shown.split('\n').filter((line) => line.trim() !== '...')
    expect(linesIn(stdout, shown)).toEqual(whole)
  })
})

describe('the report as JSON', () => {
  it('is what the schema of the package says, on one line', async () => {
    const { out } = await indelible(['audit', log('anew'), log('epochs'), '--json'])
    expect(out.indexOf('\n')).toBe(out.length - 1)
    const parser = z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0])
    expect(parser.safeParse(JSON.parse(out)).error?.issues).toBeUndefined()
  })

  it('comes to the tokens and dollars of the demo, and its losses add up', () => {
    const { schema: name, totals, streams, culprits, unread } = anew
    expect(name).toBe('indelible.audit/1')
    expect(totals).toMatchObject({ turns: 12, streams: 1, failed: 0, priced: 12, otherLosses: [] })
    expect(totals.tokens).toMatchObject({ read: 10_540, write5m: 24_996, uncached: 36, output: 313, total: 35_572 })
    expect(totals.cost).toBeCloseTo(0.1695, 9)
    expect(culprits.reduce((sum, { tokensLost }) => sum + tokensLost, 0)).toBe(totals.lost.tokens)
    expect(culprits.reduce((sum, { cost }) => sum + (cost ?? 0), 0)).toBeCloseTo(totals.lost.cost ?? 0, 9)
    const lost = streams[0]?.turns.flatMap(({ verdict }, index) => (verdict === 'rewritten' ? [index + 1] : []))
    expect(lost).toEqual([4, 5, 6, 7, 8, 9, 11])
    expect(unread).toEqual([])
  })

  it('shows no text of the log unless it is asked to', async () => {
    const rules = 'Amounts are whole cents'
    const text = readFileSync(log('anew'), 'utf8')
    expect([text.includes(rules), text.includes('demo-anew')]).toEqual([true, true])
    for (const secret of [rules, 'whole cents', 'review code', 'demo-anew']) {
      expect(JSON.stringify(anew)).not.toContain(secret)
    }
    const shown = await reportOf('--include-text', log('anew'))
    const before = shown.streams[0]?.turns.flatMap(({ divergence }) => divergence?.before?.text ?? [])
    expect(before?.length).toBe(7)
    expect(JSON.stringify(shown)).not.toContain('demo-anew')
  })
})

describe('what is given to an audit', () => {
  it('may be a folder: each log is a conversation of its own', async () => {
    const { streams, inputs, families } = await reportOf(logs)
    expect(inputs.map(({ file: name, exchanges }) => [name, exchanges])).toEqual(
      ['anew', 'epochs', 'split'].map((way) => [log(way), 12]),
    )
    const names = streams.map(({ session, turns }) => [session, turns.length])
    expect(names.toSorted()).toEqual([
      ['anew', 12],
      ['epochs', 12],
      ['split', 12],
    ])
    expect(families.length).toBeLessThanOrEqual(1)
    const clean = streams.find(({ session }) => session === 'epochs')
    expect(clean?.culprits).toEqual([])
  })

  it('may be packed with gzip, or lie in a zip', async () => {
    const bytes = readFileSync(log('anew'))
    const packed = file('anew.jsonl.gz', gzipSync(bytes))
    const archive = file('logs.zip', zipSync({ 'some/anew.jsonl': bytes, 'readme.txt': Buffer.from('Hello.\n') }))
    const fromGzip = await reportOf(packed)
    expect(findings(fromGzip)).toEqual(findings(anew))
    expect(fromGzip.inputs).toMatchObject([{ file: packed, format: 'generic-jsonl', bytes: bytes.length }])
    const fromZip = await reportOf(archive)
    expect(findings(fromZip)).toEqual(findings(anew))
    expect(fromZip.streams[0]?.turns[3]?.source).toEqual({ file: `${archive}/some/anew.jsonl`, line: 4 })
    expect(fromZip.unread).toEqual([
      { file: `${archive}/readme.txt`, line: null, kind: 'unknown-shape', message: expect.any(String) },
    ])
  })

  it('may come from standard input', async () => {
    const child = spawn(process.execPath, [bin, 'audit', '-', '--json'], { stdio: ['pipe', 'pipe', 'inherit'] })
    child.stdin.end(gzipSync(readFileSync(log('anew'))))
    const [out, [code]] = await Promise.all([child.stdout.toArray(), once(child, 'exit')])
    expect(code).toBe(0)
    const report = JSON.parse(Buffer.concat(out as Buffer[]).toString()) as AuditReport
    expect(report.inputs.map(({ file: name }) => name)).toEqual(['-'])
    expect(findings(report)).toEqual(findings(anew))
  })

  it('may end in the middle of a line: that is named, and the rest is read', async () => {
    const text = readFileSync(log('anew'), 'utf8')
    const lines = text.split('\n')
    lines[2] = '{"request": '
    const cut = file('cut.jsonl', lines.join('\n').slice(0, -1000))
    const report = await reportOf(cut)
    expect(report.totals.turns).toBe(10)
    expect(report.unread.map(({ file: name, line, kind }) => [name, line, kind])).toEqual([
      [cut, 3, 'broken'],
      [cut, 12, 'broken'],
    ])
    const { code, out } = await indelible(['audit', cut, '--all'])
    expect(code).toBe(0)
    expect(out.replaceAll(/\s+/g, ' ')).toMatch(/Not read: 2 records \(broken 2\)\. The first: .*:3: /)
  })
})

describe('what cannot be audited', () => {
  it('is a path that leads nowhere, which is named', async () => {
    const { code, out, err } = await indelible(['audit', log('anew'), join(folder, 'none.jsonl')])
    expect([code, out]).toEqual([2, ''])
    expect(err).toMatch(/^indelible: .*none\.jsonl: There is no such file or folder\. Give logs, /)
  })

  it('is a file that holds no call, with what was tried', async () => {
    const prose = file('prose.txt', 'Dear diary,\ntoday I called no model.\n')
    const empty = file('empty.jsonl', '')
    const { code, out, err } = await indelible(['audit', prose, empty])
    expect([code, out]).toEqual([2, ''])
    expect(err).toMatch(/^indelible: No call to a model was found\. /)
    expect(err).toContain(`${prose}: It is in no format that is known.`)
    expect(err).toContain(`${empty}: It is empty.`)
    for (const format of [
      'claude-trace log',
      'HTTP archive (HAR)',
      'Codex rollout',
      'JSON lines with request bodies',
    ]) {
      expect(err).toContain(format)
    }
    expect(err).not.toMatch(/^ +at /m)
  })

  it('is a format that is known and not read, which is named with what to do instead', async () => {
    const chat = file('chat.json', JSON.stringify({ sessionId: 'a', projectHash: 'b', messages: [] }, null, 2))
    const { code, err } = await indelible(['audit', chat])
    expect([code, err]).toEqual([2, expect.stringContaining('Gemini CLI chat: it keeps neither system prompt nor')])
  })

  it('is nothing at all', async () => {
    mkdirSync(join(folder, 'empty'))
    const { code, out, err } = await indelible(['audit', join(folder, 'empty')])
    expect([code, out, err]).toEqual([2, '', expect.stringContaining('There is no file to read.')])
  })
})

describe('as a process', () => {
  const start = (args: readonly string[], env: NodeJS.ProcessEnv = {}) =>
    spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...env } })

  it('ends without a word when nobody reads on', async () => {
    const child = start([bin, 'audit', log('anew'), '--json'])
    // As `| head` does once it has seen enough.
    child.stdout.destroy()
    const [err, [code, signal]] = await Promise.all([child.stderr.toArray(), once(child, 'exit')])
    expect([code, signal, Buffer.concat(err as Buffer[]).toString()]).toEqual([0, null, ''])
  })

  it.skipIf(process.platform !== 'linux')('says so when its output cannot be written', async () => {
    const full = openSync('/dev/full', 'w')
    const child = spawn(process.execPath, [bin, 'audit', log('epochs')], { stdio: ['ignore', full, 'pipe'] })
    closeSync(full)
    const [err, [code]] = await Promise.all([child.stderr!.toArray(), once(child, 'exit')])
    expect(code).toBe(2)
    expect(Buffer.concat(err as Buffer[]).toString()).toBe('indelible: The output cannot be written (ENOSPC).\n')
  })

  it('has colours on a terminal, and none with NO_COLOR', async () => {
    const onTerminal = ['--import', 'data:text/javascript,process.stdout.isTTY=true', bin, 'audit', log('anew')]
    const terminal = { FORCE_COLOR: undefined, NO_COLOR: undefined, TERM: 'xterm' }
    const outputs = [start(onTerminal, terminal), start(onTerminal, { ...terminal, NO_COLOR: '1' })].map(
      async ({ stdout }) => Buffer.concat((await stdout.toArray()) as Buffer[]).toString(),
    )
    const [colored = '', plain = ''] = await Promise.all(outputs)
    expect(colored).toContain('\u001b[32m█')
    expect(colored).toContain('\u001b[31m░')
    expect(colored).toContain('\u001b[33m▒')
    expect(plain).not.toContain('\u001b')
    // oxlint-disable-next-line no-control-regex
    expect(colored.replaceAll(/\u001b\[\d+m/g, '')).toBe(plain)
  })
})
