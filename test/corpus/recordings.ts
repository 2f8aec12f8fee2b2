/**
 * The recordings in a folder: every JSON, JSON Lines and YAML file in it, read by the reader that recognises what is in
 * it. A file whose kind is known to have nothing to play is listed with the reason; one that nobody recognises, or that
 * cannot be read, is an error of the run.
 */
import { readdir, readFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { parseAllDocuments } from 'yaml'
import { cachesOf, callsOf, type Call } from './calls.ts'
import type { RecordingReader } from './exchange.ts'
import { claudeTap } from './readers/claude-tap.ts'
import { goVcr } from './readers/go-vcr.ts'
import { httpmock } from './readers/httpmock.ts'
import { inspect } from './readers/inspect.ts'
import { nock } from './readers/nock.ts'
import { vcrpy } from './readers/vcrpy.ts'
import { reasonWithoutBodies } from './readers/without-bodies.ts'

/** What one file turned out to be. */
export type Recording =
  | { readonly type: 'calls'; readonly file: string; readonly calls: readonly Call[]; readonly caches: Caches }
  | { readonly type: 'without-bodies'; readonly file: string; readonly reason: string }
  | { readonly type: 'unreadable'; readonly file: string; readonly error: string }

/** Bodies of explicit caches, by name. */
export type Caches = ReadonlyMap<string, unknown>

const readers: readonly RecordingReader[] = [vcrpy, goVcr, httpmock, nock, claudeTap, inspect]
const extensions = /\.(?:jsonl?|ya?ml)$/

/** Every recording below `folder`, in the order of their names. Throws where the folder cannot be listed. */
export async function readRecordings(folder: string): Promise<Recording[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile() && extensions.test(entry.name))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort()
  const recordings: Recording[] = []
  for (const file of files) recordings.push(readRecording(file, await readFile(join(folder, file), 'utf8')))
  return recordings
}

/** What is in one file. */
export function readRecording(file: string, text: string): Recording {
  try {
    const documents = parse(file, text)
    const reader = readers.find((each) => each.recognises(documents))
    if (reader === undefined) {
      const reason = reasonWithoutBodies(documents)
      return reason === undefined
        ? { type: 'unreadable', file, error: 'no reader recognises it' }
        : { type: 'without-bodies', file, reason }
    }
    const exchanges = reader.read(documents)
    const calls = callsOf(file, exchanges)
    if (calls.length === 0) return { type: 'unreadable', file, error: `${reader.name} found no call of a model in it` }
    return { type: 'calls', file, calls, caches: cachesOf(exchanges) }
  } catch (error) {
    return { type: 'unreadable', file, error: error instanceof Error ? error.message : String(error) }
  }
}

function parse(file: string, text: string): unknown[] {
  if (file.endsWith('.json')) return [JSON.parse(text) as unknown]
  if (file.endsWith('.jsonl')) {
    const lines = text.split('\n').filter((line) => line.trim() !== '')
    return lines.map((line) => JSON.parse(line) as unknown)
  }
  // Bodies in bytes are `!!binary`, which YAML 1.2 leaves out.
  return parseAllDocuments(text, { customTags: ['binary'] }).map((document) => {
    const [problem] = document.errors
    if (problem !== undefined) throw problem
    return document.toJS() as unknown
  })
}
