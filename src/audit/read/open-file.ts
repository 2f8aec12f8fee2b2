/**
 * The texts in a file: itself, what a gzip holds, or what lies in a zip. Nothing is written to disk, and nothing is
 * unpacked that nobody reads.
 *
 * What cannot be opened is reported, and the rest is read; a gzip that was cut off gives all up to the cut.
 */
import { ByteReader } from './byte-reader.ts'
import { inflate } from './inflate.ts'
import { UnpackGuard, type ReadLimits } from './limits.ts'
import { toUtf8 } from './plain-text.ts'
import type { LogFile, Unread } from './types.ts'
import { zipEntries, type ZipEntry } from './zip-entries.ts'

/** One text. */
export interface OpenText {
  /** Of the file, and behind a slash that of the member of an archive. */
  readonly name: string
  /** UTF-8, to be read once, and before the next text is asked for. Throws where the data is damaged. */
  readonly bytes: ByteReader
  /**
   * Instead of reading it now: the same as a file that can be opened later, and more than once. Holds a member's packed
   * bytes; undefined, and reported, where that becomes too much.
   */
  hold(): Promise<LogFile | undefined>
}

export interface OpenOptions {
  readonly limits: ReadLimits
  readonly unread: (problem: Unread) => void
  /** Counts what is held of all archives of a run. */
  readonly held: { bytes: number }
}

/** What packed files begin with. */
const packers: readonly (readonly [name: string, magic: readonly number[]])[] = [
  ['gzip', [0x1f, 0x8b]],
  ['zip', [0x50, 0x4b, 0x03, 0x04]],
  ['zip', [0x50, 0x4b, 0x05, 0x06]],
  ['zstd', [0x28, 0xb5, 0x2f, 0xfd]],
  ['xz', [0xfd, 0x37, 0x7a, 0x58, 0x5a]],
  ['bzip2', [0x42, 0x5a, 0x68]],
  ['7z', [0x37, 0x7a, 0xbc, 0xaf]],
  ['RAR', [0x52, 0x61, 0x72, 0x21]],
]

/** What the bytes are packed with, told from the first five; undefined where they are not. */
export function packerOf(bytes: Uint8Array): string | undefined {
  return packers.find(([, magic]) => magic.every((byte, index) => bytes[index] === byte))?.[0]
}

/** Opens a file. Throws what its source throws, and where a zip is damaged. */
export async function* openFile(file: LogFile, options: OpenOptions): AsyncGenerator<OpenText, void, undefined> {
  const packed = new ByteReader(file.open())
  try {
    const packer = packerOf(await packed.peek(5))
    if (packer === 'zip') yield* openZip(file.name, packed, options)
    else if (packer === 'gzip') {
      const bytes = inflate(packed.rest(), 'gzip', new UnpackGuard(options.limits))
      yield { name: file.name, bytes: text(bytes), hold: async () => file }
    } else if (packer === undefined) yield { name: file.name, bytes: text(packed.rest()), hold: async () => file }
    else {
      const message = `It is packed with ${packer}, which is not read: unpack it first.`
      options.unread({ file: file.name, line: null, kind: 'not-yet-read', message })
    }
  } finally {
    await packed.close()
  }
}

async function* openZip(archive: string, packed: ByteReader, options: OpenOptions): AsyncGenerator<OpenText> {
  const { limits, unread } = options
  const guard = new UnpackGuard(limits)
  let entries = 0
  for await (const entry of zipEntries(packed)) {
    const name = `${archive}/${entry.name}`
    entries++
    if (entries > limits.entries) {
      const message = `It holds more than ${limits.entries} files; the rest was not read.`
      unread({ file: archive, line: null, kind: 'too-large', message })
      return
    }
    if (/(?:^|\/)(?:__MACOSX\/|\.DS_Store$)/.test(entry.name)) continue
    const problem = problemOf(entry)
    if (problem !== undefined) unread({ file: name, line: null, ...problem })
    else {
      const hold = (): Promise<LogFile | undefined> => holdEntry({ ...entry, name }, guard, options)
      yield { name, bytes: text(unpack(entry.method, entry.packed, guard)), hold }
    }
  }
}

function problemOf({ encrypted, method }: ZipEntry): Pick<Unread, 'kind' | 'message'> | undefined {
  if (encrypted || method === 99) return { kind: 'encrypted', message: 'It is encrypted: unpack it first.' }
  if (method === 0 || method === 8) return undefined
  return { kind: 'not-yet-read', message: `It is packed in a way (${method}) that is not read: unpack it first.` }
}

async function holdEntry(
  { name, method, packed }: ZipEntry,
  guard: UnpackGuard,
  { limits, held, unread }: OpenOptions,
): Promise<LogFile | undefined> {
  const chunks: Uint8Array[] = []
  for await (const chunk of packed) {
    held.bytes += chunk.length
    if (held.bytes > limits.heldBytes) {
      const message = `Its archive holds more of such files than can be kept in memory: unpack it first.`
      unread({ file: name, line: null, kind: 'too-large', message })
      return undefined
    }
    chunks.push(chunk)
  }
  return { name, open: () => toUtf8(new ByteReader(unpack(method, from(chunks), guard))) }
}

function unpack(method: number, chunks: AsyncIterable<Uint8Array>, guard: UnpackGuard): AsyncIterable<Uint8Array> {
  guard.begin()
  return method === 0 ? guarded(chunks, guard) : inflate(chunks, 'deflate', guard)
}

async function* guarded(chunks: AsyncIterable<Uint8Array>, guard: UnpackGuard): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    guard.packed(chunk.length)
    guard.unpacked(chunk.length)
    yield chunk
  }
}

async function* from(chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks
}

function text(bytes: AsyncIterable<Uint8Array>): ByteReader {
  return new ByteReader(toUtf8(new ByteReader(bytes)))
}
