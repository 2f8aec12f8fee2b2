/** The command around an audit, which is not run here: what it is handed, and what becomes of its report. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { projectRoot } from '../../../scripts/imports.ts'
import { reportPage } from '../../audit/page/report-page.ts'
import { main } from '../main.ts'
import { exampleReport } from './print/test-report.ts'

const audit = vi.hoisted(() =>
  vi.fn<(files: readonly unknown[], options: Record<string, unknown>) => Promise<unknown>>(),
)
vi.mock('../../audit/index.ts', async (original) => ({ ...(await original<object>()), audit }))

let folder: string
let log: string
beforeAll(() => {
  mkdirSync(join(projectRoot, '.tmp'), { recursive: true })
  folder = mkdtempSync(join(projectRoot, '.tmp', 'audit-'))
  log = join(folder, 'a.jsonl')
  writeFileSync(log, '{}\n')
})
beforeEach(() => void audit.mockReset().mockResolvedValue(exampleReport()))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function indelible(...args: string[]): Promise<{ code: number; out: string; err: string; status: string[] }> {
  const result = { out: '', err: '', status: [] as string[] }
  const code = await main(['audit', ...args], {
    colors: false,
    write: (text) => void (result.out += text),
    writeError: (text) => void (result.err += text),
    status: (line) => void result.status.push(line),
  })
  return { code, ...result }
}

describe('indelible audit', () => {
  it('prints the report, and ends well', async () => {
    const { code, out, err } = await indelible(log)
    expect([code, err]).toEqual([0, ''])
    expect(out).toMatch(/^13 turns in 2 conversations/)
    expect(out).toContain('(--all)')
  })

  it('prints all of it when asked, or JSON alone on one line', async () => {
    expect((await indelible(log, '--all')).out).not.toContain('(--all)')
    const { out } = await indelible(log, '--json')
    expect(JSON.parse(out)).toEqual(exampleReport())
    expect(out.indexOf('\n')).toBe(out.length - 1)
  })

  it('shows seconds in place of dollars at a rate of prefill, and dollars as JSON all the same', async () => {
    const { out } = await indelible(log, '--all', '--prefill', '1000')
    expect(out).not.toContain('$')
    expect(out).toMatch(/^prefill +[\d.]+ (?:s|min) /m)
    expect(JSON.parse((await indelible(log, '--json', '--prefill', '1000')).out)).toEqual(exampleReport())
  })

  it('writes the report as a page too when asked', async () => {
    const page = join(folder, 'report.html')
    const { code, out, err } = await indelible(log, '--html', page)
    expect([code, err]).toEqual([0, `The report is in ${page}, as a page.\n`])
    expect(out).toMatch(/^13 turns in 2 conversations/)
    expect(readFileSync(page, 'utf8')).toBe(reportPage(exampleReport()))
  })

  it('hands over the files and the options', async () => {
    await indelible(log, '--include-text', '--updates', 'all', '--provider', 'bedrock', '--model', 'claude-opus-5')
    const [files, options] = audit.mock.calls[0]!
    expect(files).toMatchObject([{ name: log, size: 3 }])
    expect(options).toMatchObject({
      includeText: true,
      updates: 'all',
      provider: 'bedrock',
      model: 'claude-opus-5',
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      now: expect.any(Date),
      countTokens: expect.any(Function),
    })
    await indelible(log)
    expect(audit.mock.calls[1]?.[1]).toMatchObject({ includeText: false, updates: 'values' })
  })

  it('salts each run anew', async () => {
    await indelible(log)
    await indelible(log)
    const [one, other] = audit.mock.calls.map(([, options]) => options)
    expect(one?.['salt']).not.toBe(other?.['salt'])
    expect(one?.['secret']).not.toBe(one?.['salt'])
  })

  it.each([
    ['no path, and an option that needs one', ['--include-text'], /--include-text needs logs to be named/],
    ['a path that leads nowhere', ['nowhere.jsonl'], /^indelible: nowhere\.jsonl: There is no such file or folder/],
    ['other updates', ['--updates', 'none', '.'], /Allowed choices are values, all/],
  ])('ends with 2 for %s', async (_name, args, message) => {
    const { code, out, err } = await indelible(...args)
    expect([code, out]).toEqual([2, ''])
    expect(err).toMatch(message)
    expect(audit).not.toHaveBeenCalled()
  })

  it('takes the progress line away when it fails', async () => {
    const clock = vi.spyOn(performance, 'now').mockReturnValueOnce(0).mockReturnValue(5000)
    audit.mockImplementation(async (_files, options) => {
      ;(options['onProgress'] as (bytes: number, file: string) => void)(1, 'a.jsonl')
      throw new Error('broken')
    })
    const status: string[] = []
    const quiet = {
      colors: false,
      write: () => {},
      writeError: () => {},
      status: (line: string) => void status.push(line),
    }
    await expect(main(['audit', log], quiet)).rejects.toThrow('broken')
    expect(status).toEqual(['Reading 33 % of 0 kB: a.jsonl', ''])
    clock.mockRestore()
  })
})
