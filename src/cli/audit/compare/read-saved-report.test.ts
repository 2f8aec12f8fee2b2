import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { projectRoot } from '../../../../scripts/imports.ts'
import { exampleReport } from '../print/test-report.ts'
import { looksLikeReport, readSavedReport } from './read-saved-report.ts'

let folder: string
beforeAll(() => {
  mkdirSync(join(projectRoot, '.tmp'), { recursive: true })
  folder = mkdtempSync(join(projectRoot, '.tmp', 'saved-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function file(content: string): string {
  const path = join(folder, 'a.json')
  writeFileSync(path, content)
  return path
}

const report = exampleReport()
const sorted = Object.fromEntries(Object.entries(report).sort(([one], [other]) => (one < other ? -1 : 1)))

describe('a report is told from a log by its content', () => {
  it.each([
    ['as it was printed', JSON.stringify(report)],
    ['with its fields sorted', JSON.stringify(sorted, null, 2)],
    ['laid out, behind a byte order mark', `\uFEFF\n${JSON.stringify(report, null, 4)}\n`],
  ])('%s', async (_name, content) => {
    const path = file(content)
    expect(await looksLikeReport(path)).toBe(true)
    expect(await readSavedReport(path, path)).toEqual(report)
  })

  it.each([
    ['a log', '{"request":{"body":{"model":"claude-opus-5"}}}\n'],
    ['a log that holds a report', '{"request":{"body":{}},"note":{"schema":"indelible.audit/1"}}\n'],
    ['what another command prints', '{"schema":"indelible.demo/3"}'],
    ['a list', '[{"schema":"indelible.audit/1"}]'],
    ['nothing', ''],
  ])('%s is none', async (_name, content) => {
    expect(await looksLikeReport(file(content))).toBe(false)
  })

  it('and so are a folder, standard input and what is not there', async () => {
    for (const path of [folder, '-', join(folder, 'none')]) expect(await looksLikeReport(path)).toBe(false)
  })
})
