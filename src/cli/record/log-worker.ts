/**
 * A thread for the log: making text of a body of megabytes would hold up every stream that passes. Bodies are handed over
 * and their text comes back, neither of them copied.
 *
 * The file is both sides, since a build finds what is imported: the thread is started on it again, and runs the part
 * below when it finds itself there.
 */
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import type { BodyPart } from './capture.ts'
import { requestPart, responsePart, type Ending, type Opening, type Reply } from './line.ts'
import { createHiding, type HideSecret } from './secrets.ts'

/** The first half of an exchange. */
export interface Begun {
  /** Tells exchanges of a run apart. */
  readonly id: number
  readonly opening: Opening
  readonly body: BodyPart
}

/** The second. */
export interface Ended {
  readonly id: number
  readonly reply: Reply | undefined
  readonly body: BodyPart
  readonly ending: Ending
}

/** To the thread; it ends itself when it is told to close. */
export type ToLog =
  | (Begun & { readonly type: 'begin' })
  | (Ended & { readonly type: 'end' })
  | { readonly type: 'close' }

/** From the thread: the text of a half. */
export interface FromLog {
  readonly id: number
  readonly half: 'begin' | 'end'
  readonly text: Uint8Array
}

/** What the thread is started with. */
interface Setup {
  readonly purpose: typeof PURPOSE
  /** What hashes of credentials are made with. */
  readonly secret: Uint8Array
}

const PURPOSE = 'indelible.record'

/** Starts the thread. */
export function startLogWorker(secret: Uint8Array): Worker {
  const setup: Setup = { purpose: PURPOSE, secret }
  return new Worker(new URL(import.meta.url), { workerData: setup, name: PURPOSE })
}

function run({ secret }: Setup, port: NonNullable<typeof parentPort>): void {
  const hide = createHiding(secret)
  port.on('message', (message: ToLog) => {
    if (message.type === 'close') port.close()
    else {
      const text = bytesOf(textOf(message, hide))
      const back: FromLog = { id: message.id, half: message.type, text }
      port.postMessage(back, [text.buffer])
    }
  })
}

function textOf(message: Exclude<ToLog, { readonly type: 'close' }>, hide: HideSecret): string {
  return message.type === 'begin'
    ? requestPart(message.opening, message.body, hide)
    : responsePart(message.reply, message.body, message.ending, hide)
}

/** In memory of its own, which can be handed over. */
function bytesOf(text: string): Buffer<ArrayBuffer> {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text))
  bytes.write(text)
  return bytes
}

if (!isMainThread && parentPort !== null && (workerData as Setup | null)?.purpose === PURPOSE) {
  run(workerData as Setup, parentPort)
}
