import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { LogFile } from '../../audit/index.ts'
import { projectRoot } from '../../../scripts/imports.ts'
import { CommandError } from '../errors.ts'
import { findFiles } from './files.ts'

let folder: string
beforeAll(() => {
  mkdirSync(join(projectRoot, '.tmp'), { recursive: true })
  folder = relative(process.cwd(), mkdtempSync(join(projectRoot, '.tmp', 'files-')))
  for (const path of ['logs/.claude-trace', 'logs/b', 'logs/node_modules/x', 'logs/.git', 'empty']) {
    mkdirSync(join(folder, path), { recursive: true })
  }
  for (const path of [
    'a.jsonl',
    '.claude-trace/log.jsonl',
    'b/c.har',
    'b/picture.PNG',
    'node_modules/x/d.json',
    '.git/e',
  ]) {
    writeFileSync(join(folder, 'logs', path), `{"path":"${path}"}\n`)
  }
  symlinkSync('..', join(folder, 'logs/b/loop'))
  symlinkSync('a.jsonl', join(folder, 'logs/same.jsonl'))
  symlinkSync('nowhere', join(folder, 'logs/z-broken'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function* nothing(): AsyncGenerator<Uint8Array> {}

async function textOf(file: LogFile | undefined): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const bytes of file?.open() ?? []) text += decoder.decode(bytes, { stream: true })
  return text
}

const namesIn = async (...paths: string[]): Promise<string[]> =>
  (await findFiles(paths, nothing())).map(({ name }) => name.replace(`${folder}/`, ''))

describe('files', () => {
  it('of a folder are all that may be logs, each once, in the order of their names', async () => {
    expect(await namesIn(join(folder, 'logs'))).toEqual([
      'logs/.claude-trace/log.jsonl',
      'logs/a.jsonl',
      'logs/b/c.har',
      'logs/z-broken',
    ])
  })

  it('that are named twice are there once', async () => {
    const log = join(folder, 'logs/a.jsonl')
    expect(await namesIn(log, join(folder, 'logs/same.jsonl'), log)).toEqual(['logs/a.jsonl'])
  })

  it('that are named are taken whatever they are called', async () => {
    expect(await namesIn(join(folder, 'logs/b/picture.PNG'), `${join(folder, 'logs/node_modules')}/`)).toEqual([
      'logs/b/picture.PNG',
      'logs/node_modules/x/d.json',
    ])
  })

  it('of an empty folder are none', async () => {
    expect(await namesIn(join(folder, 'empty'))).toEqual([])
  })

  it('can be opened more than once, and have a size', async () => {
    const [file] = await findFiles([join(folder, 'logs/a.jsonl')], nothing())
    expect(await textOf(file)).toBe('{"path":"a.jsonl"}\n')
    expect(await textOf(file)).toBe('{"path":"a.jsonl"}\n')
    expect(file?.size).toBe(19)
  })

  it('that cannot be opened say so when they are', async () => {
    const files = await findFiles([join(folder, 'logs')], nothing())
    await expect(textOf(files.at(-1))).rejects.toThrow('ENOENT')
  })

  it('that are not there are an error that names them', async () => {
    const missing = findFiles([join(folder, 'logs'), join(folder, 'nothing.jsonl')], nothing())
    await expect(missing).rejects.toThrow(CommandError)
    await expect(missing).rejects.toThrow(/nothing\.jsonl: There is no such file or folder\./)
  })

  it.skipIf(process.getuid?.() === 0)('of a folder that may not be read are an error that names it', async () => {
    const closed = join(folder, 'closed')
    mkdirSync(closed)
    chmodSync(closed, 0)
    await expect(findFiles([closed], nothing())).rejects.toThrow(/closed: The folder cannot be read \(EACCES\)/)
    chmodSync(closed, 0o700)
  })

  it.skipIf(process.platform === 'win32')('leave out what is no file', async () => {
    mkdirSync(join(folder, 'pipes'))
    execFileSync('mkfifo', [join(folder, 'pipes/pipe')])
    expect(await namesIn(join(folder, 'pipes'))).toEqual([])
  })
})

describe('standard input', () => {
  it('is read once, under the name that stands for it', async () => {
    async function* input(): AsyncGenerator<Uint8Array> {
      yield new TextEncoder().encode('{}')
    }
    const files = await findFiles(['-', '-'], input())
    expect(files.map(({ name, size }) => [name, size])).toEqual([['-', undefined]])
    expect(await textOf(files[0])).toBe('{}')
    await expect(textOf(files[0])).rejects.toThrow('read once only')
  })
})
