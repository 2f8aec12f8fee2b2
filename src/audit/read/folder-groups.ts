/**
 * Files that belong to a format which spreads its calls over a folder, collected until the folder is complete. Names
 * only bring them together; whether they are of that format is told from their content.
 */
import type { LogFile, LogReader } from './types.ts'

/** Files of one folder, and the format that their names suggest. */
export interface FolderGroup {
  /** Without a slash at the end; empty where the files have none. */
  readonly folder: string
  readonly reader: LogReader
  readonly files: readonly LogFile[]
}

/** Folder and name in a path. */
export function splitPath(path: string): { readonly folder: string; readonly name: string } {
  const slash = Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\'))
  return { folder: path.slice(0, Math.max(slash, 0)), name: path.slice(slash + 1) }
}

export class FolderGroups {
  readonly #readers: readonly LogReader[]
  readonly #groups = new Map<string, { folder: string; reader: LogReader; files: LogFile[] }>()

  constructor(readers: readonly LogReader[]) {
    this.#readers = readers.filter((reader) => 'member' in reader)
  }

  /** The format that a file may be a part of. */
  readerOf(path: string): LogReader | undefined {
    const { name } = splitPath(path)
    return this.#readers.find((reader) => reader.member?.(name))
  }

  add(reader: LogReader, file: LogFile): void {
    const { folder } = splitPath(file.name)
    const key = `${reader.id} ${folder}`
    const group = this.#groups.get(key) ?? { folder, reader, files: [] }
    group.files.push(file)
    this.#groups.set(key, group)
  }

  /** In the order of their first files. */
  all(): Iterable<FolderGroup> {
    return this.#groups.values()
  }
}
