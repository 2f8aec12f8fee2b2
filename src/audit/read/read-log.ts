/**
 * Logs to calls: opens what it is given, tells each format from the content, and lets its reader yield.
 *
 * One text is in memory at a time, as much of it as its reader needs. Nothing that a file holds ends the run: what could
 * not be read is reported, the rest is read, and only when there is no call at all is that an error. Files of formats
 * that spread calls over a folder wait until all others are read.
 */
import { digest } from '../../base/digest.ts'
import type { Exchange } from '../exchange.ts'
import { ByteReader } from './byte-reader.ts'
import { LogUnreadableError, type TriedFile } from './errors.ts'
import { FolderGroups, splitPath, type FolderGroup } from './folder-groups.ts'
import { looseReaders, readers } from './formats/readers.ts'
import { recogniseOther } from './formats/recognised.ts'
import { headOf } from './head.ts'
import { longHeadOf } from './long-head.ts'
import { InputTally, type InputReport } from './input-tally.ts'
import { KnownJson } from './known-json.ts'
import { defaultLimits, LimitError, type ReadLimits } from './limits.ts'
import { openFile, packerOf, type OpenOptions, type OpenText } from './open-file.ts'
import { readerInput, type RunContext, type Siblings } from './reader-input.ts'
import { RepeatedRecords } from './repeated-records.ts'
import { withoutFalseTimes } from './false-times.ts'
import { HEAD_BYTES, type Head, type LogFile, type LogReader, type ReaderInput, type Unread } from './types.ts'

export interface ReadLogsOptions {
  /** Bytes read so far of all files, as they lie there, and the file that is being read. */
  readonly onProgress?: ((bytes: number, file: string) => void) | undefined
  /** Called when a text, or a folder that is read as one, has been read. */
  readonly onInput?: ((report: InputReport) => void) | undefined
  readonly onUnread: (problem: Unread) => void
  /** Keys the hashes of credentials; random unless given, so that they mean nothing outside of this run. */
  readonly secret?: string | undefined
  readonly limits?: Partial<ReadLimits> | undefined
}

/** The calls in logs, in the order of the files. Throws {@link LogUnreadableError} where there is none. */
export async function* readLogs(
  files: AsyncIterable<LogFile> | Iterable<LogFile>,
  options: ReadLogsOptions,
): AsyncGenerator<Exchange, void, undefined> {
  const run = new Run(options)
  for await (const file of files) yield* run.readFile(file)
  yield* run.readGroups()
  run.end()
}

/** What is known while one set of files is read. */
class Run implements RunContext, OpenOptions {
  readonly limits: ReadLimits
  readonly unread: (problem: Unread) => void
  readonly hash: (secret: string) => string
  readonly shared: Map<string, unknown> = new Map<string, unknown>()
  readonly json = new KnownJson()
  readonly held: { bytes: number } = { bytes: 0 }
  readonly #options: ReadLogsOptions
  readonly #groups = new FolderGroups(readers)
  readonly #tried: TriedFile[] = []
  readonly #repeated = new RepeatedRecords()
  #tally: InputTally | undefined
  #bytes = 0
  #calls = 0

