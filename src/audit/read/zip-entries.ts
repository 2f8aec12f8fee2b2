/**
 * The files in a zip, in the order in which they lie in it, while it streams by: the directory at its end is not needed.
 * Entries of unknown length end at a descriptor that names the length which has just been read.
 *
 * Nothing is unpacked here, and an entry that nobody reads is passed over. The odd cases are archives of 4 GB and more
 * (zip64), and ones with something in front or behind.
 * Format: https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT
 */
import type { ByteReader } from './byte-reader.ts'

/** One file in the archive. */
export interface ZipEntry {
  /** With the folders that it lies in. */
  readonly name: string
  readonly encrypted: boolean
  /** 0 for stored, 8 for deflate. */
  readonly method: number
  /** As it lies in the archive; to be read before the next entry is asked for. Throws an error where it is cut off. */
  readonly packed: AsyncIterable<Uint8Array>
}

const localHeader = 0x04034b50
const descriptor = 0x08074b50
const directory = new Set([0x02014b50, 0x06054b50, 0x06064b50, 0x08064b50])

/** Entries that are files. */
export async function* zipEntries(reader: ByteReader): AsyncGenerator<ZipEntry, void, undefined> {
  for (;;) {
    const signature = await reader.take(4)
    if (signature === undefined) throw new Error('The archive ends before its directory.')
    const kind = view(signature).getUint32(0, true)
    if (directory.has(kind)) return
    if (kind !== localHeader) throw new Error('The archive is damaged: a file should begin where none does.')
    const header = await readHeader(reader)
    const packed = header.length === undefined ? untilDescriptor(reader) : exactly(reader, header.length)
    // Whoever stops reading must not end it: the rest is still to be passed over.
    const shared = { [Symbol.asyncIterator]: () => ({ next: () => packed.next() }) }
    if (!header.name.endsWith('/')) yield { ...header, packed: shared }
    // What was not read of it.
    let chunk = await packed.next()
    while (chunk.done !== true) chunk = await packed.next()
    if (header.described && header.length !== undefined) await skipDescriptor(reader)
  }
}

interface Header {
  readonly name: string
  readonly encrypted: boolean
  readonly method: number
  /** Bytes, where the header knows. */
  readonly length: number | undefined
  readonly described: boolean
}

async function readHeader(reader: ByteReader): Promise<Header> {
  const fixed = await reader.take(26)
  if (fixed === undefined) throw new Error('The archive ends in a header.')
  const fields = view(fixed)
  const flags = fields.getUint16(2, true)
  const name = await reader.take(fields.getUint16(22, true))
  const extra = await reader.take(fields.getUint16(24, true))
  if (name === undefined || extra === undefined) throw new Error('The archive ends in a header.')
  const length = fields.getUint32(14, true)
  const described = (flags & 8) !== 0
  return {
    name: new TextDecoder().decode(name),
    encrypted: (flags & 1) !== 0,
    method: fields.getUint16(4, true),
    length: described && length === 0 ? undefined : length === 0xffff_ffff ? zip64Length(extra, described) : length,
    described,
  }
}

/** The length in the extra field of large files, behind the unpacked one. */
function zip64Length(extra: Uint8Array, described: boolean): number | undefined {
  const fields = view(extra)
  for (let at = 0; at + 4 <= extra.length; at += 4 + fields.getUint16(at + 2, true)) {
    if (fields.getUint16(at, true) !== 1 || at + 20 > extra.length) continue
    const length = Number(fields.getBigUint64(at + 12, true))
    return described && length === 0 ? undefined : length
  }
  return undefined
}

async function* exactly(reader: ByteReader, length: number): AsyncGenerator<Uint8Array, void, undefined> {
  let left = length
  while (left > 0) {
    const chunk = await reader.next(left)
    if (chunk === undefined) throw new Error('The archive ends in a file.')
    left -= chunk.length
    yield chunk
  }
}

async function skipDescriptor(reader: ByteReader): Promise<void> {
  const start = await reader.peek(28)
  const fields = view(start)
  const at = start.length >= 4 && fields.getUint32(0, true) === descriptor ? 16 : 12
  // Lengths have 4 bytes each, or 8: the next header follows behind one of the two.
  for (const length of [at, at + 8]) {
    if (start.length >= length + 4 && isHeader(fields.getUint32(length, true))) {
      await reader.take(length)
      return
    }
  }
  throw new Error('The archive is damaged: a file should begin where none does.')
}

function isHeader(signature: number): boolean {
  return signature === localHeader || directory.has(signature)
}

// The longest descriptor: signature, checksum and two lengths of 8 bytes.
const descriptorBytes = 24

/** An entry of unknown length: all up to a descriptor that names as many bytes as there were. */
async function* untilDescriptor(reader: ByteReader): AsyncGenerator<Uint8Array, void, undefined> {
  let length = 0
  for (;;) {
    const bytes = await reader.next()
    if (bytes === undefined) throw new Error('The archive ends in a file.')
    reader.unread(bytes)
    const window = await reader.peek(bytes.length + descriptorBytes)
    await reader.take(window.length)
    const found = findDescriptor(window, length)
    if (found !== undefined) {
      reader.unread(window.subarray(found.end))
      if (found.start > 0) yield window.subarray(0, found.start)
      return
    }
    const sure = Math.max(1, window.length - descriptorBytes)
    reader.unread(window.subarray(sure))
    length += sure
    yield window.subarray(0, sure)
  }
}

function findDescriptor(window: Uint8Array, before: number): { start: number; end: number } | undefined {
  const fields = view(window)
  for (let at = window.indexOf(0x50); at !== -1 && at + 16 <= window.length; at = window.indexOf(0x50, at + 1)) {
    if (fields.getUint32(at, true) !== descriptor) continue
    if (at + 24 <= window.length && fields.getBigUint64(at + 8, true) === BigInt(before + at) && before + at > 0) {
      return { start: at, end: at + 24 }
    }
    if (fields.getUint32(at + 8, true) === before + at) return { start: at, end: at + 16 }
  }
  return undefined
}

function view(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
