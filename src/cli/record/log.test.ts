import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CommandError } from '../errors.ts'
import { LineFile } from './line-file.ts'
import type { Begun, Ended } from './log-worker.ts'
import { createRecordLog } from './log.ts'
import { parseLine } from './test-proxy.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'indelible-record-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

function part(text: string): Begun['body'] {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text))
  bytes.write(text)
  return { bytes, total: bytes.length }
}

function exchange(id: number): { readonly begun: Begun; readonly ended: Ended } {
  const opening = {
    url: 'https://x.example/v1/messages',
    method: 'POST',
    rawHeaders: ['x-api-key', 'sk-1'],
    startedAt: 0,
  }
  return {
    begun: { id, opening, body: part(`{"n":${id}}`) },
    ended: { id, reply: { status: 200, rawHeaders: [] }, body: part('ok'), ending: { endedAt: 5, error: undefined } },
  }
}

describe('a log', () => {
  it('has a line for each exchange when its end resolves, in the order of the ends', async () => {
    const file = join(folder, 'order.jsonl')
    const log = await createRecordLog(file, () => {})
    const [one, two] = [exchange(1), exchange(2)]
    log.begin(one.begun)
    log.begin(two.begun)
    await log.end(two.ended)
    expect((await readFile(file, 'utf8')).split('\n').map((line) => line !== '')).toEqual([true, false])
    await log.end(one.ended)
    await log.close()
    const lines = (await readFile(file, 'utf8')).trimEnd().split('\n').map(parseLine)
    expect(lines.map(({ request }) => request.body)).toEqual(['{"n":2}', '{"n":1}'])
    expect([log.lines, log.lost]).toEqual([2, 0])
    expect((await stat(file)).mode & 0o777).toBe(0o600)
  })

  it('has long bodies and packed ones as it has short ones', async () => {
    const file = join(folder, 'long.jsonl')
    const log = await createRecordLog(file, () => {})
    const long = `{"text":"${'añ€😀'.repeat(100_000)}"}`
    const { begun, ended } = exchange(1)
    log.begin({ ...begun, body: part(long) })
    const packed = gzipSync('data: 1\n\n')
    const bytes = Buffer.allocUnsafeSlow(packed.length)
    packed.copy(bytes)
    const reply = { status: 200, rawHeaders: ['Content-Encoding', 'gzip'] }
    await log.end({ ...ended, reply, body: { bytes, total: bytes.length } })
    const line = parseLine(await readFile(file, 'utf8'))
    expect([line.request.body, line.response?.body]).toEqual([long, 'data: 1\n\n'])
    await log.close()
  })

  it('tells accounts of a run apart, and keeps no key', async () => {
    const file = join(folder, 'key.jsonl')
    const log = await createRecordLog(file, () => {})
    const { begun, ended } = exchange(1)
    log.begin(begun)
    await log.end(ended)
    await log.close()
    expect(await readFile(file, 'utf8')).toMatch(/\["x-api-key","[0-9a-f]{32}"\]/)
  })

  it('is not begun in a file that holds something, nor where there is no folder', async () => {
    const file = join(folder, 'full.jsonl')
    await writeFile(file, 'mine\n')
    await expect(createRecordLog(file, () => {})).rejects.toThrow(CommandError)
    await expect(createRecordLog(join(folder, 'none', 'a.jsonl'), () => {})).rejects.toThrow(
      /Give another with --out\.$/,
    )
    expect(await readFile(file, 'utf8')).toBe('mine\n')
  })

  it.runIf(process.platform === 'linux')('on a full disk is told once (needs /dev/full)', async () => {
    const messages: string[] = []
    const log = await createRecordLog('/dev/full', (message) => messages.push(message))
    for (const id of [1, 2, 3]) {
      const { begun, ended } = exchange(id)
      log.begin(begun)
      await log.end(ended)
    }
    await log.close()
    expect(messages).toEqual([
      expect.stringMatching(/^The log \/dev\/full is not complete: ENOSPC: .*\. Requests go on as before\.$/) as string,
    ])
    expect([log.lines, log.lost]).toEqual([0, 3])
  })

  it('goes on without a folder that was removed, and with what comes after its end', async () => {
    const gone = await mkdtemp(join(folder, 'gone-'))
    const log = await createRecordLog(join(gone, 'a.jsonl'), () => {})
    await rm(gone, { recursive: true })
    const { begun, ended } = exchange(1)
    log.begin(begun)
    await log.end(ended)
    await log.close()
    await log.end(exchange(2).ended)
    expect(log.lost).toBe(1)
  })
})

describe('a file', () => {
  it.runIf(process.platform !== 'win32')('is needed: a pipe would wait for its reader (needs mkfifo)', async () => {
    const pipe = join(folder, 'pipe')
    execFileSync('mkfifo', [pipe])
    await expect(createRecordLog(pipe, () => {})).rejects.toThrow('is no file')
  })

  it.each([
    ['text', '{"a":', '"€"}\n'],
    ['bytes', Buffer.from('{"a":'), '"€"}\n'],
  ])('takes a line of %s in as many parts as it likes', (_kind, start, end) => {
    let written = Buffer.alloc(0)
    const file = new LineFile(0, (_file, piece) => {
      const some = Buffer.from(piece).subarray(0, 3)
      written = Buffer.concat([written, some])
      return some.length
    })
    file.append(start, end)
    expect(String(written)).toBe('{"a":"€"}\n')
  })

  it('that takes a line in part loses no other', () => {
    let text = ''
    let isFull = false
    const file = new LineFile(0, (_file, piece) => {
      if (isFull && text.endsWith('half')) throw new Error('full')
      const some = isFull ? Buffer.from('half') : Buffer.from(piece)
      text += String(some)
      return some.length
    })
    file.append('one', '\n')
    isFull = true
    expect(() => file.append('half of two', '\n')).toThrow('full')
    isFull = false
    file.append('three', Buffer.from('\n'))
    expect(text).toBe('one\nhalf\nthree\n')
  })
})
