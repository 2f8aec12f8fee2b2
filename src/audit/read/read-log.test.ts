import { strToU8, Zip, ZipDeflate, ZipPassThrough, zipSync, gzipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import type { Exchange } from '../exchange.ts'
import type { InputReport } from './input-tally.ts'
import type { ReadLimits } from './limits.ts'
import { readLogs } from './read-log.ts'
import type { LogFile, Unread } from './types.ts'

const body = (text: string): object => ({
  model: 'claude-sonnet-4-6',
  max_tokens: 5,
  messages: [{ role: 'user', content: text }],
})
const lineOf = (text: string): string =>
  `${JSON.stringify({ request: { body: body(text) }, response: { id: text } })}\n`

function file(name: string, content: string | Uint8Array, size = 1000): LogFile {
  const bytes = typeof content === 'string' ? strToU8(content) : content
  return {
    name,
    size: bytes.length,
    async *open() {
      for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
    },
  }
}

interface Read {
  readonly texts: readonly string[]
  readonly files: readonly string[]
  readonly exchanges: readonly Exchange[]
  readonly unread: readonly Unread[]
  readonly inputs: readonly InputReport[]
}

async function read(files: readonly LogFile[], limits: Partial<ReadLimits> = {}): Promise<Read> {
  const exchanges: Exchange[] = []
  const unread: Unread[] = []
  const inputs: InputReport[] = []
  const options = {
    onUnread: (problem: Unread) => unread.push(problem),
    onInput: (report: InputReport) => inputs.push(report),
    secret: 'test',
    limits,
  }
  try {
    for await (const exchange of readLogs(files, options)) exchanges.push(exchange)
  } catch (error) {
    if (exchanges.length > 0 || unread.length === 0) throw error
  }
  const texts = exchanges.map(({ request }) => (request as { messages: [{ content: string }] }).messages[0].content)
  return { texts, files: [...new Set(exchanges.map(({ source }) => source.file))], exchanges, unread, inputs }
}

/** A text with white space behind it, which packs to next to nothing. */
function bytesOf(text: string, length: number): Uint8Array {
  const bytes = new Uint8Array(length).fill(0x20)
  bytes.set(strToU8(text))
  return bytes
}

/** A zip as it is written to a pipe: lengths stand behind the files. */
function streamedZip(files: Readonly<Record<string, string>>, stored = false): Uint8Array {
  const chunks: Uint8Array[] = []
  const zip = new Zip((_, chunk) => chunks.push(chunk))
  for (const [name, text] of Object.entries(files)) {
    const entry = stored ? new ZipPassThrough(name) : new ZipDeflate(name)
    zip.add(entry)
    const bytes = strToU8(text)
    entry.push(bytes.subarray(0, 10))
    entry.push(bytes.subarray(10), true)
  }
  zip.end()
  return Uint8Array.from(chunks.flatMap((chunk) => [...chunk]))
}

describe('readLogs', () => {
  it('reads several files in their order, and says of each what it was', async () => {
    const { texts, inputs, exchanges } = await read([file('a.log', lineOf('1') + lineOf('2')), file('b', lineOf('3'))])
    expect(texts).toEqual(['1', '2', '3'])
    expect(exchanges.map(({ source }) => source)).toEqual([
      { file: 'a.log', line: 1 },
      { file: 'a.log', line: 2 },
      { file: 'b', line: 1 },
    ])
    expect(inputs).toMatchObject([
      {
        file: 'a.log',
        format: 'generic-jsonl',
        exchanges: 2,
        bytes: lineOf('1').length * 2,
        fidelity: { level: 'body' },
      },
      { file: 'b', exchanges: 1 },
    ])
  })

  it('reads standard input, which can be opened once', async () => {
    let opened = 0
    const bytes = strToU8(lineOf('1'))
    const stdin: LogFile = {
      name: '-',
      async *open() {
        opened++
        yield bytes
      },
    }
    expect((await read([stdin])).texts).toEqual(['1'])
    expect(opened).toBe(1)
  })

  it('tells how far it is, in bytes as they lie there', async () => {
    const content = gzipSync(strToU8(lineOf('1').repeat(50)))
    const seen: number[] = []
    const options = { onUnread: () => {}, onProgress: (bytes: number) => seen.push(bytes) }
    for await (const _ of readLogs([file('a.gz', content, 20)], options));
    expect(seen.at(-1)).toBe(content.length)
    expect(seen.length).toBeGreaterThan(2)
  })

  it('closes a file of which no more is wanted', async () => {
    let closed = false
    const endless: LogFile = {
      name: 'endless',
      async *open() {
        try {
          for (;;) yield strToU8(lineOf('1'))
        } finally {
          closed = true
        }
      },
    }
    for await (const _ of readLogs([endless], { onUnread: () => {} })) break
    expect(closed).toBe(true)
  })

  it('counts broken lines with their numbers and reads the rest', async () => {
    const half = lineOf('x').slice(0, 40)
    const { texts, unread } = await read([
      file('a', `${lineOf('1')}not json\n\n[1]\n{"other":1}\n${lineOf('2')}${half}`),
    ])
    expect(texts).toEqual(['1', '2'])
    expect(unread.map(({ line, kind }) => [line, kind])).toEqual([
      [2, 'broken'],
      [4, 'unknown-shape'],
      [5, 'unknown-shape'],
      [7, 'broken'],
    ])
  })

  it('reads text that PowerShell wrote', async () => {
    const text = `\uFEFF${lineOf('é😀')}`
    const bytes = new Uint8Array(text.length * 2)
    for (let at = 0; at < text.length; at++) new DataView(bytes.buffer).setUint16(at * 2, text.charCodeAt(at), true)
    expect((await read([file('a', bytes, 3)])).texts).toEqual(['é😀'])
  })

  it('goes on with the next file where one cannot be opened', async () => {
    const missing: LogFile = {
      name: 'missing',
      // oxlint-disable-next-line eslint/require-yield
      async *open() {
        throw new Error('EACCES')
      },
    }
    const { texts, unread } = await read([missing, file('a', lineOf('1'))])
    expect(texts).toEqual(['1'])
    expect(unread).toEqual([
      { file: 'missing', line: null, kind: 'broken', message: 'It cannot be read to its end: EACCES' },
    ])
  })

  it('hashes credentials alike within a run and differently in the next', async () => {
    const line = `${JSON.stringify({ request: { headers: { 'x-api-key': 'sk-secret-1' }, body: body('1') } })}\n`
    const accounts = async (secret?: string): Promise<readonly (string | undefined)[]> => {
      const found: (string | undefined)[] = []
      const options = { onUnread: () => {}, ...(secret === undefined ? {} : { secret }) }
      for await (const { account } of readLogs([file('a', line + line)], options)) found.push(account)
      return found
    }
    const [one, two] = await accounts()
    expect(one).toBe(two)
    expect((await accounts())[0]).not.toBe(one)
    expect(await accounts('a')).toEqual(await accounts('a'))
    expect(one).not.toContain('secret')
  })
})

describe('nothing readable', () => {
  it('is an error that lists what was tried', async () => {
    const files = [file('notes.txt', 'Dear diary'), file('empty', ''), file('x.jsonl', '{"type":"other"}\n')]
    const error: unknown = await (async () => {
      for await (const _ of readLogs(files, { onUnread: () => {} }));
    })().catch((caught: unknown) => caught)
    expect(error).toMatchObject({
      code: 'log_unreadable',
      tried: [{ file: 'notes.txt' }, { file: 'empty' }, { file: 'x.jsonl' }],
    })
    expect((error as Error).message).toContain('notes.txt: It is in no format that is known. empty: It is empty.')
    expect((error as Error).message).toContain('claude-trace log')
  })

  it('is an error without files too', async () => {
    await expect(async () => {
      for await (const _ of readLogs([], { onUnread: () => {} }));
    }).rejects.toMatchObject({ code: 'log_unreadable', tried: [] })
  })

  it('says of a log with other traffic only what it was', async () => {
    const line = JSON.stringify({ url: 'https://api.openai.com/v1/embeddings', body: { model: 'e', input: 'a' } })
    await expect(async () => {
      for await (const _ of readLogs([file('a', `${line}\n${line}`)], { onUnread: () => {} }));
    }).rejects.toThrow('Not a call to a model. (other-traffic, 2 times)')
  })
})

describe('a gzip', () => {
  it('is read, also with several members one behind the other', async () => {
    const bytes = new Uint8Array([...gzipSync(strToU8(lineOf('1'))), ...gzipSync(strToU8(lineOf('2')))])
    for (const size of [1, 17, 10_000]) {
      const { texts, files, unread } = await read([file('a.jsonl.gz', bytes, size)])
      expect(texts).toEqual(['1', '2'])
      expect(files).toEqual(['a.jsonl.gz'])
      expect(unread).toEqual([])
    }
  })

  it('that was cut off gives all up to the cut, and is reported', async () => {
    const lines = Array.from({ length: 2000 }, (_, index) => lineOf(String(index * 7919)))
    const bytes = gzipSync(strToU8(lines.join('')))
    const { texts, unread } = await read([file('a.gz', bytes.subarray(0, bytes.length / 2))])
    expect(texts.length).toBeGreaterThan(500)
    expect(unread.at(-1)).toMatchObject({ file: 'a.gz', kind: 'broken' })
  })

  it('does not grow beyond its limits', async () => {
    const bomb = gzipSync(bytesOf(lineOf('1'), 17_500_000))
    expect((await read([file('bomb.gz', bomb)])).unread).toMatchObject([{ file: 'bomb.gz', kind: 'too-large' }])
    const small = gzipSync(strToU8(lineOf('1').repeat(200)))
    const { unread } = await read([file('a.gz', small)], { unpackedBytes: 10_000 })
    expect(unread).toMatchObject([{ file: 'a.gz', kind: 'too-large' }])
  })

  it('of an archive stays closed', async () => {
    const nested = gzipSync(zipSync({ a: strToU8(lineOf('1')) }))
    const { unread } = await read([file('a.gz', nested), file('b.gz', gzipSync(gzipSync(strToU8(lineOf('1')))))])
    expect(unread.map(({ kind }) => kind)).toEqual(['not-yet-read', 'not-yet-read'])
  })
})

describe('a zip', () => {
  const content = { 'a.jsonl': lineOf('1') + lineOf('2'), 'deep/b.jsonl': lineOf('3'), 'readme.md': 'Hello' }
  const packed = zipSync({
    folder: {},
    ...Object.fromEntries(Object.entries(content).map(([name, text]) => [name, strToU8(text)])),
  })

  it.each([
    ['whose headers know the lengths', packed],
    ['that was streamed', streamedZip(content)],
    ['that was streamed without compression', streamedZip(content, true)],
  ])('%s is read file by file', async (_, bytes) => {
    for (const size of [1, 100, 100_000]) {
      const { texts, files, unread } = await read([file('logs.zip', bytes, size)])
      expect(texts).toEqual(['1', '2', '3'])
      expect(files).toEqual(['logs.zip/a.jsonl', 'logs.zip/deep/b.jsonl'])
      expect(unread).toMatchObject([{ file: 'logs.zip/readme.md', kind: 'unknown-shape' }])
    }
  })

  it('holds a zip that is stored in it as one file, and does not open that', async () => {
    const inner = zipSync({ 'x.jsonl': strToU8(lineOf('1')) })
    const outer = zipSync({ 'inner.zip': [inner, { level: 0 }], 'b.jsonl': strToU8(lineOf('2')) })
    const { texts, unread } = await read([file('logs.zip', outer)])
    expect(texts).toEqual(['2'])
    expect(unread).toMatchObject([{ file: 'logs.zip/inner.zip', kind: 'not-yet-read' }])
  })

  it('names what is encrypted and reads the rest', async () => {
    const bytes = zipSync({ 'a.jsonl': strToU8(lineOf('1')), 'b.jsonl': strToU8(lineOf('2')) })
    bytes[6] = (bytes[6] ?? 0) | 1
    const { texts, unread } = await read([file('logs.zip', bytes)])
    expect(texts).toEqual(['2'])
    expect(unread).toMatchObject([{ file: 'logs.zip/a.jsonl', kind: 'encrypted' }])
  })

  it('that was cut off gives what was whole', async () => {
    const bytes = zipSync({
      'a.jsonl': strToU8(lineOf('1')),
      'b.jsonl': [strToU8(lineOf('2').repeat(9)), { level: 0 }],
    })
    const { texts, unread } = await read([file('logs.zip', bytes.subarray(0, 800))])
    expect(texts[0]).toBe('1')
    expect(unread.at(-1)).toMatchObject({ kind: 'broken' })
  })

  it.each([1, 2, 3, 4, 5, 6, 7, 8])('whose bytes are damaged ends the run of none (%i)', async (seed) => {
    const bytes = packed.slice()
    for (let at = seed * 13; at < bytes.length; at += 97) bytes[at] = (bytes[at] ?? 0) ^ (seed * 31)
    const { unread, texts } = await read([file('logs.zip', bytes), file('a', lineOf('last'))])
    expect(texts.at(-1)).toBe('last')
    expect(unread.length).toBeGreaterThan(0)
  })

  it('does not grow beyond its limits, in files or in bytes', async () => {
    const many = zipSync(
      Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`${index}.jsonl`, strToU8(lineOf(`${index}`))])),
    )
    const { texts, unread } = await read([file('logs.zip', many)], { entries: 5 })
    expect(texts).toHaveLength(5)
    expect(unread).toMatchObject([{ file: 'logs.zip', kind: 'too-large' }])
    const bomb = zipSync({ 'a.jsonl': bytesOf(lineOf('1'), 17_500_000), 'b.jsonl': strToU8(lineOf('2')) })
    const exploded = await read([file('bomb.zip', bomb)])
    expect(exploded.unread).toMatchObject([{ file: 'bomb.zip/a.jsonl', kind: 'too-large' }])
    expect(exploded.texts).toEqual(['1', '2'])
  })
})

