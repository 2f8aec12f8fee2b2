/**
 * The code of `indelible audit --source` as its users have it: the compiler takes it under the strictest settings, whole
 * and in parts, for every API and every kind of culprit, and an agent runs on it.
 */
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { projectRoot } from '../scripts/imports.ts'
import { sourceFor } from '../src/audit/source/source-file.ts'
import { masked } from '../src/cli/audit/print/test-report.ts'
import { indelible } from './support/run-command.ts'
import { culpritOf, kinds, reportOf } from './support/source-report.ts'

const temporary = join(projectRoot, '.tmp')
beforeAll(() => void mkdirSync(temporary, { recursive: true }))

describe('the code', () => {
  it('type-checks for every API, whole and each part by itself', () => {
    const modules = new Map<string, string>()
    const apis = [
      ['anthropic', 'messages[0]'],
      ['bedrock', 'messages[0]'],
      ['gemini', 'contents[0]'],
      ['openai', 'messages[0]'],
      ['openrouter', 'input[0]'],
    ] as const
    for (const [provider, path] of apis) {
      const culprits = kinds.map((kind) => culpritOf(kind, { path }))
      const { code, snippets } = sourceFor(reportOf(culprits, { provider, culprits }))
      modules.set(`${provider}.ts`, code)
      for (const snippet of snippets) modules.set(`${provider}-${snippet.name}.ts`, snippet.code)
    }
    expect([...modules.keys()].filter((name) => name.includes('-'))).toHaveLength(apis.length * (kinds.length - 3 + 2))
    const only = sourceFor(reportOf([culpritOf('id', { values: [], offset: null })])).code
    modules.set('without-sources.ts', only).set('nothing.ts', sourceFor({ ...reportOf([]), counterfactual: none }).code)
    expect(check(modules)).toEqual([])
  })

  it('is checked by a compiler that finds a name which is not there', () => {
    const found = check(new Map([['wrong.ts', "import { nothing } from 'indelible/sources'\nnothing()\n"]]))
    expect(found).toEqual([expect.stringContaining("has no exported member 'nothing'")])
  })
})

const { counterfactual } = reportOf([])
const none = { ...counterfactual, steps: [] }

/** What the compiler has to say of modules that lie beside the examples, under the settings of these. */
function check(modules: ReadonlyMap<string, string>): string[] {
  const folder = join(projectRoot, 'examples')
  const { config } = ts.readConfigFile(join(folder, 'tsconfig.json'), (path) => ts.sys.readFile(path)) as {
    config: object
  }
  const { options } = ts.parseJsonConfigFileContent({ ...config, files: [] }, ts.sys, folder)
  const files = new Map([...modules].map(([name, code]) => [join(folder, name), code]))
  const host = ts.createCompilerHost(options)
  const read = (path: string): string | undefined => files.get(path) ?? ts.sys.readFile(path)
  host.fileExists = (path) => files.has(path) || ts.sys.fileExists(path)
  host.readFile = read
  host.getSourceFile = (path, version) => {
    const text = read(path)
    return text === undefined ? undefined : ts.createSourceFile(path, text, version)
  }
  const program = ts.createProgram({ rootNames: [...files.keys()], options, host })
  return [...files.keys()].flatMap((path) => {
    const file = program.getSourceFile(path)
    const found = [
      ...program.getSyntacticDiagnostics(file),
      ...program.getSemanticDiagnostics(file),
      ...program.getDeclarationDiagnostics(file),
    ]
    return found.map(({ messageText }) => `${path}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`)
  })
}

