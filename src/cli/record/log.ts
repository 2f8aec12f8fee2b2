/**
 * The file that exchanges are written to: one line each, in the order in which they end. A thread makes the text of what
 * is long; what is short, and the writing, is done here, so that nobody has to wake up between the end of an answer and
 * its line.
 *
 * A file that cannot be opened is an error at the start. One that fails later (a full disk) is told once and costs lines,
 * never an answer. Only files are taken: what is read by somebody else, as a pipe, could hold up what is written.
 */
import { randomBytes } from 'node:crypto'
import { open, stat, type FileHandle } from 'node:fs/promises'
import { CommandError } from '../errors.ts'
import type { BodyPart } from './capture.ts'
import { pairsOf } from './headers.ts'
import { LineFile, type Piece } from './line-file.ts'
import { requestPart, responsePart } from './line.ts'
import { startLogWorker, type Begun, type Ended, type FromLog, type ToLog } from './log-worker.ts'
import { createHiding } from './secrets.ts'

/** Takes exchanges, half by half. */
export interface LineSink {
  begin(begun: Begun): void
  /** Resolves when the line is in the file, or lost. Never rejects. */
  end(ended: Ended): Promise<void>
}

/** An open log. */
export interface RecordLog extends LineSink {
  readonly file: string
  /** Lines that were written. */
  readonly lines: number
  /** Lines that could not be. */
  readonly lost: number
  /** Waits for what is being written. */
  close(): Promise<void>
}

/** Only its owner may read it: it has whole prompts in it. */
const MODE = 0o600

/** Bytes of a body whose text is made here: in less time than it takes to wake a thread up on a busy machine. */
const SHORT = 262_144

/** Makes the file. Throws {@link CommandError} where it cannot be made, or holds something already. */
export async function createRecordLog(file: string, warn: (message: string) => void): Promise<RecordLog> {
  return recordLog(file, await openNew(file), warn)
}

async function openNew(file: string): Promise<FileHandle> {
  const there = await stat(file).catch(() => undefined)
  if (there?.isFIFO() === true || there?.isSocket() === true) {
    throw new CommandError(
      `The log ${file} is no file: whoever reads from it could hold up requests. Give one with --out.`,
    )
  }
  if (there?.isFile() === true && there.size > 0) {
    throw new CommandError(
      `The log ${file} is there already, and a run is audited by itself. Give a new file with --out.`,
    )
  }
  try {
    return await open(file, 'a', MODE)
  } catch (cause) {
    throw new CommandError(`The log ${file} cannot be written: ${(cause as Error).message}. Give another with --out.`, {
      cause,
    })
  }
}

/** The halves of a line, and whom to tell when it is written. */
interface Pending {
  begin?: Piece
  end?: Piece
  settle?: () => void
}

/** A log in an open file. */
function recordLog(file: string, handle: FileHandle, warn: (message: string) => void): RecordLog {
  const secret = randomBytes(32)
  const hide = createHiding(secret)
  const worker = startLogWorker(secret)
  const written = new LineFile(handle.fd)
  const pending = new Map<number, Pending>()
  let lines = 0
  let lost = 0
  let isOver = false
  const lose = (why: string): void => {
    if (lost++ === 0) warn(`The log ${file} is not complete: ${why}. Requests go on as before.`)
  }
  const write = (id: number, { begin, end, settle }: Pending): void => {
    if (begin === undefined || end === undefined || settle === undefined) return
    pending.delete(id)
    try {
      written.append(begin, end)
      lines++
    } catch (error) {
      lose((error as Error).message)
    }
    settle()
  }
  const stopped = new Promise<void>((resolve) => {
    worker.once('exit', () => {
      isOver = true
      for (const { settle } of pending.values()) {
        if (settle === undefined) continue
        lose(gone)
        settle()
      }
      pending.clear()
      resolve()
    })
  })
  worker.on('error', (error) => lose(error.message))
  worker.on('message', ({ id, half, text }: FromLog) => {
    const found = pending.get(id)
    if (found === undefined) return
    found[half] = text
    write(id, found)
  })
  const tell = (message: ToLog, transferred: ArrayBuffer[]): void => worker.postMessage(message, transferred)
  return {
    file,
    get lines() {
      return lines
    },
    get lost() {
      return lost
    },
    begin(begun) {
      const { id, opening, body } = begun
      if (isShort(body, opening.rawHeaders)) {
        pending.set(id, { begin: requestPart(opening, body, hide) })
      } else {
        pending.set(id, {})
        tell({ type: 'begin', ...begun }, [body.bytes.buffer])
      }
    },
    end(ended) {
      const { id, reply, body, ending } = ended
      const found = pending.get(id)
      if (isOver || found === undefined) {
        lose(gone)
        return Promise.resolve()
      }
      return new Promise((resolve) => {
        found.settle = resolve
        if (isShort(body, reply?.rawHeaders ?? [])) found.end = responsePart(reply, body, ending, hide)
        else tell({ type: 'end', ...ended }, [body.bytes.buffer])
        write(id, found)
      })
    },
    async close() {
      tell({ type: 'close' }, [])
      await stopped
      await handle.close().catch((error: Error) => lose(error.message))
    },
  }
}

const gone = 'what makes its lines has ended'

/** What is packed may unpack to anything, and is not counted as short. */
function isShort({ bytes }: BodyPart, rawHeaders: readonly string[]): boolean {
  const isPacked = pairsOf(rawHeaders).some(([name]) => name.toLowerCase() === 'content-encoding')
  return bytes.length <= SHORT && !isPacked
}