describe('files that belong together', () => {
  const bodies = {
    'one.request.json': JSON.stringify(body('1')),
    'req_1.response.json': JSON.stringify({ type: 'message', id: 'msg_1', usage: { input_tokens: 1 } }),
    'index.jsonl': JSON.stringify({ request_file: '/x/one.request.json', response_file: '/x/req_1.response.json' }),
  }

  it.each([
    ['in a folder', Object.entries(bodies).map(([name, text]) => file(`dir/${name}`, text))],
    ['in a zip', [file('dir', streamedZip(bodies))]],
  ])('%s are read as one input', async (_, files) => {
    const { exchanges, inputs } = await read(files)
    expect(exchanges).toMatchObject([{ ids: { response: 'msg_1' }, source: { file: 'dir/one.request.json' } }])
    expect(inputs).toMatchObject([{ file: 'dir', format: 'claude-code-bodies', exchanges: 1 }])
  })

  it('are read each by itself where only their names are alike', async () => {
    const { texts, inputs } = await read([file('dir/index.jsonl', lineOf('1')), file('other/index.jsonl', lineOf('2'))])
    expect(texts).toEqual(['1', '2'])
    expect(inputs.map(({ format }) => format)).toEqual(['generic-jsonl', 'generic-jsonl'])
  })

  it('are not held beyond the limit', async () => {
    const { unread } = await read([file('logs.zip', streamedZip(bodies))], { heldBytes: 10 })
    expect(unread[0]).toMatchObject({ file: 'logs.zip/one.request.json', kind: 'too-large' })
  })
})
