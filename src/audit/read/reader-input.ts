/** A text as readers see it: their lines, documents and problems, under the limits of the run. */
import type { KnownJson } from './known-json.ts'
import { splitItems } from './json-items.ts'
import type { ReadLimits } from './limits.ts'
import { splitLines, splitRawLines } from './lines.ts'
import type { ByteReader } from './byte-reader.ts'
import { ByteBuffer } from './byte-buffer.ts'
import type { Head, ReaderInput, Unread } from './types.ts'

/** What the inputs of one run have in common. */
export interface RunContext {
  readonly limits: ReadLimits
  readonly unread: (problem: Unread) => void
  readonly hash: (secret: string) => string
  readonly shared: Map<string, unknown>
  readonly json: KnownJson
}

/** The files beside it, of a format that spans several. */
export type Siblings = Pick<ReaderInput, 'siblings' | 'sibling'>

/** The input for one text. */
export function readerInput(
  head: Head,
  bytes: ByteReader,
  { limits, unread, hash, shared, json }: RunContext,
  siblings: Siblings = { siblings: [], sibling: () => undefined },
): ReaderInput {
  const report = (problem: Omit<Unread, 'file'>): void => unread({ file: head.name, ...problem })
  const tooLarge = (line: number, size: number): void => {
    const message = `${size} bytes in one piece are more than the ${limits.lineBytes} that are read.`
    report({ line, kind: 'too-large', message })
  }
  return {
    name: head.name,
    head,
    lines: () => splitLines(bytes.rest(), { limit: limits.lineBytes, tooLarge }),
    rawLines: () => splitRawLines(bytes.rest(), { limit: limits.lineBytes, tooLarge }),
    document: () => readDocument(bytes, limits.documentBytes, report),
    items: (path) =>
      splitItems(bytes.rest(), path, {
        limit: limits.lineBytes,
        tooLarge,
        broken: (line, message) => report({ line, kind: 'broken', message }),
      }),
    unread: report,
    ...siblings,
    shared,
    json,
    hash,
  }
}

async function readDocument(
  bytes: ByteReader,
  limit: number,
  report: ReaderInput['unread'],
): Promise<string | undefined> {
  const whole = new ByteBuffer()
  for await (const chunk of bytes.rest()) {
    if (whole.length + chunk.length > limit) {
      const message = `A document of this format is read up to ${limit} bytes, and this is larger.`
      report({ line: null, kind: 'too-large', message })
      return undefined
    }
    whole.append(chunk)
  }
  return new TextDecoder().decode(whole.bytes())
}
