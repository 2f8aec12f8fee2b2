/**
 * What users get: the entries of the package as they are built. The build runs here, into a folder of its own, so
 * nothing depends on what happens to lie in `dist`.
 */
import { execFile } from 'node:child_process'
import { constants, existsSync } from 'node:fs'
import { access, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import packageJson from '../package.json' with { type: 'json' }
import { commandEntries, libraryEntries, type Entry } from '../scripts/entries.ts'
import { chainsToNode, projectRoot, sourceFiles } from '../scripts/imports.ts'

const run = promisify(execFile)

/** Entries that run in a browser. */
const neutral = [
  'indelible',
  'indelible/prompt',
  'indelible/anthropic',
  'indelible/openai',
  'indelible/google',
  'indelible/bedrock',
  'indelible/ai-sdk',
  'indelible/cache',
  'indelible/report',
  'indelible/audit',
]

let dist: string
const built = (entry: Entry): string => join(dist, relative('dist', entry.built))
const find = (specifier: string): Entry => libraryEntries.find((entry) => entry.specifier === specifier) as Entry

beforeAll(async () => {
  await mkdir(join(projectRoot, '.tmp'), { recursive: true })
  dist = await mkdtemp(join(projectRoot, '.tmp', 'dist-'))
  const tsdown = join(projectRoot, 'node_modules/tsdown/dist/run.mjs')
  await run(process.execPath, [tsdown, '--out-dir', dist, '--log-level', 'warn'], { cwd: projectRoot })
})

afterAll(() => rm(dist, { recursive: true, force: true }))

describe('package entries', () => {
  it('are these', () => {
    expect(libraryEntries.map(({ specifier, source }) => [specifier, source])).toEqual([
      ['indelible', 'src/index.ts'],
      ['indelible/prompt', 'src/prompt/index.ts'],
      ['indelible/sources', 'src/sources/index.ts'],
      ['indelible/sqlite', 'src/store/sqlite/index.ts'],
      ['indelible/postgres', 'src/store/postgres/index.ts'],
      ['indelible/anthropic', 'src/wire/anthropic/index.ts'],
      ['indelible/openai', 'src/wire/openai/index.ts'],
      ['indelible/google', 'src/wire/google/index.ts'],
      ['indelible/bedrock', 'src/wire/bedrock/index.ts'],
      ['indelible/ai-sdk', 'src/wire/ai-sdk/index.ts'],
      ['indelible/cache', 'src/cache/index.ts'],
      ['indelible/report', 'src/report/index.ts'],
      ['indelible/audit', 'src/audit/index.ts'],
      ['indelible/emulator', 'src/emulator/index.ts'],
      ['indelible/testing', 'src/testing/index.ts'],
    ])
    expect(commandEntries.map(({ specifier, source }) => [specifier, source])).toEqual([
      ['indelible', 'src/cli/bin.ts'],
    ])
  })

  it('are the folders that have an index, but for those that other folders of ours read', () => {
    const inner = [
      'src/cli/demo/providers/index.ts',
      'src/context/index.ts',
      'src/session/index.ts',
      'src/wire/plan/index.ts',
    ]
    const indexes = sourceFiles('src').filter((file) => file.endsWith('/index.ts') && !inner.includes(file))
    expect(indexes).toEqual(libraryEntries.map(({ source }) => source).sort())
  })

  it.each(libraryEntries)('$specifier is built with its types, and loads', async (entry) => {
    expect(existsSync(built(entry).replace(/js$/, 'd.ts'))).toBe(true)
    expect(Object.keys((await import(built(entry))) as object)).not.toHaveLength(0)
  })

  it.each(neutral)('%s reaches no module of Node', (specifier) => {
    expect(chainsToNode(built(find(specifier)))).toEqual([])
  })

  it('that need Node are seen to need it, so the check above can fail', () => {
    expect(chainsToNode(built(find('indelible/sqlite'))).map((chain) => chain.at(-1))).toContain('node:sqlite')
  })
})

describe('the indelible command', () => {
  const command = (): string => built(commandEntries[0] as Entry)
  const minimum = packageJson.engines.node.replace('>=', '')

  /** Runs the command on this Node, which claims to be another. */
  function runAs(version: string, ...args: string[]): Promise<{ stdout: string; stderr: string }> {
    const claim = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })`
    return run(process.execPath, ['--import', `data:text/javascript,${encodeURIComponent(claim)}`, command(), ...args])
  }

  it('is executable and finds its Node through the path', async () => {
    await access(command(), constants.X_OK)
    expect(await readFile(command(), 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/)
  })

  it('starts on the oldest Node that the package promises', async () => {
    expect((await runAs(`${minimum}.0`, '--help')).stdout).toContain('indelible')
  })

  it.each(['22.17.9', '20.20.2', '9.0.0'])('says on Node %s what it needs, in one line', async (version) => {
    const failure: unknown = await runAs(version, '--help').catch((error: unknown) => error)
    expect(failure).toMatchObject({ code: 2, stdout: '' })
    expect((failure as { stderr: string }).stderr).toBe(
      `indelible needs Node.js ${minimum} or newer, and this is ${version} (${process.execPath}).\n`,
    )
  })
})
