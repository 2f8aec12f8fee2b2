import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { projectRoot } from '../../../scripts/imports.ts'
import { reportPage } from '../../audit/page/report-page.ts'
import { CommandError } from '../errors.ts'
import { checkHtml, giveHtml } from './html.ts'
import { exampleReport } from './print/test-report.ts'

let folder: string
beforeAll(() => {
  mkdirSync(join(projectRoot, '.tmp'), { recursive: true })
  folder = mkdtempSync(join(projectRoot, '.tmp', 'html-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Writes the page of the example, and returns what it says. */
async function give(html: string): Promise<string> {
  let told = ''
  const output = { colors: false, write: () => {}, writeError: (text: string) => void (told += text) }
  await giveHtml(exampleReport(), { html }, output)
  return told
}

describe('indelible audit --html', () => {
  it('writes a page that only its owner can read, and says where', async () => {
    const html = join(folder, 'new.html')
    await checkHtml({ html })
    expect(await give(html)).toBe(`The report is in ${html}, as a page.\n`)
    expect(readFileSync(html, 'utf8')).toBe(reportPage(exampleReport()))
    expect(statSync(html).mode & 0o777).toBe(0o600)
  })

  it('writes over a page, whoever could read that, and over an empty file', async () => {
    const [page, empty] = ['old.html', 'empty'].map((name) => join(folder, name)) as [string, string]
    writeFileSync(page, `${reportPage(exampleReport())}and more`)
    chmodSync(page, 0o644)
    writeFileSync(empty, '')
    for (const html of [page, empty]) {
      await checkHtml({ html })
      await give(html)
      expect(readFileSync(html, 'utf8')).toBe(reportPage(exampleReport()))
      expect(statSync(html).mode & 0o777).toBe(0o600)
    }
  })

  it('writes over nothing else, before as after the audit', async () => {
    for (const content of ['{"request":{}}\n', '<!doctype html><p>Mine.</p>', 'x']) {
      const html = join(folder, 'log.jsonl')
      writeFileSync(html, content)
      await expect(checkHtml({ html })).rejects.toThrow(/is there already, and is no page/)
      await expect(give(html)).rejects.toThrow(CommandError)
      expect(readFileSync(html, 'utf8')).toBe(content)
    }
  })

  it.each([
    ['a folder', '.', /is no file/],
    ['a name in no folder', 'nowhere/report.html', /There is no folder/],
    ['a name below a file', 'file/report.html', /cannot be written|There is no folder/],
  ])('refuses %s', async (_name, path, message) => {
    writeFileSync(join(folder, 'file'), '')
    const refused = checkHtml({ html: join(folder, path) })
    await expect(refused).rejects.toThrow(message)
    await expect(refused).rejects.toBeInstanceOf(CommandError)
  })

  it('does nothing unless asked, and not for two logs', async () => {
    await checkHtml({ compare: true })
    await expect(checkHtml({ html: join(folder, 'both.html'), compare: true })).rejects.toThrow(CommandError)
  })
})
