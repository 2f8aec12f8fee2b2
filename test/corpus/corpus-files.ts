/**
 * A folder as the audit reads it, file by file: the calls in each, and what of it was not read, with the reason. Every
 * file is listed, whatever it is; what becomes of those without a call is decided in {@link ./file-outcomes.ts}.
 */
import { Readable } from 'node:stream'
import type { Exchange } from '../../src/audit/exchange.ts'
import { readLogs } from '../../src/audit/read/read-log.ts'
import type { Unread } from '../../src/audit/read/types.ts'
import { findFiles } from '../../src/cli/audit/files.ts'

/** One file and what is in it; of an archive, what is in all of its members. */
export interface CorpusFile {
  /** Relative to the folder, with `/` between folders. */
  readonly name: string
  /** In the order of the file. */
  readonly exchanges: readonly Exchange[]
  readonly unread: readonly Unread[]
}

/** Reads all files below `folder`, in the order of their names. Throws where it cannot be listed or holds no call. */
export async function readCorpus(folder: string): Promise<readonly CorpusFile[]> {
  const root = folder.replace(/[/\\]+$/, '')
  const found = await findFiles([folder], Readable.from([]))
  const files = found.map((file) => ({ ...file, name: file.name.slice(root.length + 1) }))
  const read = new Map<string, { name: string; exchanges: Exchange[]; unread: Unread[] }>()
  for (const { name } of files) read.set(name, { name, exchanges: [], unread: [] })
  const onUnread = (problem: Unread): void => void read.get(fileOf(problem.file, read))?.unread.push(problem)
  for await (const exchange of readLogs(files, { onUnread })) {
    read.get(fileOf(exchange.source.file, read))?.exchanges.push(exchange)
  }
  return [...read.values()]
}

/** The file that a name belongs to: itself, or the archive that it is a member of. */
function fileOf(name: string, files: ReadonlyMap<string, unknown>): string {
  let file = name
  while (!files.has(file) && file.includes('/')) file = file.slice(0, file.lastIndexOf('/'))
  return file
}

/** Without its folder, as the checked-in lists name it. */
export function nameOf(file: string): string {
  return file.replace(/^.*\//, '')
}