describe('indelible audit --source', () => {
  let folder: string
  let log: string
  beforeAll(() => {
    folder = mkdtempSync(join(temporary, 'audit-source-'))
    log = join(folder, 'requests.jsonl')
    writeFileSync(log, brokenLog())
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('prints the code in place of the report', async () => {
    const { code, out, err } = await indelible(['audit', log, '--source'])
    expect([code, err]).toEqual([0, ''])
    expect(out).toMatch(/^\/\/ What the audit found[^]*clock\d: Context = value\([^]*combine\(/)
    expect(check(new Map([['printed.ts', out]]))).toEqual([])
  })

  it('writes it to a new file beside the report, on which an agent reads from the cache what it sent before', async () => {
    const file = join(folder, 'context.mts')
    const { code, out, err } = await indelible(['audit', log, '--source', file])
    expect([code, err]).toEqual([0, `The changes are in ${file}, as code.\n`])
    expect(out).toMatch(/^4 turns in 1 conversation/)
    expect(readFileSync(file, 'utf8')).toMatch(/combine\(clock\d, (?:date|git)\d, (?:date|git)\d\)/)
    writeFileSync(join(folder, 'agent.mts'), agentOn('anthropic'))
    expect(await run(join(folder, 'agent.mts'))).toBe('nothing yet\nmost\nmost\n')
  })

  it('leaves a file as it is that is there, and says how to print', async () => {
    const before = readFileSync(log, 'utf8')
    const { code, out, err } = await indelible(['audit', log, '--source', log])
    expect([code, out]).toEqual([2, ''])
    expect(err).toMatch(/is there already.*behind the paths/)
    expect(readFileSync(log, 'utf8')).toBe(before)
  })

  it('refuses what would mix with it, and a place that cannot be written', async () => {
    const none = join(folder, 'none')
    const refusals: readonly (readonly [readonly string[], string])[] = [
      [[log, '--source', '--json'], '--source and --json would both be printed'],
      [[log, log, '--compare', '--source'], 'cannot stand beside --compare'],
      [[log, '--source', join(none, 'context.ts')], `because there is no folder ${none}`],
      [['--source', log], '--source needs logs to be named'],
    ]
    for (const [args, message] of refusals) {
      const { code, out, err } = await indelible(['audit', ...args])
      expect([code, out, err]).toEqual([2, '', expect.stringContaining(message)])
    }
  })
})

describe('code that runs', () => {
  let folder: string
  beforeEach(() => void (folder = mkdtempSync(join(temporary, 'audit-source-'))))
  afterEach(() => rmSync(folder, { recursive: true, force: true }))
  const runOn = async (code: string, program: string): Promise<string> => {
    writeFileSync(join(folder, 'context.mts'), code)
    writeFileSync(join(folder, 'agent.mts'), program)
    return run(join(folder, 'agent.mts'))
  }

  it.each([
    ['openai-chat', 'openai', 'messages[0]', 'gpt-5.6-sol'],
    ['openai-responses', 'openai', 'input[0]', 'gpt-6.2-sol'],
    ['google', 'gemini', 'contents[0]', 'gemini-3.8-flash'],
  ] as const)('reads what it sent before, with %s', async (api, provider, path, model) => {
    const culprits = (['clock', 'date', 'git', 'path', 'rules-text'] as const).map((kind) => culpritOf(kind, { path }))
    const { code } = sourceFor(reportOf(culprits, { provider, model, culprits }))
    expect(await runOn(code, agentOn(api))).toBe('nothing yet\nmost\nmost\n')
  })

  it('blocks the first turn while a loader is to be written, and says key, path and values', async () => {
    const culprit = culpritOf('unknown', { path: "system[1]'*/", values: [masked(3), masked(4)] })
    const program = `import { createAgent } from './context.mts'
const session = createAgent('You review code.').open('one')
await session.submit({ role: 'user', content: 'Go on.' })
await session.turn().catch((error) => console.log(error.keys.join(), error.cause.message))
`
    expect(await runOn(sourceFor(reportOf([culprit])).code, program)).toBe(
      "app/value-1 TODO: load what app/value-1 tells, which stood at system[1]'*/. " +
        'It was xxx [masked, 3 UTF-16 units], then xxxx [masked, 4 UTF-16 units].\n',
    )
  })
})

/** Four turns in one minute around midnight; the prompt has clock, date and branch in front. */
function brokenLog(): string {
  const rules = 'Be brief, be right, say what you did. '.repeat(200)
  const messages: { role: string; content: string }[] = []
  const turns = [
    ['2026-11-30T23:58:11Z', 'main'],
    ['2026-11-30T23:59:02Z', 'main'],
    ['2026-12-01T00:00:43Z', 'fix/login'],
    ['2026-12-01T00:01:29Z', 'main'],
  ] as const
  const lines = turns.map(([startedAt, branch], index) => {
    messages.push({ role: 'user', content: `Question ${'abcd'[index]}` })
    const context = `It is ${startedAt.slice(11, 19)}.\nToday's date: ${startedAt.slice(0, 10)}\nGit branch: ${branch}\n`
    const system = [{ type: 'text', text: context + rules, cache_control: { type: 'ephemeral' } }]
    const line = JSON.stringify({ started_at: startedAt, request: { model: 'claude-opus-5', system, messages } })
    messages.push({ role: 'assistant', content: 'Done.' })
    return line
  })
  return lines.join('\n')
}

/** Three questions on the code beside it, over the emulator, by an SDK. */
function agentOn(api: keyof typeof clients): string {
  const { module, create, message, send } = clients[api]
  return `import ${module}
import { readUsage } from 'indelible/cache'
import { startEmulator } from 'indelible/emulator'
import { answerIn, createAgent } from './context.mts'

const emulator = await startEmulator({ strict: true, respond: { text: 'Done.' } })
const client = ${create}
const agent = createAgent('Be brief, be right, say what you did. '.repeat(800))
const session = agent.open('one')
for (const question of ['One', 'Two', 'Three']) {
  await session.submit(${message})
  const { read, total } = readUsage(await answerIn(session, ${send}))
  console.log(read > 0.9 * total ? 'most' : 'nothing yet')
}
await agent.close()
await emulator.close()
`
}

const openAI = {
  module: "OpenAI from 'openai'",
  create: "new OpenAI({ baseURL: emulator.url + '/v1', apiKey: 'any' })",
  message: "{ role: 'user', content: question }",
}
const clients = {
  anthropic: {
    module: "Anthropic from '@anthropic-ai/sdk'",
    create: "new Anthropic({ baseURL: emulator.url, apiKey: 'any' })",
    message: "{ role: 'user', content: question }",
    send: '(body, headers) => client.messages.create(body, { headers })',
  },
  'openai-chat': { ...openAI, send: '(body, headers) => client.chat.completions.create(body, { headers })' },
  'openai-responses': { ...openAI, send: '(body, headers) => client.responses.create(body, { headers })' },
  google: {
    module: "{ GoogleGenAI } from '@google/genai'",
    create: "new GoogleGenAI({ apiKey: 'any', httpOptions: { baseUrl: emulator.url } })",
    message: "{ role: 'user', parts: [{ text: question }] }",
    send: '(body) => client.models.generateContent(body)',
  },
}

/** What a program prints that lies outside of the sources, and imports the package by its name. */
function run(file: string): Promise<string> {
  const resolver = new URL('../scripts/snippets/resolve.ts', import.meta.url).href
  const options = {
    env: { ...process.env, NODE_OPTIONS: '', NODE_COMPILE_CACHE: join(temporary, 'compile-cache') },
  }
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', '--import', resolver, file],
      options,
      (error, out, err) => {
        resolve(error === null ? out : `${out}${err}`)
      },
    )
  })
}
