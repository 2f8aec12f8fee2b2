/** Readers in tests: a file in memory as their input, and all that they make of it. */
import { digest } from '../../base/digest.ts'
import type { Exchange } from '../exchange.ts'
import { headOf } from './head.ts'
import { KnownJson } from './known-json.ts'
import { splitItems } from './json-items.ts'
import { splitLines, splitRawLines } from './lines.ts'
import { HEAD_BYTES, type LogReader, type ReaderInput, type Unread } from './types.ts'

/** An input in memory, and the list that its problems go to. */
export interface TestInput extends ReaderInput {
  readonly problems: Omit<Unread, 'file'>[]
}

/** What a reader made of a text. */
export interface ReadText {
  readonly recognised: boolean
  readonly exchanges: readonly Exchange[]
  readonly unread: readonly Omit<Unread, 'file'>[]
}

/** The input for one file; `siblings` are the others of a format that spans files, by their names. */
export function inputOf(
  content: string | Uint8Array,
  name = 'log.jsonl',
  siblings: Readonly<Record<string, string>> = {},
): TestInput {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content
  const problems: Omit<Unread, 'file'>[] = []
  const tooLarge = (line: number): void => {
    problems.push({ line, kind: 'too-large', message: 'too large' })
  }
  const input: TestInput = {
    name,
    head: headOf(name, bytes.subarray(0, HEAD_BYTES), bytes.length <= HEAD_BYTES),
    lines: () => splitLines([bytes], { tooLarge }),
    rawLines: () => splitRawLines([bytes], { tooLarge }),
    document: async () => new TextDecoder().decode(bytes),
    items: (path) =>
      splitItems([bytes], path, {
        tooLarge,
        broken: (line, message) => problems.push({ line, kind: 'broken', message }),
      }),
    unread: (problem) => problems.push(problem),
    siblings: [...new Set([name, ...Object.keys(siblings)])],
    sibling(other) {
      const found = other === name ? content : siblings[other]
      if (found === undefined) return undefined
      return {
        ...inputOf(found, other),
        unread: (problem) => input.unread(problem),
        siblings: input.siblings,
        sibling: (another) => input.sibling(another),
        shared: input.shared,
      }
    },
    shared: new Map(),
    json: new KnownJson(),
    hash: (secret) => digest(`test ${secret}`),
    problems,
  }
  return input
}

/** Reads a text with one reader, whether it recognises it or not. */
export async function readAll(
  reader: LogReader,
  content: string | Uint8Array | TestInput,
  name?: string,
): Promise<ReadText> {
  const input = typeof content === 'object' && 'problems' in content ? content : inputOf(content, name)
  const exchanges: Exchange[] = []
  for await (const exchange of reader.read(input)) exchanges.push(exchange)
  return { recognised: reader.recognises(input.head), exchanges, unread: input.problems }
}
