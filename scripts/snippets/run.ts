/** Runs a snippet as a user would: a Node of its own, in an empty folder, on the sources as they are. */
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { projectRoot } from '../imports.ts'
import { snippetCode, snippetName, type Snippet } from './extract.ts'

const resolver = new URL('resolve.ts', import.meta.url).href

// Most of the time of a snippet goes into stripping the types of the sources, which is the same for all of them.
const compileCache = join(projectRoot, '.tmp', 'compile-cache')

/** Milliseconds after which a snippet that does not end is killed. */
const LIMIT = 60_000

/** What the snippet prints. When it fails, why it failed stands behind that. */
export async function runSnippet(snippet: Snippet): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'indelible-snippet-'))
  try {
    const file = join(folder, basename(snippetName(snippet)))
    const cwd = join(folder, 'cwd')
    await mkdir(cwd)
    await writeFile(file, snippetCode(snippet))
    return await new Promise((resolve) => {
      const env = { ...process.env, NO_COLOR: '1', NODE_COMPILE_CACHE: compileCache }
      const options = { cwd, env, timeout: LIMIT }
      execFile(process.execPath, ['--import', resolver, file], options, (error, stdout, stderr) => {
        resolve(
          error === null ? stdout : `${stdout}\n(${error.killed ? 'killed' : `exit code ${error.code}`})\n${stderr}`,
        )
      })
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