  constructor(options: ReadLogsOptions) {
    this.#options = options
    this.limits = { ...defaultLimits, ...options.limits }
    this.hash = keyedHash(options.secret ?? crypto.randomUUID())
    this.unread = (problem) => {
      if (this.#tally === undefined) this.#tried.push({ file: problem.file, reason: problem.message })
      else this.#tally.unread(problem)
      options.onUnread(problem)
    }
  }

  async *readFile(original: LogFile): AsyncGenerator<Exchange> {
    const file: LogFile = { ...original, open: () => this.#watched(original) }
    const reader = this.#groups.readerOf(file.name)
    if (reader === undefined) yield* this.#readTexts(file)
    else this.#groups.add(reader, file)
  }

  async *readGroups(): AsyncGenerator<Exchange> {
    for (const group of this.#groups.all()) yield* this.#readGroup(group)
  }

  end(): void {
    if (this.#calls > 0) return
    throw new LogUnreadableError(
      this.#tried,
      [...readers, ...looseReaders].map(({ title }) => title),
    )
  }

  async *#readTexts(file: LogFile, grouping = true): AsyncGenerator<Exchange> {
    try {
      for await (const text of openFile(file, this)) {
        const reader = grouping ? this.#groups.readerOf(text.name) : undefined
        if (reader === undefined) yield* this.#readText(text)
        else {
          const held = await text.hold()
          if (held !== undefined) this.#groups.add(reader, held)
        }
      }
    } catch (error) {
      this.unread({ file: file.name, line: null, ...failureOf(error) })
    }
  }

  async *#readText({ name, bytes }: OpenText): AsyncGenerator<Exchange> {
    const tally = this.#begin(name)
    try {
      const start = await bytes.peek(HEAD_BYTES + 1)
      let head = headOf(name, start.subarray(0, HEAD_BYTES), start.length <= HEAD_BYTES)
      const other = recogniseOther(head)
      tally.reader = readerOf(head, other === undefined)
      // The first elements of a list are in the head already.
      if (tally.reader === undefined && other === undefined && !head.whole && !/^\s*\[/.test(head.text)) {
        head = await longHeadOf(name, bytes)
        tally.reader = readerOf(head, true)
      }
      if (tally.reader === undefined) this.unread({ file: name, line: null, ...whyUnknown(start, head, other) })
      else yield* this.#readAs(tally.reader, readerInput(head, bytes, this))
    } catch (error) {
      this.unread({ file: name, line: null, ...failureOf(error) })
    }
    tally.bytes = bytes.position
    this.#finish(tally)
  }

  async *#readGroup({ folder, reader, files }: FolderGroup): AsyncGenerator<Exchange> {
    const named = new Map(files.map((file) => [splitPath(file.name).name, file]))
    const first = await this.#firstOf(reader, files)
    if (first === undefined) {
      for (const file of files) yield* this.#readTexts(file, false)
      return
    }
    const tally = this.#begin(folder === '' ? first.head.name : folder)
    tally.reader = reader
    const opened: ByteReader[] = []
    const inputOf = (head: Head, file: LogFile): ReaderInput => {
      const bytes = new ByteReader(this.#textOf(file))
      opened.push(bytes)
      return readerInput(head, bytes, this, siblings)
    }
    const siblings: Siblings = {
      siblings: [...named.keys()],
      sibling(name) {
        const file = named.get(name)
        return file && inputOf({ name: file.name, text: '', records: [], start: undefined, whole: false }, file)
      },
    }
    yield* this.#readAs(reader, inputOf(first.head, first.file))
    tally.bytes = opened.reduce((sum, { position }) => sum + position, 0)
    this.#finish(tally)
  }

  /** Any file that says that the others are of this format too. */
  async #firstOf(reader: LogReader, files: readonly LogFile[]): Promise<{ head: Head; file: LogFile } | undefined> {
    for (const file of files) {
      const bytes = new ByteReader(this.#textOf(file))
      try {
        const start = await bytes.peek(HEAD_BYTES + 1)
        const head = headOf(file.name, start.subarray(0, HEAD_BYTES), start.length <= HEAD_BYTES)
        if (reader.recognises(head)) return { head, file }
      } catch {
        // The next may be whole; this one is reported when it is read.
      } finally {
        await bytes.close()
      }
    }
    return undefined
  }

  async *#textOf(file: LogFile): AsyncGenerator<Uint8Array> {
    for await (const { bytes } of openFile(file, this)) yield* bytes.rest()
  }

  async *#readAs(reader: LogReader, input: ReaderInput): AsyncGenerator<Exchange> {
    try {
      for await (const exchange of reader.read(input)) {
        this.#calls++
        const sound = withoutFalseTimes(exchange)
        const first = this.#repeated.find(sound)
        if (first === undefined) {
          this.#tally?.add(sound)
          yield sound
        } else input.unread({ line: exchange.source.line, kind: 'repeated', message: repeatOf(first) })
      }
    } catch (error) {
      input.unread({ line: null, ...failureOf(error) })
    }
  }

  #begin(file: string): InputTally {
    this.#tally = new InputTally(file)
    return this.#tally
  }

  #finish(tally: InputTally): void {
    this.#options.onInput?.(tally.report())
    if (tally.exchanges === 0) this.#tried.push({ file: tally.file, reason: tally.reason() })
    this.#tally = undefined
  }

  async *#watched(file: LogFile): AsyncGenerator<Uint8Array> {
    for await (const chunk of file.open()) {
      this.#bytes += chunk.length
      this.#options.onProgress?.(this.#bytes, file.name)
      yield chunk
    }
  }
}

function readerOf(head: Head, loose: boolean): LogReader | undefined {
  const recognising = (reader: LogReader): boolean => reader.recognises(head)
  return readers.find(recognising) ?? (loose ? looseReaders.find(recognising) : undefined)
}

function repeatOf({ file, line }: Exchange['source']): string {
  return `The same call was read already, from ${file}${line === null ? '' : `:${line}`}.`
}

/** Hashes that agree within a run, and tell nothing to who does not know its secret. */
function keyedHash(secret: string): (value: string) => string {
  const known = new Map<string, string>()
  return (value) => {
    const found = known.get(value)
    if (found !== undefined) return found
    const hash = digest(`${secret}\0${value}`)
    // Tokens that are renewed for every call must not add up.
    if (known.size < 10_000) known.set(value, hash)
    return hash
  }
}

function whyUnknown(
  start: Uint8Array,
  head: Head,
  other: { readonly title: string; readonly advice: string } | undefined,
): Pick<Unread, 'kind' | 'message'> {
  if (head.whole && head.text.trim() === '') return { kind: 'empty', message: 'It is empty.' }
  if (other !== undefined) return { kind: 'not-yet-read', message: `${other.title}: ${other.advice}` }
  const packer = packerOf(start)
  if (packer !== undefined) {
    return { kind: 'not-yet-read', message: `It is a ${packer} in an archive, which is not opened: unpack it first.` }
  }
  return { kind: 'unknown-shape', message: 'It is in no format that is known.' }
}

function failureOf(error: unknown): Pick<Unread, 'kind' | 'message'> {
  const message = error instanceof Error ? error.message : String(error)
  if (error instanceof LimitError) return { kind: 'too-large', message }
  return { kind: 'broken', message: `It cannot be read to its end: ${message}` }
}
