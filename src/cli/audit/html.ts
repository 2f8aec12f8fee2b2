/**
 * `indelible audit --html`: the report as a page, in a file beside what is printed.
 *
 * A page that was written before is written over. Anything else that is there stays: it may be a log that was meant as a
 * path. The file is for its owner alone, as logs are.
 */
import { open, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { AuditReport } from '../../audit/index.ts'
import { PAGE_START, reportPage } from '../../audit/page/report-page.ts'
import { inSeconds } from '../../audit/words/in-seconds.ts'
import { unitFor } from '../../audit/words/unit.ts'
import { CommandError } from '../errors.ts'
import type { Output } from '../output.ts'

/** What of the command line decides where the page goes. */
export interface HtmlOptions {
  /** A file. */
  readonly html?: string
  /** Tokens a second, for seconds in place of dollars. */
  readonly prefill?: number
  readonly compare?: boolean
}

const MODE = 0o600

/** Throws {@link CommandError} where the page could not be written, before an audit is made for it. */
export async function checkHtml({ html, compare }: HtmlOptions): Promise<void> {
  if (html === undefined) return
  if (compare === true) throw new CommandError('--html is of one log, and cannot stand beside --compare.')
  await checkPlace(html)
}

/** Writes the page of `report`, and says where it is. Throws {@link CommandError} where that does not work. */
export async function giveHtml(report: AuditReport, { html, prefill }: HtmlOptions, output: Output): Promise<void> {
  if (html === undefined) return
  await checkPlace(html)
  const page = reportPage(prefill === undefined ? report : inSeconds(report, prefill), unitFor(prefill))
  await write(html, page).catch((cause: unknown) => {
    throw notWritten(html, cause)
  })
  output.writeError(`The report is in ${html}, as a page.\n`)
}

async function write(html: string, page: string): Promise<void> {
  const file = await open(html, 'w', MODE)
  try {
    // A page that was there may have been for others to read.
    await file.chmod(MODE)
    await file.writeFile(page)
  } finally {
    await file.close()
  }
}

async function checkPlace(html: string): Promise<void> {
  const known = await stat(html).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code !== 'ENOENT') throw notWritten(html, cause)
  })
  if (known === undefined) {
    const folder = await stat(dirname(html)).catch(() => undefined)
    if (folder?.isDirectory() !== true) throw new CommandError(`${html}: There is no folder ${dirname(html)}.`)
  } else if (!known.isFile()) {
    throw new CommandError(`${html} is no file. Give --html the name of a file for the page.`)
  } else if (known.size > 0 && !(await isPage(html))) {
    throw new CommandError(`${html} is there already, and is no page. Give --html the name of a new file.`)
  }
}

/** A file that cannot be read may hold anything. */
async function isPage(html: string): Promise<boolean> {
  const file = await open(html, 'r').catch(() => undefined)
  if (file === undefined) return false
  try {
    const { buffer, bytesRead } = await file.read(new Uint8Array(PAGE_START.length), 0, PAGE_START.length, 0)
    return new TextDecoder().decode(buffer.subarray(0, bytesRead)) === PAGE_START
  } finally {
    await file.close()
  }
}

function notWritten(html: string, cause: unknown): CommandError {
  return new CommandError(`The page cannot be written to ${html}: ${(cause as Error).message}`, { cause })
}
