/** Where a command writes, and whether in colours. */
import { styleText } from 'node:util'
import { printable } from './printable.ts'

/** The two streams of a command. */
export interface Output {
  /** Writes `text` as it is. What comes from outside has been through {@link printable}. */
  write(text: string): void
  /** Writes `text`, made printable, to the stream for messages. */
  writeError(text: string): void
  /** Whether {@link write} may be given colours. */
  readonly colors: boolean
}

/** What is read of a stream. */
interface Stream {
  readonly isTTY?: boolean
  write(text: string): unknown
}

export type Environment = Readonly<Record<string, string | undefined>>

/** An output on two streams. */
export function createOutput(stdout: Stream, stderr: Stream, environment: Environment): Output {
  return {
    write: (text) => void stdout.write(text),
    writeError: (text) => void stderr.write(printable(text)),
    colors: wantsColors(stdout, environment),
  }
}

/**
 * The output of this process. A reader of standard output that stops reading (`| head`) ends it without a message; where
 * nobody reads standard error, nothing is said there.
 */
export function processOutput(): Output {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error
      if (stream === process.stdout) process.exit()
    })
  }
  return createOutput(process.stdout, process.stderr, process.env)
}

/** On a terminal, unless `NO_COLOR` is set; anywhere, when `FORCE_COLOR` is set to anything but 0, which wins as it does in Node. */
export function wantsColors(stream: { readonly isTTY?: boolean }, environment: Environment): boolean {
  const forced = environment['FORCE_COLOR']
  if (forced !== undefined) return forced !== '0' && forced !== 'false'
  if ((environment['NO_COLOR'] ?? '') !== '' || environment['TERM'] === 'dumb') return false
  return stream.isTTY === true
}

export type Color = 'bold' | 'dim' | 'green' | 'red'

/** Puts text into a colour; or, where there are none, returns it as it is. */
export type Paint = (color: Color, text: string) => string

export function createPaint(colors: boolean): Paint {
  if (!colors) return (_, text) => text
  return (color, text) => (text === '' ? '' : styleText(color, text, { validateStream: false }))
}
