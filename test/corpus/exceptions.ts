/**
 * Rows in which the audit and the table follow different rules. Each stands in a checked-in list with what the audit says
 * and the rule; the recording has to show that the rule applies. A row that differs and is not listed fails the run, and so
 * does one that is listed and agrees, or says something else by now.
 */
import type { Comparison } from './comparisons.ts'
import { nameOf } from './corpus-files.ts'
import type { Turn } from './replay.ts'

/** One line of a list. */
export interface Exception<Rule extends string> {
  /** The name of the recording, without its folder. */
  readonly file: string
  /** As the table numbers it. */
  readonly call: number
  /** What the audit says, in the words of the table. */
  readonly ours: string
  readonly rule: Rule
  /** One line for people. */
  readonly why: string
}

/** Rules by their names, each with what a recording shows where it applies. */
export type Rules<Rule extends string> = Readonly<Record<Rule, (comparison: Comparison) => boolean>>

/** What came of one recording, or of all. */
export interface Settled {
  readonly compared: number
  readonly agreeing: number
  /** Differences that are listed, one line each. */
  readonly listed: readonly string[]
  readonly problems: readonly string[]
}

/** Holds the comparisons of one recording against the lines for it; `what` names the list in problems. */
export function settle<Rule extends string>(
  what: string,
  comparisons: readonly Comparison[],
  exceptions: readonly Exception<Rule>[],
  rules: Rules<Rule>,
): Settled {
  const listed: string[] = []
  const problems: string[] = []
  const open = new Set(exceptions)
  for (const comparison of comparisons) {
    const { table, ours, turn } = comparison
    const exception = exceptions.find((each) => isFor(each, turn))
    if (exception !== undefined) open.delete(exception)
    const place = `${turn.call.file} #${turn.call.row}: ${what}: usage.csv has ${table}, the audit ${ours}`
    if (exception === undefined) {
      if (table !== ours) problems.push(`${place}; it is not listed`)
    } else if (table === ours) problems.push(`${place}; they agree, and it is listed`)
    else if (ours !== exception.ours) problems.push(`${place}; ${exception.ours} is listed`)
    else if (!rules[exception.rule](comparison))
      problems.push(`${place}; the recording does not show "${exception.rule}"`)
    else listed.push(`${place} (${exception.rule}: ${exception.why})`)
  }
  for (const { file, call } of open) problems.push(`${file} #${call}: ${what}: it is listed, and was not compared`)
  return { compared: comparisons.length, agreeing: comparisons.filter(agrees).length, listed, problems }
}

function isFor({ file, call }: Exception<string>, turn: Turn): boolean {
  return call === turn.call.row && file === nameOf(turn.call.file)
}

function agrees({ table, ours }: Comparison): boolean {
  return table === ours
}

/** The sum over recordings. */
export function addSettled(all: readonly Settled[]): Settled {
  return {
    compared: all.reduce((sum, { compared }) => sum + compared, 0),
    agreeing: all.reduce((sum, { agreeing }) => sum + agreeing, 0),
    listed: all.flatMap(({ listed }) => listed),
    problems: all.flatMap(({ problems }) => problems),
  }
}
