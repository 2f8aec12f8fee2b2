/**
 * The programs of `examples`, each as a process of its own on the sources as they are. They check themselves; here it is
 * seen that they do, that they can fail, and that the lines which they show as Indelible's are all there are, and few.
 */
import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { beforeAll, describe, expect, it } from 'vitest'
import { libraryEntries } from '../scripts/entries.ts'
import { projectRoot } from '../scripts/imports.ts'

const folder = join(projectRoot, 'examples')
const resolver = new URL('../scripts/snippets/resolve.ts', import.meta.url).href
const compileCache = join(projectRoot, '.tmp', 'compile-cache')

/** Most lines of Indelible's that an example may have, imports included. */
const FEW = 29

interface Result {
  readonly code: number
  readonly out: string
  readonly err: string
}

function run(example: string, env: Readonly<Record<string, string>> = {}): Promise<Result> {
  const options = { env: { ...process.env, NODE_OPTIONS: '', NODE_COMPILE_CACHE: compileCache, ...env } }
  const hidden = ['--disable-warning=ExperimentalWarning', '--import', resolver]
  return new Promise((resolve) => {
    execFile(process.execPath, [...hidden, join(folder, `${example}.ts`)], options, (error, out, err) => {
      resolve({ code: error === null ? 0 : Number(error.code), out, err })
    })
  })
}

interface Row {
  readonly turn: number
  /** Not there where the request was given up. */
  readonly sent: number | undefined
  readonly read: number
  readonly readable: number
  readonly changed: string
}

/** What the table of an example says, and the lines behind it. */
function parse(out: string): { readonly rows: readonly Row[]; readonly rest: readonly string[] } {
  const [head, ...lines] = out.trimEnd().split('\n')
  expect(head).toMatch(/^turn +sent +read +readable +changed$/)
  const number = (text: string | undefined): number => Number(text?.replaceAll(',', ''))
  const rows: Row[] = []
  while (/^ +\d/.test(lines[0] ?? '')) {
    const [turn, sent, read, readable, ...changed] = lines.shift()!.trim().split(/ +/)
    rows.push({
      turn: number(turn),
      sent: sent === '-' ? undefined : number(sent),
      read: read === '-' ? 0 : number(read),
      readable: number(readable),
      changed: changed.join(' '),
    })
  }
  return { rows, rest: lines }
}

/** The lines between the marks, and those outside. */
function sort(example: string): { readonly ours: readonly string[]; readonly others: readonly string[] } {
  const ours: string[] = []
  const others: string[] = []
  let inside = false
  for (const line of readFileSync(join(folder, `${example}.ts`), 'utf8').split('\n')) {
    const mark = /^ *\/\/ ---( Indelible)?$/.exec(line)
    if (mark === null) {
      if (line.trim() !== '') (inside ? ours : others).push(line)
      continue
    }
    // They come in pairs.
    expect(mark[1] === undefined).toBe(inside)
    inside = !inside
  }
  expect(inside).toBe(false)
  return { ours, others }
}

describe('the examples', () => {
  it('are one for each SDK', () => {
    const files = readdirSync(folder).filter((name) => name.endsWith('.ts'))
    expect(files.sort()).toEqual([
      'ai-sdk.ts',
      'anthropic.ts',
      'bedrock.ts',
      'google.ts',
      'openai-chat.ts',
      'openai-responses.ts',
    ])
  })

  it('are type-checked against every entry of the package as it is written', () => {
    const { config } = ts.readConfigFile(join(folder, 'tsconfig.json'), (path) => ts.sys.readFile(path)) as {
      config: { compilerOptions: ts.CompilerOptions }
    }
    const sources = libraryEntries.map(({ specifier, source }) => [specifier, [`../${source}`]])
    expect(config.compilerOptions.paths).toEqual(Object.fromEntries(sources))
  })
})

describe.each(['anthropic', 'openai-chat', 'openai-responses', 'google', 'bedrock', 'ai-sdk'])('%s', (example) => {
  let done: Result
  beforeAll(async () => {
    done = await run(example)
  })

  it('reads in each of eight turns all that the last answered request sent', () => {
    const { code, out, err } = done
    expect({ code, err }).toEqual({ code: 0, err: '' })
    const { rows, rest } = parse(out)
    expect(rest).toEqual(['ok: 8 turns, each of which read all that the last answered request sent'])
    const answered = rows.filter(({ sent }) => sent !== undefined)
    expect(answered.map(({ turn }) => turn)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
    for (const [index, { sent = 0, read, readable }] of answered.entries()) {
      const before = answered[index - 1]?.sent ?? 0
      expect(read).toBe(readable)
      expect(sent).toBeGreaterThan(before)
      // What is not content: a few tokens that the provider puts behind the last message.
      expect(read).toBeGreaterThanOrEqual(before - 8)
    }
  })

  it('has changes in a tool loop, two at once, and around a request that is given up, and no epoch but the first', () => {
    const { rows } = parse(done.out)
    expect(rows.map(({ turn, changed }) => `${turn} ${changed}`.trim())).toEqual([
      '1 (initial epoch)',
      '2',
      '3 example/branch',
      '4 indelible/date example/mode',
      '5 example/mode (interrupted)',
      '5 example/branch',
      '6 indelible/tools',
      '7',
      '8',
    ])
  })

  it('fails when the time is in its prompt', async () => {
    const { code, out, err } = await run(example, { EXAMPLE_BREAK: '1' })
    expect(code).toBe(1)
    expect(err).toMatch(/^not ok: turn 2: .+ was answered, and is not sent as it was\n/)
    const { rows, rest } = parse(out)
    expect(rest).toEqual([])
    expect(rows).toHaveLength(9)
  })

  it('marks the lines that are Indelible’s, and they are fewer than thirty', () => {
    const { ours, others } = sort(example)
    expect(ours.length).toBeGreaterThan(10)
    expect(ours.length).toBeLessThanOrEqual(FEW)
    expect(others.filter((line) => /from 'indelible|\b(session|agent)\.|\bto[A-Z]\w+\(turn/.test(line))).toEqual([])
  })
})
