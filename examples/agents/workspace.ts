/**
 * What the agents work with: a repository in a temporary folder, the tools, and what the user asks. The model is scripted,
 * see `script.json`; the tools are not, each call does what it says.
 */
import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, isAbsolute, join, relative, resolve } from 'node:path'
import { files } from './repository.ts'

/** The folder of the repository, new in each run. */
export const folder: string = realpathSync(mkdtempSync(join(tmpdir(), 'pebbles-')))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
// As an agent that is started in the repository.
process.chdir(folder)

/** What is the same in every run: who the agent is and how it works. */
export const instructions: string = readFileSync(new URL('instructions.md', import.meta.url), 'utf8').trimEnd()

/** Runs Git in the repository, and returns what it prints. */
export function git(...args: readonly string[]): string {
  const identity = ['-c', 'user.name=Agent', '-c', 'user.email=agent@example.com', '-c', 'commit.gpgsign=false']
  // Neither the settings of the machine nor a repository around this one has a say.
  const env = { PATH: process.env['PATH'], HOME: folder, GIT_CONFIG_NOSYSTEM: '1', LC_ALL: 'C' }
  return execFileSync('git', [...identity, ...args], { cwd: folder, env, encoding: 'utf8', stdio: 'pipe' }).trimEnd()
}

/** The text of a file of the repository. */
export function read(path: string): string {
  return readFileSync(inside(path), 'utf8')
}

for (const [path, text] of Object.entries(files)) {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}
git('init', '--quiet', '--initial-branch=main')
git('add', '--all')
git('commit', '--quiet', '--message', 'Twelve functions')

/** What the user asks, one after the other. */
export const questions: readonly string[] = [
  'Please document src/chunk.js and src/clamp.js. Look around first.',
  'Thank you. Next are src/count-by.js and src/dedent.js.',
  'Do the others on a branch of their own, docs/comments. Go on with src/ellipsis.js and src/initials.js.',
  'Good. Now src/median.js and src/ordinal.js, please.',
  'src/partition.js and src/range.js are next.',
  'And the last two, src/slug.js and src/unique.js.',
]

/** A tool as the program knows it; each agent puts it in its provider's shape. */
export interface AgentTool {
  readonly name: string
  readonly description: string
  readonly parameters: {
    readonly type: 'object'
    readonly properties: Record<string, { type: 'string'; description: string }>
    readonly required: string[]
    readonly additionalProperties: false
  }
  run(input: Readonly<Record<string, string>>): string
}

/** The tools, in no particular order. */
export const tools: readonly AgentTool[] = [
  tool('list_files', 'Lists the files that the repository tracks, by path.', {}, () => git('ls-files')),
  tool('read_file', 'Returns the text of one file.', { path: 'Path of the file, from the top.' }, ({ path = '' }) =>
    read(path),
  ),
  tool(
    'edit_file',
    'Replaces one stretch of text in a file, which must stand there exactly once, by another.',
    { path: 'Path of the file, from the top.', find: 'The text to replace.', replace: 'The text to put there.' },
    ({ path = '', find = '', replace = '' }) => {
      const parts = read(path).split(find)
      if (parts.length !== 2) return `The text was found ${parts.length - 1} times in ${path}; nothing was changed.`
      writeFileSync(inside(path), parts.join(replace))
      return `Edited ${path}.`
    },
  ),
  tool('check_syntax', 'Says whether a JavaScript file parses.', { path: 'Path of the file.' }, ({ path = '' }) => {
    execFileSync(process.execPath, ['--check', inside(path)], { stdio: 'pipe' })
    return `${path} parses.`
  }),
  tool('switch_branch', 'Makes a branch and goes to it.', { name: 'Name of the branch.' }, ({ name = '' }) => {
    git('switch', '--quiet', '--create', name)
    return `On branch ${name}.`
  }),
  tool('commit', 'Commits everything that was changed.', { message: 'One line.' }, ({ message = '' }) => {
    if (git('status', '--short') === '') return 'Nothing was changed, and nothing was committed.'
    git('commit', '--quiet', '--all', '--message', message)
    return git('log', '-1', '--format=%h %s')
  }),
  tool('remember', 'Adds one line to AGENTS.md, for the next agent.', { line: 'One sentence.' }, ({ line = '' }) => {
    appendFileSync(inside('AGENTS.md'), `- ${line}\n`)
    return 'Remembered.'
  }),
]

/** Runs a call of the model. What goes wrong is a result too. */
export function runTool(name: string, input: unknown): string {
  const found = tools.find((known) => known.name === name)
  if (found === undefined) return `There is no tool ${name}.`
  try {
    return found.run(input as Readonly<Record<string, string>>)
  } catch (error) {
    return `It failed: ${(error as Error).message}`
  }
}

/** What has been done, in one line, as the repository tells it. */
export function summary(): string {
  const modules = Object.keys(files).filter((path) => path.startsWith('src/'))
  const documented = modules.filter((path) => read(path).startsWith('/**')).length
  const commits = git('rev-list', '--count', 'HEAD')
  const left = git('status', '--short') === '' ? 'nothing left to commit' : 'changes left to commit'
  return `${documented} of ${modules.length} modules documented, ${commits} commits, ${left}`
}

function inside(path: string): string {
  const found = resolve(folder, path)
  const within = relative(folder, found)
  if (within.startsWith('..') || isAbsolute(within)) throw new Error(`${path} is outside of the repository.`)
  return found
}

function tool(
  name: string,
  description: string,
  parameters: Readonly<Record<string, string>>,
  run: AgentTool['run'],
): AgentTool {
  const properties = Object.entries(parameters).map(([key, text]) => [key, { type: 'string', description: text }])
  return {
    name,
    description,
    parameters: {
      type: 'object',
      properties: Object.fromEntries(properties) as AgentTool['parameters']['properties'],
      required: Object.keys(parameters),
      additionalProperties: false,
    },
    run,
  }
}
