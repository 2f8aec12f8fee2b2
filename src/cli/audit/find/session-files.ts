/**
 * The session files below a place. Clients keep them for months, so what was last written before the span that is asked
 * for is not opened: a file that is only appended to cannot hold a later call.
 */
import { readdir, realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import * as zlib from 'node:zlib'
import type { LogFile } from '../../../audit/index.ts'
import { fileAt } from '../files.ts'
import type { LogPlace } from './places.ts'

/** A place, and what is there. */
export interface SearchedPlace extends LogPlace {
  readonly state: 'found' | 'absent' | 'unreadable'
  /** Session files that were written in the span. */
  readonly files: number
  /** Session files that were last written before it. */
  readonly older: number
}

/** All that was found. */
export interface FoundFiles {
  readonly places: readonly SearchedPlace[]
  /** The one that was written last is last: of a session that was copied to go on, the original comes first. */
  readonly files: readonly LogFile[]
}

const sessionFile = /\.jsonl(?:\.gz|\.zst)?$/i

interface Dated {
  readonly file: LogFile
  /** Milliseconds since the epoch. */
  readonly written: number
}

/** Looks into `places` for what was written at `since` (milliseconds since the epoch) or later. */
export async function findSessionFiles(places: readonly LogPlace[], since: number): Promise<FoundFiles> {
  const seen = new Set<string>()
  const all: Dated[] = []
  const searched: SearchedPlace[] = []
  for (const place of places) {
    const state = await stateOf(place.folder)
    const found: Dated[] = []
    if (state === 'found') await walk(place.folder, found, seen)
    const recent = found.filter(({ written }) => written >= since)
    all.push(...recent)
    searched.push({ ...place, state, files: recent.length, older: found.length - recent.length })
  }
  all.sort((one, other) => one.written - other.written || (one.file.name < other.file.name ? -1 : 1))
  return { places: searched, files: all.map(({ file }) => file) }
}

async function stateOf(folder: string): Promise<SearchedPlace['state']> {
  try {
    await readdir(folder)
    return 'found'
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return code === 'ENOENT' || code === 'ENOTDIR' ? 'absent' : 'unreadable'
  }
}

/** Adds the session files below a folder; each once, whatever links lead to it. */
async function walk(folder: string, found: Dated[], seen: Set<string>): Promise<void> {
  if (!(await isNew(folder, seen))) return
  // A folder that nobody may look into is named when its file is read.
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => undefined)
  if (entries === undefined) {
    found.push({ file: fileAt(folder, undefined), written: Number.POSITIVE_INFINITY })
    return
  }
  for (const entry of entries) {
    const path = join(folder, entry.name)
    if (!entry.isSymbolicLink() && !entry.isDirectory() && !sessionFile.test(entry.name)) continue
    const status = await stat(path).catch(() => undefined)
    if (status?.isDirectory() === true) await walk(path, found, seen)
    else if (status?.isFile() === true && sessionFile.test(entry.name) && (await isNew(path, seen))) {
      found.push({ file: unpacked(fileAt(path, status)), written: status.mtimeMs })
    }
  }
}

/** Codex packs what is old with zstd. Node has it from 22.15 on; before that, the file is named as one that is not read. */
function unpacked(file: LogFile): LogFile {
  if (!/\.zst$/i.test(file.name) || !('createZstdDecompress' in zlib)) return file
  return {
    ...file,
    async *open() {
      yield* Readable.from(file.open(), { objectMode: false }).compose(
        zlib.createZstdDecompress(),
      ) as AsyncIterable<Uint8Array>
    },
  }
}

async function isNew(path: string, seen: Set<string>): Promise<boolean> {
  const real = await realpath(path).catch(() => path)
  if (seen.has(real)) return false
  seen.add(real)
  return true
}
