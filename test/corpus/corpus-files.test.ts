import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { strToU8, zipSync } from 'fflate'
import { stringify } from 'yaml'
import { readCorpus } from './corpus-files.ts'
import { outcomeOf, type FileOutcome } from './file-outcomes.ts'
import { notLogs } from './not-logs.ts'

const body = { model: 'claude-sonnet-4-6', max_tokens: 1, messages: [{ role: 'user', content: 'Hello' }] }
const log = JSON.stringify({ request: { body }, response: {} })

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'indelible-corpus-'))
})
afterEach(() => {
  rmSync(folder, { recursive: true })
})

function write(name: string, content: string | Uint8Array): void {
  mkdirSync(join(folder, name, '..'), { recursive: true })
  writeFileSync(join(folder, name), content)
}

async function outcomes(): Promise<FileOutcome[]> {
  return (await readCorpus(folder)).map((file) => outcomeOf(file, notLogs))
}

describe('a folder', () => {
  it('is read file by file, whatever lies in it, with a slash at its end or without', async () => {
    write('b/log.jsonl', `${log}\n${log}\n`)
    write('a.txt', 'Hello.')
    const read = [['a.txt', 0] as const, ['b/log.jsonl', 2] as const]
    for (const path of [folder, `${folder}/`]) {
      expect((await readCorpus(path)).map(({ name, exchanges }) => [name, exchanges.length])).toEqual(read)
    }
  })

  it('counts what is in an archive as the archive’s', async () => {
    write('logs.zip', zipSync({ 'deep/a.jsonl': strToU8(log), 'deep/b.txt': strToU8('Hello.') }))
    const [archive, ...others] = await readCorpus(folder)
    expect(others).toEqual([])
    expect(archive?.exchanges.map(({ source }) => source.file)).toEqual(['logs.zip/deep/a.jsonl'])
    expect(archive?.unread.map(({ file }) => file)).toEqual(['logs.zip/deep/b.txt'])
  })

  it.each([
    ['anthropic', '/v1/messages', {}, {}],
    ['gemini', '/v1beta/models/gemini-2.5-flash:generateContent', { contents: [] }, {}],
    ['groq', '/openai/v1/chat/completions', { model: 'openai/gpt-oss-20b' }, {}],
    ['llama.cpp', '/v1/chat/completions', { model: 'qwen' }, { timings: { cache_n: 0 } }],
    ['openrouter', '/api/v1/chat/completions', { model: 'openai/gpt-4o' }, { provider: 'OpenAI' }],
    ['generic', '/api/v1/chat/completions', { model: 'qwen' }, { venice_parameters: {} }],
    ['deepseek', '/chat/completions', { model: 'deepseek-chat' }, {}],
    ['mistral', '/v1/chat/completions', { model: 'mistral-large-latest' }, {}],
    ['xai', '/v1/responses', { model: 'grok-3-mini' }, {}],
    ['openai', '/v1/responses', { model: 'gpt-4o' }, {}],
    [undefined, '/v1/chat/completions', { model: 'unheard-of' }, {}],
  ])(
    'has calls of %s where no host was kept: by %s and what is in the bodies',
    async (provider, path, over, answer) => {
      const request = JSON.stringify({ ...body, ...over })
      const response = JSON.stringify({ id: 'a', ...answer })
      write(
        'a.yaml',
        stringify({ when: { path, method: 'POST', body: request }, then: { status: 200, body: response } }),
      )
      const [file] = await readCorpus(folder)
      expect(file?.exchanges.map((exchange) => exchange.provider)).toEqual([provider])
    },
  )

  it('must hold a call', async () => {
    write('a.jsonl', 'no JSON')
    await expect(readCorpus(folder)).rejects.toThrow('a.jsonl: It is in no format that is known.')
  })
})

describe('a file', () => {
  beforeEach(() => write('log.jsonl', log))

  it('is read, and says what of it was left out', async () => {
    write('log.jsonl', `${log}\n{"request"\n${log}\n[1]\n{"request"\n`)
    const [file] = await outcomes()
    expect(file).toMatchObject({ calls: 2, withoutBody: 0, reason: null, problem: null })
    expect(file?.leftOut.join('\n')).toMatch(/\(line 2, 5\)/)
  })

  it.each(['INDEX.md', 'README.md', 'LICENSE', 'usage.csv', 'format.schema.json'])(
    'that is no log by its name may hold anything: %s',
    async (name) => {
      write(name, '{"hello": "world"}')
      const file = (await outcomes()).find((each) => each.file === name)
      expect(file).toMatchObject({ calls: 0, problem: null })
      expect(file?.reason).toMatch(/^It is in no format that is known\. – /)
    },
  )

  it.each([
    [
      'is known and not read',
      'run.traj.json',
      JSON.stringify({ messages: [], info: {}, trajectory_format: 'mini-swe-agent-1' }),
    ],
    ['is empty', 'empty.jsonl', ''],
  ])('may go unread where it %s', async (_, name, content) => {
    write(name, content)
    const file = (await outcomes()).find((each) => each.file === name)
    expect(file?.reason).toBeTruthy()
    expect(file?.problem).toBeNull()
  })

  it.each([
    ['of no known format', 'a.json', '{"hello":"world"}'],
    ['of text', 'notes.txt', 'Hello.'],
    ['that is broken', 'b.json', '{'],
    [
      'whose request was not recorded',
      'c.json',
      '[{"scope":"https://api.anthropic.com","path":"/v1/messages","body":""}]',
    ],
  ])('%s is a problem', async (_, name, content) => {
    write(name, content)
    const file = (await outcomes()).find((each) => each.file === name)
    expect(file?.problem).toMatch(/^cannot be read: ./)
  })

  it('that is passed over in silence is a problem, and so is a log among those that are none', () => {
    expect(outcomeOf({ name: 'a.json', exchanges: [], unread: [] }, notLogs).problem).toBe(
      'is neither read nor said to be left out',
    )
    expect(outcomeOf({ name: 'usage.csv', exchanges: [], unread: [] }, notLogs).problem).toBe(
      'is neither read nor said to be left out',
    )
  })

  it('is a problem where it is listed as no log and has calls', async () => {
    write('README.jsonl', log)
    const file = (await outcomes()).find((each) => each.file === 'README.jsonl')
    expect(file?.problem).toBe('is listed as no log (a text about the recordings), and has calls')
  })
})
