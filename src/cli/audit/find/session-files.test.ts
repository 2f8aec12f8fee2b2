import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { claudeCode } from './places.ts'
import { findSessionFiles } from './session-files.ts'

let folder: string
const day = Date.UTC(2026, 10, 20)

function put(path: string, written: number): void {
  const file = join(folder, path)
  mkdirSync(join(file, '..'), { recursive: true })
  writeFileSync(file, '{}\n')
  utimesSync(file, written / 1000, written / 1000)
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'indelible-find-'))
  put('projects/-srv-a/new.jsonl', day + 2000)
  put('projects/-srv-a/new/subagents/agent-1.jsonl', day + 1000)
  put('projects/-srv-a/new/subagents/agent-1.meta.json', day + 1000)
  put('projects/-srv-a/new/tool-results/x.txt', day + 1000)
  put('projects/-srv-b/old.jsonl', day - 1000)
  put('projects/-srv-b/packed.jsonl.zst', day + 500)
  symlinkSync('..', join(folder, 'projects/-srv-b/loop'))
  symlinkSync('../-srv-a/new.jsonl', join(folder, 'projects/-srv-b/same.jsonl'))
  symlinkSync('nowhere', join(folder, 'projects/-srv-b/broken.jsonl'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const place = (path: string): { client: typeof claudeCode; folder: string } => ({
  client: claudeCode,
  folder: join(folder, path),
})

describe('session files', () => {
  it('are those that were written in the span, in the order in which they were written last, each once', async () => {
    const { files, places } = await findSessionFiles([place('projects')], day)
    expect(files.map(({ name }) => name.slice(folder.length))).toEqual([
      '/projects/-srv-b/packed.jsonl.zst',
      '/projects/-srv-a/new/subagents/agent-1.jsonl',
      '/projects/-srv-a/new.jsonl',
    ])
    expect(places).toMatchObject([{ state: 'found', files: 3, older: 1 }])
  })

  it('of a place that leads to another one are counted for the first', async () => {
    symlinkSync('projects', join(folder, 'again'))
    const { places } = await findSessionFiles([place('again'), place('projects')], day)
    expect(places.map(({ files }) => files)).toEqual([3, 0])
  })

  it('are none where the place is absent, or is a file', async () => {
    const { files, places } = await findSessionFiles([place('nothing'), place('projects/-srv-a/new.jsonl')], 0)
    expect(files).toEqual([])
    expect(places.map(({ state }) => state)).toEqual(['absent', 'absent'])
  })

  it.skipIf(process.getuid?.() === 0)(
    'of a place that may not be read are none, and it is said (not as root, who may)',
    async () => {
      mkdirSync(join(folder, 'closed'))
      chmodSync(join(folder, 'closed'), 0)
      const { places } = await findSessionFiles([place('closed')], 0)
      chmodSync(join(folder, 'closed'), 0o700)
      expect(places).toMatchObject([{ state: 'unreadable' }])
    },
  )
})
