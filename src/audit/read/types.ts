/** What a reader of one log format is given, and what it says besides its exchanges. */
import type { Exchange } from '../exchange.ts'
import type { KnownJson } from './known-json.ts'

/** A file as it was handed in, wherever it lies. It may be opened more than once. */
export interface LogFile {
  /** As the user knows it; `/` between folders. */
  readonly name: string
  /** Bytes, where known. */
  readonly size?: number | undefined
  open(): AsyncIterable<Uint8Array>
}

/** The start of a file, from which its format is told. Names are hints at most: people rename. */
export interface Head {
  readonly name: string
  /** At most {@link HEAD_BYTES} bytes, decoded; without a byte order mark. */
  readonly text: string
  /** The first complete lines that are JSON objects, parsed; at most 20, found anywhere in the head. */
  readonly records: readonly Readonly<Record<string, unknown>>[]
  /**
   * The JSON value that the file begins with, as far as it lies in the head: of a first line or document that is longer,
   * what is there, with the string, lists and objects closed that the cut went through. Undefined where it is no JSON.
   */
  readonly start: unknown
  /** True where `text` is the whole file. */
  readonly whole: boolean
}

/** As much of a file as is looked at to tell its format. */
export const HEAD_BYTES = 262_144

/**
 * What was not read, and why. `line` is from 1, null where lines mean nothing.
 * - `broken`: not what the format says (no JSON, cut off in the middle).
 * - `truncated`: a body that the logging tool cut short.
 * - `unknown-shape`: well-formed, and nothing that is known.
 * - `no-body`: an entry whose body was not logged.
 * - `too-large`: beyond a limit.
 * - `not-yet-read`: a format that is recognised and not read.
 * - `encrypted`, `empty`: of whole files.
 * - `other-traffic`: a call that is none to a model. Counted, and no problem.
 * - `repeated`: a record of a call that was read already, from a copy of the log or a line that stands there twice.
 */
export interface Unread {
  readonly file: string
  readonly line: number | null
  readonly kind:
    | 'broken'
    | 'truncated'
    | 'unknown-shape'
    | 'no-body'
    | 'too-large'
    | 'not-yet-read'
    | 'encrypted'
    | 'empty'
    | 'other-traffic'
    | 'repeated'
  /** What, and what to do about it. Holds no text of the log beyond names of fields. */
  readonly message: string
}

/** A line of a file without its end, and its number from 1. */
export interface Line {
  readonly text: string
  readonly line: number
}

/** A line as it lies in the file; its bytes are good until the next one is asked for. */
export interface RawLine {
  readonly bytes: Uint8Array
  readonly line: number
}

/** A file being read as one format. It is a stream: lines, document or items can be asked for once. */
export interface ReaderInput {
  readonly name: string
  readonly head: Head
  /** Lines as they come; one longer than the limit is reported as `too-large` and left out. */
  lines(): AsyncIterable<Line>
  /** The same lines for {@link json}, which decodes only what is new in them. */
  rawLines(): AsyncIterable<RawLine>
  /** The whole file, up to the stated limit for single documents; beyond it, reports `too-large` and gives undefined. */
  document(): Promise<string | undefined>
  /**
   * The elements of the JSON list that stands at `path` (object keys from the top; none for a list at the top), each as
   * its text and the line that it begins on, one at a time. What is broken or too large is reported.
   */
  items(path: readonly string[]): AsyncIterable<Line>
  /** Records what could not be read. */
  unread(problem: Omit<Unread, 'file'>): void
  /** Of a format that spans files ({@link LogReader.member}): their names without the folder, this one's too. */
  readonly siblings: readonly string[]
  /** A file beside this one, by a name out of {@link siblings}, or undefined. */
  sibling(name: string): ReaderInput | undefined
  /** Parses what may hold a request: most of it was read before. */
  readonly json: KnownJson
  /** Turns credentials in headers into a hash of this run; see `headers.ts`. */
  readonly hash: (secret: string) => string
  /**
   * What readers remember from file to file within one run, by a key that starts with the id of the format: which calls
   * were read already, where tools copy a history into a new file.
   */
  readonly shared: Map<string, unknown>
}

/** One format. A file of its own, in one order: id, title, recording hint, recognises, read. */
export interface LogReader {
  /** As it stands in JSON output: `claude-trace`. */
  readonly id: string
  /** As a person calls it. */
  readonly title: string
  /** One line that says how to record what this format lacks; null where it lacks nothing. */
  readonly hint: string | null
  /** True when the content is of this format and of no other. Cheap: it is asked for every file. */
  recognises(head: Head): boolean
  /** For a format that spans the files of a folder: true for a name (without folder) that may be one of them. */
  member?(name: string): boolean
  /** Yields calls in the order of the file. Never throws for what the file holds: it says so to `input.unread` and goes on. */
  read(input: ReaderInput): AsyncIterable<Exchange>
}
