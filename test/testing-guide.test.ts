/**
 * The tests that `docs/testing.md` shows pass as they stand there, under the runner that they are written for, and fail once
 * the prompt holds a clock. Jest is no dependency: its program runs on Vitest's globals, which have the same matchers.
 */
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { libraryEntries } from '../scripts/entries.ts'
import { projectRoot } from '../scripts/imports.ts'
import { markdownSnippets } from '../scripts/snippets/extract.ts'

const page = await readFile(join(projectRoot, 'docs/testing.md'), 'utf8')
const programs = markdownSnippets('docs/testing.md', page).map(({ code }) => code)
const forNode = programs.filter((code) => code.includes("from 'node:test'"))
const forVitest = programs.filter((code) => code.includes("from 'vitest'"))
const forJest = [...page.matchAll(/^```js\n(.*?)^```$/gms)].map(([, code = '']) => code)

const quiet = "'You are terse.'"
const noisy = '`${new Date().toISOString()}, call ${Math.random()}. You are terse.`'

let folder: string

beforeAll(async () => {
  await mkdir(join(projectRoot, '.tmp'), { recursive: true })
  folder = await mkdtemp(join(projectRoot, '.tmp', 'guide-'))
})

afterAll(() => rm(folder, { recursive: true, force: true }))

/** What the process says, and its exit code. */
function run(...args: readonly string[]): Promise<{ readonly code: number; readonly output: string }> {
  const env: NodeJS.ProcessEnv = { ...process.env, NO_COLOR: '1' }
  // A process of our own, not one more worker of the runner that this runs in.
  for (const name of Object.keys(env)) if (/^(?:VITEST|NODE_TEST|TEST$)/.test(name)) delete env[name]
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: folder, env, timeout: 100_000 }, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : error === null ? 0 : 1, output: stdout + stderr })
    })
  })
}

/** Runs programs for `node:test` in one process: most of the time goes into loading the SDKs. */
async function runOnNode(name: string, codes: readonly string[]): ReturnType<typeof run> {
  const files = codes.map((_, index) => join(folder, `${name}-${index}.mts`))
  await Promise.all(files.map((file, index) => writeFile(file, codes[index] ?? '')))
  const all = join(folder, `${name}.mts`)
  await writeFile(all, files.map((file) => `import ${JSON.stringify(pathToFileURL(file).href)}\n`).join(''))
  // Older releases of Node print TAP where nobody looks.
  const reporter = '--test-reporter=spec'
  return await run(reporter, '--import', pathToFileURL(join(projectRoot, 'scripts/snippets/resolve.ts')).href, all)
}

/** Runs programs for Vitest, with and without its globals, by a configuration of their own. */
async function runOnVitest(codes: readonly string[]): ReturnType<typeof run> {
  const alias = libraryEntries.map(({ specifier, source }) => ({
    find: `^${specifier}$`,
    replacement: join(projectRoot, source),
  }))
  const config = `export default {
  test: { include: ['*.test.mts'], globals: true },
  resolve: { alias: ${JSON.stringify(alias)}.map(({ find, replacement }) => ({ find: new RegExp(find), replacement })) },
}\n`
  const root = join(folder, 'vitest')
  await mkdir(root)
  await writeFile(join(root, 'vitest.config.mjs'), config)
  await Promise.all(codes.map((code, index) => writeFile(join(root, `${index}.test.mts`), code)))
  return await run(join(projectRoot, 'node_modules/vitest/vitest.mjs'), 'run', '--root', root)
}

describe('the tests of docs/testing.md', () => {
  it('are there for each SDK and runner', () => {
    const sdks = ['@anthropic-ai/sdk', 'openai', '@google/genai', 'ai', '@aws-sdk/client-bedrock-runtime']
    for (const sdk of sdks) expect(forNode.filter((code) => code.includes(`from '${sdk}'`))).not.toEqual([])
    expect([forNode.length, forVitest.length, forJest.length]).toEqual([7, 1, 1])
  })

  it('pass under node:test', async () => {
    const { code, output } = await runOnNode('stable', forNode)
    expect(output).toMatch(new RegExp(`pass ${forNode.length}\\n`))
    expect(code).toBe(0)
  })

  it('fail under node:test once the prompt holds a clock', async () => {
    const broken = forNode.map((program) => program.replace(quiet, noisy))
    expect(broken.every((program, index) => program !== forNode[index])).toBe(true)
    const { code, output } = await runOnNode('broken', broken)
    expect(output).toMatch(new RegExp(`fail ${forNode.length}\\n`))
    expect(output.match(/AssertionError.*: Request 2 does not begin with request 1/g)).toHaveLength(forNode.length)
    expect(code).toBe(1)
  })

  it('pass under Vitest, the one for Jest too', async () => {
    const { code, output } = await runOnVitest([...forVitest, ...forJest])
    expect(output).toMatch(/Tests\s+2 passed \(2\)/)
    expect(code).toBe(0)
  })
})
