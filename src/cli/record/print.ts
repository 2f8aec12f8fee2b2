/** What `indelible record` says of itself: how to reach it, and in the end where the log is. */
import { formatNumber } from '../layout.ts'
import { printable } from '../printable.ts'

/** The lines to set, for programs that are started elsewhere. */
export function printAddresses(url: string, variables: Readonly<Record<string, string>>, file: string): string {
  const lines = Object.entries(variables).map(([name, value]) => `  export ${name}=${value}`)
  return printable(
    [
      `Recording on ${url}. Stop with Ctrl-C: what was recorded is audited then.`,
      '',
      ...lines,
      '',
      `Exchanges are written to ${file}.`,
      '',
      '',
    ].join('\n'),
  )
}

/** What a run has left. */
export interface Outcome {
  readonly file: string
  /** Exchanges in the log. */
  readonly lines: number
  /** Exchanges that could not be written. */
  readonly lost: number
  /** Bodies that were too large to be kept whole. */
  readonly cut: number
}

/** Where the log is, and what it lacks. */
export function printOutcome({ file, lines, lost, cut }: Outcome): string {
  const lacks = [
    ...(cut === 0 ? [] : [`of ${counted(cut, 'body', 'bodies')} only a part`]),
    ...(lost === 0 ? [] : [`nothing of ${counted(lost, 'exchange', 'exchanges')}, which could not be written`]),
  ]
  const has = lacks.length === 0 ? '' : ` It has ${lacks.join(', and ')}.`
  return `\nRecorded: ${counted(lines, 'exchange', 'exchanges')}.${has}\n  indelible audit ${quoted(file)}\n`
}

function counted(count: number, one: string, many: string): string {
  return `${formatNumber(count)} ${count === 1 ? one : many}`
}

/** As a shell takes it. */
function quoted(file: string): string {
  return /^[\w./@%+:,-]+$/.test(file) ? file : `'${file.replaceAll("'", String.raw`'\''`)}'`
}
