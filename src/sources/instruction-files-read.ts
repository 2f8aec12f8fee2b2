/**
 * Finding and reading instruction files.
 *
 * The order is from the most general to the most specific: global files as listed, then each folder from the project
 * root down to the working directory, within a folder by the order of the names. A file that several links lead to is
 * read once, where it comes first. What is read is bounded, per file and together, and read in that order.
 *
 * Not there is: a missing file, a link to nothing or to itself, and what is no regular file (a folder, a pipe).
 * Anything else that stands in the way, as a missing permission, rejects: then nobody knows which instructions apply.
 */
import { constants } from 'node:fs'
import { lstat, open, realpath, stat, type FileHandle } from 'node:fs/promises'
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { SourceInvalidError } from '../context/index.ts'

/** The key of the source, which its errors name. */
export const KEY = 'indelible/instruction-files'

export type InstructionFile = {
  readonly scope: 'global' | 'project'
  /** A global file's as it was given; within the project from its root, with slashes. */
  readonly path: string
  /** `'cut'`: only the start of it was read. `'outside'`: a link out of the project root, not read at all. */
  readonly extent: 'whole' | 'cut' | 'outside'
  /** Invalid UTF-8 is replaced by U+FFFD, a byte order mark is dropped, anything else is kept as it is. */
  readonly text: string
}

export interface ReadInstructionFilesOptions {
  /** Absolute. */
  readonly cwd: string
  /** Relative, without `..`. */
  readonly names: readonly string[]
  /** Absolute. The nearest folder with a `.git` unless given, `cwd` where there is none. */
  readonly root?: string
  readonly globalFiles: readonly string[]
  readonly maxFileBytes: number
  readonly maxTotalBytes: number
}

/** Reads the files that there are. Rejects with the signal's reason once it is aborted, between two files. */
export async function readInstructionFiles(
  options: ReadInstructionFilesOptions,
  signal: AbortSignal,
): Promise<readonly InstructionFile[]> {
  const candidates = await findCandidates(options)
  const targets = await Promise.all(candidates.map(({ location }) => findTarget(location)))
  const files: InstructionFile[] = []
  const seen = new Set<string>()
  let budget = options.maxTotalBytes
  for (const [index, { scope, path, root }] of candidates.entries()) {
    signal.throwIfAborted()
    const target = targets[index] ?? null
    if (target === null || seen.has(target)) continue
    seen.add(target)
    if (root !== null && !isInside(root, target)) {
      files.push({ scope, path, extent: 'outside', text: '' })
      continue
    }
    const content = await readStart(target, Math.min(options.maxFileBytes, budget))
    if (content === null) continue
    budget -= content.bytes
    files.push({ scope, path, extent: content.whole ? 'whole' : 'cut', text: content.text })
  }
  return files
}

interface Candidate {
  readonly scope: InstructionFile['scope']
  readonly path: string
  readonly location: string
  /** What the file may not lie outside of; `null` for a file that the application named itself. */
  readonly root: string | null
}

async function findCandidates(options: ReadInstructionFilesOptions): Promise<Candidate[]> {
  const cwd = await realpath(options.cwd)
  const root = options.root === undefined ? await findProjectRoot(cwd) : await realpath(options.root)
  if (!isInside(root, cwd)) {
    throw new SourceInvalidError(
      KEY,
      `The folder ${cwd} is not inside the root ${root}: give instructionFiles() a root at or above cwd`,
    )
  }
  return [
    ...options.globalFiles.map((path): Candidate => ({ scope: 'global', path, location: resolve(path), root: null })),
    ...foldersBetween(root, cwd)
      .flatMap((folder) => options.names.map((name) => join(folder, name)))
      .map((location): Candidate => ({ scope: 'project', path: pathFrom(root, location), location, root })),
  ]
}

async function findProjectRoot(cwd: string): Promise<string> {
  for (let folder = cwd; ; folder = dirname(folder)) {
    // In a linked work tree and in a submodule it is a file.
    if (await ignoringMissing(lstat(join(folder, '.git')))) return folder
    if (dirname(folder) === folder) return cwd
  }
}

/** From `root` down to `cwd`, which is inside of it. */
function foldersBetween(root: string, cwd: string): string[] {
  const names = relative(root, cwd).split(sep)
  return [root, ...names.filter(Boolean).map((_, index) => join(root, ...names.slice(0, index + 1)))]
}

function pathFrom(root: string, location: string): string {
  return relative(root, location).replaceAll(sep, '/')
}

function isInside(root: string, path: string): boolean {
  const way = relative(root, path)
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

/** The regular file that `location` leads to, by its real path. */
async function findTarget(location: string): Promise<string | null> {
  const target = await ignoringMissing(realpath(location))
  if (target === null) return null
  return (await ignoringMissing(stat(target)))?.isFile() ? target : null
}

interface FileStart {
  readonly text: string
  readonly bytes: number
  readonly whole: boolean
}

async function readStart(path: string, limit: number): Promise<FileStart | null> {
  // Should a pipe have taken the file's place by now, opening it must not wait for a writer. Windows has no such flag.
  const handle = await ignoringMissing(open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)))
  if (handle === null) return null
  try {
    // One byte more tells whether there is more.
    const bytes = await readBytes(handle, limit + 1)
    const whole = bytes.length <= limit
    const kept = bytes.subarray(0, limit)
    // A stream's decoder keeps back a character that the cut went through.
    return { text: new TextDecoder().decode(kept, { stream: !whole }), bytes: kept.length, whole }
  } finally {
    await handle.close()
  }
}

/** At most `count` bytes; a single read may return fewer than there are. */
async function readBytes(handle: FileHandle, count: number): Promise<Uint8Array> {
  const buffer = new Uint8Array(count)
  let length = 0
  while (length < count) {
    const { bytesRead } = await handle.read(buffer, length, count - length, null)
    if (bytesRead === 0) break
    length += bytesRead
  }
  return buffer.subarray(0, length)
}

const MISSING = new Set(['ENOENT', 'ENOTDIR', 'ELOOP'])

async function ignoringMissing<T>(result: Promise<T>): Promise<T | null> {
  try {
    return await result
  } catch (error) {
    if (MISSING.has((error as NodeJS.ErrnoException).code ?? '')) return null
    throw error
  }
}
