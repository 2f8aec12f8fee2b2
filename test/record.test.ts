/** `indelible record` from end to end: real SDKs in a process of their own, through the recorder, to the emulator. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { projectRoot } from '../scripts/imports.ts'
import { auditFiles } from '../src/cli/audit/audit-files.ts'
import { parseLine, startTestServer, type Line } from '../src/cli/record/test-proxy.ts'
import { bin, indelible } from './support/run-command.ts'

let folder: string
beforeAll(() => {
  mkdirSync(join(projectRoot, '.tmp'), { recursive: true })
  folder = mkdtempSync(join(projectRoot, '.tmp', 'record-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const file = (name: string): string => join(folder, name)

interface Ended {
  readonly code: number | null
  readonly signal: string | null
  readonly out: string
  readonly err: string
}

/** Only what a test sets: variables of whoever runs the tests would lead elsewhere. */
const environment = { PATH: process.env['PATH'], HOME: process.env['HOME'], TMPDIR: process.env['TMPDIR'] }

function start(args: readonly string[], variables: Record<string, string> = {}): ChildProcess {
  return spawn(process.execPath, ['--disable-warning=ExperimentalWarning', bin, 'record', ...args], {
    env: { ...environment, ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

async function ending(child: ChildProcess): Promise<Ended> {
  let out = ''
  let err = ''
  child.stdout?.on('data', (chunk) => (out += String(chunk)))
  child.stderr?.on('data', (chunk) => (err += String(chunk)))
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null]
  return { code, signal, out, err }
}

function linesOf(name: string): Line[] {
  return readFileSync(file(name), 'utf8').trimEnd().split('\n').map(parseLine)
}

/** A program with the usual mistake, that ends as it is told. */
function program(name: string, text: string): string[] {
  writeFileSync(file(name), text)
  return ['--', process.execPath, file(name)]
}

const agent = `
import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { GoogleGenAI } from '@google/genai'
const [anthropic, openai, google] = [new Anthropic(), new OpenAI(), new GoogleGenAI({})]
const rules = 'Answer in one sentence, name your sources, and keep to the rules of the house. '.repeat(300)
const messages = []
for (let turn = 1; turn <= 3; turn++) {
  messages.push({ role: 'user', content: 'Question ' + turn })
  const system = [{ type: 'text', text: 'It is ' + new Date().toISOString() + '. ' + rules, cache_control: { type: 'ephemeral' } }]
  const stream = anthropic.messages.stream({ model: 'claude-opus-5', max_tokens: 100, system, messages })
  const answer = await stream.finalMessage()
  messages.push({ role: 'assistant', content: answer.content })
  const { usage } = answer
  console.log(JSON.stringify([usage.cache_read_input_tokens, usage.cache_creation_input_tokens]))
}
const response = await openai.responses.create({ model: 'gpt-5.1', input: 'Hello' })
const chat = await openai.chat.completions.create({ model: 'gpt-5.1', messages: [{ role: 'user', content: 'Hi' }], stream: true, stream_options: { include_usage: true } })
let text = ''
for await (const chunk of chat) text += chunk.choices[0]?.delta.content ?? ''
const content = await google.models.generateContent({ model: 'gemini-3-pro', contents: 'Good day' })
console.log(JSON.stringify([response.output_text, text, content.text]))
process.exitCode = 7
`

describe('an agent that is recorded with the emulator', () => {
  let ended: Ended
  beforeAll(async () => {
    const command = program('agent.mjs', agent)
    ended = await ending(start(['--emulate', '--out', file('agent.jsonl'), ...command]))
  })

  it('runs without keys, and ends with its own exit code and output', () => {
    expect(ended.err).not.toContain('Error')
    expect(ended.code).toBe(7)
    expect(ended.out.trimEnd().split('\n')).toEqual([
      expect.stringMatching(/^\[0,\d+\]$/) as string,
      expect.stringMatching(/^\[0,\d+\]$/) as string,
      expect.stringMatching(/^\[0,\d+\]$/) as string,
      '["Hello","Hi","Good day"]',
    ])
  })

  it('leaves a log of bodies as they were sent and answers as they came', () => {
    const lines = linesOf('agent.jsonl')
    expect(lines.map(({ url }) => url.replace(/\?.*/, ''))).toEqual([
      ...Array.from({ length: 3 }, () => 'https://api.anthropic.com/v1/messages'),
      'https://api.openai.com/v1/responses',
      'https://api.openai.com/v1/chat/completions',
      'https://generativelanguage.googleapis.com/v1/models/gemini-3-pro:generateContent',
    ])
    expect(lines[0]?.request.body).toMatch(/^\{"model":"claude-opus-5",/)
    expect(lines[0]?.response?.body).toMatch(/^event: message_start\n/)
    expect(readFileSync(file('agent.jsonl'), 'utf8')).not.toContain('indelible-emulator')
  })

  it('is told on standard error what broke its cache, and where the log is', () => {
    expect(ended.err).toContain('6 turns in ')
    expect(ended.err).toMatch(/1\. clock at system\[0\]/)
    expect(ended.err).toMatch(/What to change first/)
    expect(ended.err.trimEnd().split('\n').slice(-2)).toEqual([
      'Recorded: 6 exchanges.',
      `  indelible audit ${file('agent.jsonl')}`,
    ])
  })

  it('is audited with all that a log can have', async () => {
    const output = { write: () => {}, writeError: () => {}, colors: false }
    const report = await auditFiles([file('agent.jsonl')], {}, '0.0.0', output)
    expect(report.inputs[0]).toMatchObject({ exchanges: 6, fidelity: { level: 'wire', time: true, redacted: false } })
    expect(report.unread).toEqual([])
    expect(report.culprits.map(({ kind, path }) => [kind, path])).toEqual([['clock', 'system[0]']])
    expect(report.streams.flatMap(({ missing }) => missing)).toEqual([])
  })
})

describe('the upstream', () => {
  it('is where a base URL led before, and the key goes there and nowhere else', async () => {
    const keys: unknown[] = []
    await using gateway = await startTestServer((incoming, outgoing) => {
      keys.push(incoming.headers.authorization ?? incoming.headers['x-api-key'], incoming.url)
      outgoing.writeHead(200, { 'content-type': 'application/json' })
      outgoing.end(
        '{"id":"msg_1","type":"message","role":"assistant","content":[],"usage":{"input_tokens":5,"output_tokens":1}}',
      )
    })
    const command = program(
      'gateway.mjs',
      `import Anthropic from '@anthropic-ai/sdk'
       await new Anthropic().messages.create({ model: 'claude-opus-5', max_tokens: 9, messages: [{ role: 'user', content: 'Hi' }] })`,
    )
    const variables = { ANTHROPIC_BASE_URL: `${gateway.url}/team`, ANTHROPIC_API_KEY: 'sk-secret-key' }
    const { code, err } = await ending(start(['--out', file('gateway.jsonl'), ...command], variables))
    expect([code, err]).toEqual([0, expect.stringContaining('1 turn in 1 conversation') as string])
    expect(keys).toEqual([expect.stringContaining('sk-secret-key'), '/team/v1/messages'])
    const text = readFileSync(file('gateway.jsonl'), 'utf8')
    expect(text).not.toContain('sk-secret')
    expect(linesOf('gateway.jsonl')[0]?.url).toBe(`${gateway.url}/team/v1/messages`)
  })
})

describe('a command', () => {
  it('that sends nothing gets no report, and keeps its exit code', async () => {
    const command = program('nothing.mjs', `console.log(process.env.ANTHROPIC_BASE_URL); process.exit(3)`)
    const { code, out, err } = await ending(start(['--out', file('nothing.jsonl'), ...command]))
    expect(code).toBe(3)
    expect(out).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/anthropic\n$/)
    expect(err).toContain('Nothing was recorded')
  })

  it('hears the signals that the recorder hears, and its end by one is told as a shell does', async () => {
    const command = program(
      'signals.mjs',
      `process.on('SIGINT', () => console.log('int')); console.log('ready'); setInterval(() => {}, 1000)`,
    )
    const child = start(['--out', file('signals.jsonl'), ...command])
    const result = ending(child)
    await once(child.stdout!, 'data')
    child.kill('SIGINT')
    await once(child.stdout!, 'data')
    child.kill('SIGTERM')
    const { code, out } = await result
    expect([code, out]).toEqual([143, 'ready\nint\n'])
  })

  it('that is no program is an error of its own', async () => {
    const { code, err } = await indelible(['record', '--out', file('none.jsonl'), '--', file('no-such-program')])
    expect(code).toBe(2)
    expect(err).toContain('cannot be started: there is no such program.')
  })

  it('that dies with its recorder leaves every exchange that it saw the end of', async () => {
    const text = `
      const send = async (n) => (await fetch(process.env.OPENAI_BASE_URL + '/chat/completions', {
        method: 'POST', body: JSON.stringify({ model: 'gpt-5.1', messages: [{ role: 'user', content: String(n) }], stream: n % 2 === 0 }),
      })).text()
      for (let n = 0; ; n++) { await send(n); process.stdout.write(n + '\\n') }`
    const command = program('forever.mjs', text)
    const child = start(['--emulate', '--out', file('killed.jsonl'), ...command])
    let out = ''
    await new Promise<void>((resolve) => {
      child.stdout?.on('data', (chunk) => {
        out += String(chunk)
        if (out.split('\n').length > 40) resolve()
      })
    })
    child.kill('SIGKILL')
    await once(child, 'close')
    const seen = out.split('\n').slice(0, -1)
    const found = readFileSync(file('killed.jsonl'), 'utf8').split('\n').slice(0, -1).map(parseLine)
    const sent = found.map(
      ({ request }) => (JSON.parse(request.body ?? '') as { messages: { content: string }[] }).messages[0]?.content,
    )
    expect(sent.slice(0, seen.length)).toEqual(seen)
  })
})

describe('the recorder without a command', () => {
  it('says what to set, and audits when it is told to stop', async () => {
    const child = start(['--emulate', '--out', file('open.jsonl')])
    const result = ending(child)
    const [first] = (await once(child.stdout!, 'data')) as [Buffer]
    const url = /export OPENAI_BASE_URL=(\S+)/.exec(String(first))?.[1] ?? ''
    const body = JSON.stringify({ model: 'gpt-5.1', messages: [{ role: 'user', content: 'Hi' }] })
    const response = await fetch(`${url}/chat/completions`, { method: 'POST', body })
    expect(await response.json()).toMatchObject({ choices: [{ message: { content: 'Hi' } }] })
    child.kill('SIGINT')
    const { code, err } = await result
    expect([code, err]).toEqual([0, expect.stringContaining('Recorded: 1 exchange.\n') as string])
  })

  it.runIf(process.platform === 'linux')('a log on a full disk costs no answer (needs /dev/full)', async () => {
    const child = start(['--emulate', '--out', '/dev/full'])
    const result = ending(child)
    const [first] = (await once(child.stdout!, 'data')) as [Buffer]
    const url = /export OPENAI_BASE_URL=(\S+)/.exec(String(first))?.[1] ?? ''
    const body = JSON.stringify({ model: 'gpt-5.1', messages: [{ role: 'user', content: 'Hi' }] })
    for (let count = 0; count < 3; count++) {
      expect((await fetch(`${url}/chat/completions`, { method: 'POST', body })).status).toBe(200)
    }
    child.kill('SIGTERM')
    const { code, err } = await result
    expect(code).toBe(0)
    expect(err.match(/is not complete: ENOSPC/g)).toHaveLength(1)
    expect(err).toContain('nothing of 3 exchanges, which could not be written')
  })
})

describe('arguments', () => {
  it.each([
    [['--upstream', 'nowhere'], 'is no address to pass requests on to'],
    [['--emulate', '--upstream', 'http://localhost:1'], 'Give --upstream or --emulate'],
    [['--script', 'a.json'], '--script has the answers of --emulate'],
    [['--emulate', '--script', 'no-such-file.json'], 'The script no-such-file.json cannot be read'],
    [['--out', join('no-such-folder', 'a.jsonl')], 'Give another with --out.'],
  ])('%j are refused with what is wrong', async (args, message) => {
    const { code, err } = await indelible(['record', ...args, '--', 'true'])
    expect([code, err]).toEqual([2, expect.stringContaining(message) as string])
  })

  it('with a script answer as it says', async () => {
    writeFileSync(file('script.json'), '{ "text": "As written." }')
    const command = program(
      'script.mjs',
      `import OpenAI from 'openai'
       console.log((await new OpenAI().responses.create({ model: 'gpt-5.1', input: 'Hi' })).output_text)`,
    )
    const { out } = await ending(
      start(['--emulate', '--script', file('script.json'), '--out', file('s.jsonl'), ...command]),
    )
    expect(out).toBe('As written.\n')
  })

  it('name a log that is there already: it is kept', async () => {
    writeFileSync(file('there.jsonl'), 'mine\n')
    const { code, err } = await indelible(['record', '--out', file('there.jsonl'), '--', 'true'])
    expect([code, err]).toEqual([2, expect.stringContaining('is there already') as string])
    expect(existsSync(file('there.jsonl'))).toBe(true)
  })

  it('name a port that is taken: another one can be given', async () => {
    await using server = await startTestServer(() => {})
    const { port } = server.server.address() as AddressInfo
    const { code, err } = await indelible(['record', '--port', String(port), '--', 'true'])
    expect([code, err]).toEqual([2, expect.stringContaining(`Port ${port} of 127.0.0.1 is in use.`) as string])
  })
})
