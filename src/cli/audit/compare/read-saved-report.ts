/** Reports that were saved with `--json`, and how they are told from logs. */
import { open, readFile, stat, type FileHandle } from 'node:fs/promises'
import { readReport } from '../../../audit/compare/saved-report.ts'
import type { AuditReport } from '../../../audit/index.ts'
import { CommandError } from '../../errors.ts'

/** Bytes at the start of a file that are looked at. */
const HEAD = 4096

/** The first field of a report as it is printed, or with its fields sorted. */
const beginsLikeReport = /^\uFEFF?\s*\{\s*"(?:schema"\s*:\s*"indelible\.audit\/|anomalies"\s*:\s*\[)/

/** Reads `file`, which `name` stands for in messages. Throws {@link CommandError}. */
export async function readSavedReport(file: string, name: string): Promise<AuditReport> {
  return readReport(await readJson(file, name), name)
}

/** Whether the file at `path` begins like a report; false for folders, and for what cannot be read. */
export async function looksLikeReport(path: string): Promise<boolean> {
  let file: FileHandle | undefined
  try {
    // A pipe would wait for somebody to write, and give its text to one reader only.
    if (!(await stat(path)).isFile()) return false
    file = await open(path)
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD), 0, HEAD, 0)
    return beginsLikeReport.test(buffer.toString('utf8', 0, bytesRead))
  } catch {
    return false
  } finally {
    await file?.close()
  }
}

async function readJson(file: string, name: string): Promise<unknown> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (cause) {
    throw new CommandError(`${name} cannot be read: ${(cause as Error).message}`, { cause })
  }
  try {
    return JSON.parse(text.replace(/^\uFEFF/, '')) as unknown
  } catch (cause) {
    // The parser's message quotes the text, which may be anything.
    throw new CommandError(`${name} is no JSON. Save a report with indelible audit LOG --json.`, { cause })
  }
}
