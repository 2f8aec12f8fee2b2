/**
 * The log of `indelible emulate`: a line for each request, for people on standard error or as JSON in a file. It holds
 * counts and reasons, and no texts of the conversation.
 *
 * A file that cannot be opened is an error at the start. One that fails later, as on a full disk, is told once and costs
 * lines, not answers; lines are written in the order in which requests were settled.
 */
import { open, type FileHandle } from 'node:fs/promises'
import type { LoggedRequest } from '../../emulator/index.ts'
import { clip, formatNumber } from '../layout.ts'
import { CommandError } from '../errors.ts'
import type { Output } from '../output.ts'

/** A line on a terminal may be broken, but goes on for no more than a few of them. */
const TEXT_WIDTH = 400

export interface RequestLog {
  /** Where it goes; standard error where there is none. */
  readonly file: string | undefined
  /** Never throws and never waits. */
  readonly write: (request: LoggedRequest) => void
  /** Waits for what is being written. */
  close(): Promise<void>
}

/** One line of the file. Tokens are not there where no model was asked, as for a refusal. */
export interface LogLine {
  readonly schema: 'indelible.emulate/1'
  /** When it arrived, ISO 8601. */
  readonly at: string
  /** From 1, in the order of arrival. */
  readonly number: number
  /** As `anthropic`, `openai-chat`. */
  readonly endpoint: string
  readonly method: string
  readonly path: string
  /** Tells accounts apart while the emulator runs. */
  readonly account: string
  readonly model: string
  readonly stream: boolean
  /** 499 when the client hung up. */
  readonly status: number | null
  readonly total?: number
  readonly read?: number
  readonly written?: number
  readonly uncached?: number
  /** Why it was refused. */
  readonly error?: string
}

type Tokens = Required<Pick<LogLine, 'total' | 'read' | 'written' | 'uncached'>>

/** Opens the file, if there is to be one. Throws {@link CommandError} where it cannot be written. */
export async function createLog(file: string | undefined, output: Output): Promise<RequestLog> {
  if (file === undefined) {
    return { file, write: (request) => output.writeError(`${toText(request)}\n`), close: async () => {} }
  }
  let handle: FileHandle
  try {
    handle = await open(file, 'a')
  } catch (cause) {
    throw new CommandError(`The log ${file} cannot be written: ${(cause as Error).message}. Give another with --log.`, {
      cause,
    })
  }
  return fileLog(file, handle, output)
}

/** A log in an open file. */
export function fileLog(file: string, handle: Pick<FileHandle, 'appendFile' | 'close'>, output: Output): RequestLog {
  let last: Promise<void> = Promise.resolve()
  let warned = false
  const warn = (error: unknown): void => {
    if (!warned) {
      output.writeError(
        `indelible: The log ${file} is not complete: ${(error as Error).message}. Requests are answered.\n`,
      )
    }
    warned = true
  }
  return {
    file,
    write(request) {
      const line = `${JSON.stringify(toLine(request))}\n`
      last = last.then(() => handle.appendFile(line)).catch(warn)
    },
    async close() {
      await last
      await handle.close().catch(warn)
    },
  }
}

/** What the log says of a request. */
export function toLine(request: LoggedRequest): LogLine {
  const { startedAt: at, number, endpoint, method, path, account, model, stream, status } = request
  const about = { at, number, endpoint, method, path, account, model, stream, status }
  const { error } = request
  return {
    schema: 'indelible.emulate/1',
    ...about,
    ...tokensOf(request),
    ...(error === null ? {} : { error: messageOf(error) }),
  }
}

/** The same on one line of a terminal. */
export function toText(request: LoggedRequest): string {
  const { startedAt, endpoint, method, path, model, status, error } = request
  const tokens = tokensOf(request)
  const counts =
    tokens &&
    `${formatNumber(tokens.total)} tokens: ${formatNumber(tokens.read)} read, ` +
      `${formatNumber(tokens.written)} written, ${formatNumber(tokens.uncached)} uncached`
  const outcome = error === null ? (counts ?? `${method} ${path}`) : messageOf(error)
  return clip([startedAt, endpoint, model, status, outcome].filter((part) => part !== '').join(' '), TEXT_WIDTH)
}

function tokensOf({ prediction }: LoggedRequest): Tokens | undefined {
  if (prediction === null) return undefined
  const { total, read, write5m, write30m, write1h, uncached } = prediction.usage
  return { total, read, written: write5m + write30m + write1h, uncached }
}

/** The message of a refusal, which every API has at the same place. */
function messageOf(error: LoggedRequest['error']): string {
  const { message } = (error as { readonly error?: { readonly message?: unknown } }).error ?? {}
  return typeof message === 'string' ? message : JSON.stringify(error)
}
