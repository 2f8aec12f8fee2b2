/**
 * The files that a command line names: as they are, folders with all that is in them, and `-` for standard input.
 *
 * Each file is there once, however many names and links lead to it, and a link that leads back into its own folder ends
 * there. What lies in a folder and cannot be opened is listed all the same, so that the audit can name it.
 */
import { createReadStream, type Stats } from 'node:fs'
import { readdir, realpath, stat } from 'node:fs/promises'
import type { LogFile } from '../../audit/index.ts'
import { CommandError } from '../errors.ts'

/** Standard input, by the name that stands for it. */
const STDIN = '-'

/** Folders that hold programs and not logs. */
const skippedFolders = new Set(['node_modules', '.git', '.hg', '.svn', '.venv', '__pycache__'])
/** Ends of names that no log has. */
const skippedFiles =
  /\.(?:png|jpe?g|gif|webp|ico|svg|pdf|mp[34]|mov|webm|woff2?|ttf|otf|wasm|so|dylib|dll|exe|node|class|jar|pyc|o|a)$/i

/** Finds them, in the order of the paths and of the names in a folder. Throws {@link CommandError} for a path that leads nowhere. */
export async function findFiles(
  paths: readonly string[],
  stdin: AsyncIterable<Uint8Array>,
): Promise<readonly LogFile[]> {
  const files: LogFile[] = []
  const seen = new Set<string>()
  for (const path of paths) {
    if (path !== STDIN) await find(path, files, seen)
    else if (!seen.has(STDIN)) files.push(standardInput(stdin))
    if (path === STDIN) seen.add(STDIN)
  }
  return files
}

async function find(path: string, files: LogFile[], seen: Set<string>): Promise<void> {
  const found = await stat(path).catch((cause: NodeJS.ErrnoException) => {
    const why = cause.code === 'ENOENT' ? 'There is no such file or folder' : `It cannot be read (${cause.code})`
    throw new CommandError(`${path}: ${why}. Give logs, folders with logs, or - for standard input.`, { cause })
  })
  if (found.isDirectory()) {
    await readdir(path).catch((cause: NodeJS.ErrnoException) => {
      throw new CommandError(`${path}: The folder cannot be read (${cause.code}).`, { cause })
    })
    await walk(path, files, seen)
  } else if (await isNew(path, seen)) files.push(fileAt(path, found))
}

/** Adds what lies in a folder. */
async function walk(folder: string, files: LogFile[], seen: Set<string>): Promise<void> {
  if (!(await isNew(folder, seen))) return
  let names: string[]
  try {
    names = (await readdir(folder)).sort()
  } catch {
    files.push(fileAt(folder, undefined))
    return
  }
  for (const name of names) {
    const path = `${folder.replace(/[/\\]+$/, '')}/${name}`
    // A link that leads nowhere has no target to ask.
    const found = await stat(path).catch(() => undefined)
    if (found?.isDirectory() === true) {
      if (!skippedFolders.has(name)) await walk(path, files, seen)
    } else if ((found === undefined || found.isFile()) && !skippedFiles.test(name) && (await isNew(path, seen))) {
      files.push(fileAt(path, found))
    }
  }
}

async function isNew(path: string, seen: Set<string>): Promise<boolean> {
  const real = await realpath(path).catch(() => path)
  if (seen.has(real)) return false
  seen.add(real)
  return true
}

/** Bytes that are read at once. */
const CHUNK = 1_048_576

/** The file at `path`, to be opened when it is read; of one that cannot be looked at, nothing was found. */
export function fileAt(path: string, found: Stats | undefined): LogFile {
  return {
    name: path.replaceAll('\\', '/'),
    // A pipe has no size.
    ...(found?.isFile() === true && { size: found.size }),
    async *open() {
      yield* createReadStream(path, { highWaterMark: CHUNK }) as AsyncIterable<Uint8Array>
    },
  }
}

function standardInput(stdin: AsyncIterable<Uint8Array>): LogFile {
  let opened = false
  return {
    name: STDIN,
    async *open() {
      if (opened) throw new Error('standard input can be read once only; save it to a file first')
      opened = true
      yield* stdin
    },
  }
}
