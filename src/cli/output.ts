/** Where a command writes, and whether in colours. */
import { styleText } from 'node:util'
import { printable, printableLine } from './printable.ts'

/** The two streams of a command. */
export interface Output {
  /** Writes `text` as it is. What comes from outside has been through {@link printable}. */
  write(text: string): void
  /** Writes `text`, made printable, to the stream for messages. */
  writeError(text: string): void
  /** Whether {@link write} may be given colours. */
  readonly colors: boolean
  /**
   * Shows `line`, made printable, in place of the one that it showed last, and nothing for an empty one. Only where the
   * stream for messages is a terminal.
   */
  readonly status?: ((line: string) => void) | undefined
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
    ...(stderr.isTTY === true && { status: (line: string) => void stderr.write(`\r\u001b[K${printableLine(line)}`) }),
  }
}

/**
 * The output of this process. A reader of standard output that stops reading (`| head`) ends it without a message; where
 * nobody reads standard error, nothing is said there. Output that cannot be written (a full disk) ends it with exit code 2.
 */
export function processOutput(): Output {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (stream === process.stderr) return
      if (error.code === 'EPIPE') process.exit()
      process.stderr.write(`indelible: The output cannot be written (${error.code ?? error.message}).\n`)
      process.exit(2)
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

export type Color = 'bold' | 'dim' | 'green' | 'red' | 'yellow'

/** Puts text into a colour; or, where there are none, returns it as it is. */
export type Paint = (color: Color, text: string) => string

export function createPaint(colors: boolean): Paint {
  if (!colors) return (_, text) => text
  return (color, text) => (text === '' ? '' : styleText(color, text, { validateStream: false }))
}
