/** The result of a run, for people: what was read, a summary per provider, a line per miss, and what is accepted. */
import { coldReason, missClass } from './categories.ts'
import type { Settled } from './exceptions.ts'
import type { FileOutcome } from './file-outcomes.ts'
import { readOf, type Turn } from './replay.ts'
import type { Judged, Result } from './run.ts'

/** One condition that the run must meet. */
export interface Acceptance {
  readonly line: string
  /** `open` where the recordings have nothing to judge by. */
  readonly outcome: 'passed' | 'failed' | 'open'
}

// What the acceptance asks of a provider's warm turns, as a share of them.
const asked: readonly (readonly [string, number])[] = [
  ['anthropic', 1],
  ['openai', 0.9],
]

/**
 * Whether enough warm turns are right, for each provider of which something is asked; whether every file reads or says
 * why not; and whether all differences to the table are listed.
 */
export function acceptance({ judged, files, hasTable, divergences, parents }: Result): Acceptance[] {
  return [
    ...warmTurns(judged),
    filesLine(files),
    comparedLine('divergences', divergences, hasTable),
    comparedLine('parents', parents, hasTable),
  ]
}

function warmTurns(judged: readonly Judged[]): Acceptance[] {
  return asked.map(([provider, share]) => {
    const warm = judged.filter(({ turn, category }) => turn.call.provider === provider && category === 'warm')
    const hits = warm.filter(({ hit }) => hit).length
    const wanted = share === 1 ? 'all' : `at least ${share * 100} %`
    return {
      line: `${provider}: ${ratio(hits, warm.length)} of the warm turns (${wanted} are asked)`,
      outcome: warm.length === 0 ? 'open' : hits >= share * warm.length ? 'passed' : 'failed',
    }
  })
}

function filesLine(files: readonly FileOutcome[]): Acceptance {
  const read = files.filter(({ reason }) => reason === null).length
  const silent = files.filter(({ problem }) => problem !== null).length
  return {
    line: `files: ${read} of ${files.length} read, ${files.length - read - silent} say why not, ${silent} not in order`,
    outcome: silent === 0 ? 'passed' : 'failed',
  }
}

function comparedLine(what: string, { compared, agreeing, listed, problems }: Settled, hasTable: boolean): Acceptance {
  const others = `${listed.length} listed with the rule, ${problems.length} not in order`
  return {
    line: `${what}: ${compared} rows compared, ${agreeing} agree with usage.csv, ${others}`,
    outcome: hasTable ? (problems.length === 0 ? 'passed' : 'failed') : 'open',
  }
}

/** The report, line by line. */
export function reportLines(result: Result, { verbose }: { readonly verbose: boolean }): string[] {
  const providers = [...new Set(result.judged.map(({ turn }) => turn.call.provider))].sort()
  return [
    `${result.recordings} recordings with ${result.judged.length} calls`,
    ...(result.hasTable ? [] : ['No usage.csv: streams are guessed, and nothing is compared with it.']),
    ...providers.flatMap((provider) => [
      '',
      ...providerLines(
        provider,
        result.judged.filter(({ turn }) => turn.call.provider === provider),
        verbose,
      ),
    ]),
    ...section('Files', fileLines(result.files)),
    ...section('Calls without a row of their own', result.withoutRow.map(withoutRowLine)),
    ...section('Divergences by another rule than that of usage.csv', result.divergences.listed),
    ...section('Parents by another rule than that of usage.csv', result.parents.listed),
    ...section(
      'Listed, without their recording',
      result.unused.map(({ file, call }) => `${file}, call ${call}`),
    ),
    ...section('Problems', result.problems),
    ...section(
      'Acceptance',
      acceptance(result).map(({ line, outcome }) => `${outcome === 'failed' ? 'FAILED' : outcome}  ${line}`),
    ),
  ]
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', title, ...lines.map((line) => `  ${line}`)]
}

function fileLines(files: readonly FileOutcome[]): string[] {
  return files.flatMap(({ file, calls, withoutBody, leftOut, reason }) => {
    if (reason !== null) return [`not read  ${file}: ${reason}`]
    return [
      ...(withoutBody === 0 ? [] : [`read      ${file}: ${withoutBody} of ${calls} calls without a body to play`]),
      ...leftOut.map((why) => `in part   ${file}: ${why}`),
    ]
  })
}

function withoutRowLine({ call: { file, index, exchange } }: Turn): string {
  const why =
    exchange.response === undefined ? 'no answer was recorded' : 'its row is that of the last call on the line'
  return `${file} #${index}: ${why}`
}

function providerLines(provider: string, judged: readonly Judged[], verbose: boolean): string[] {
  const of = (category: Judged['category']): Judged[] => judged.filter((each) => each.category === category)
  const [warm, cold, started] = [of('warm'), of('cold'), of('starts-warm')]
  const misses = warm.filter(({ hit }) => !hit)
  const silent = of('without-usage').length
  return [
    provider,
    `  warm turns            ${ratio(count(warm), warm.length)} predicted`,
    `  cold or unmarked      ${cold.length}${coldReasons(cold)}, ${cold.filter(predictsNothing).length} predicted 0`,
    `  in logs that start warm  ${started.length}, ${count(started)} predicted`,
    `  excluded              ${of('excluded').length}`,
    ...(silent === 0 ? [] : [`  without usage         ${silent}`]),
    ...cold.filter((each) => !predictsNothing(each)).map((each) => `  cold, but not predicted 0  ${turnLine(each)}`),
    ...misses.map((each) => `  miss  ${turnLine(each)}: ${missClass(each.turn)}`),
    ...(verbose ? judged.map((each) => `    ${each.hit ? ' ' : '×'} ${categoryLabel(each)}  ${turnLine(each)}`) : []),
  ]
}

function count(judged: readonly Judged[]): number {
  return judged.filter(({ hit }) => hit).length
}

function predictsNothing({ turn }: Judged): boolean {
  return turn.prediction.usage.read === 0
}

function coldReasons(cold: readonly Judged[]): string {
  const reasons = cold.map(({ turn }) => coldReason(turn) ?? '')
  const counted = [...new Set(reasons)].map((reason) => `${reasons.filter((each) => each === reason).length} ${reason}`)
  return counted.length === 0 ? '' : ` (${counted.join(', ')})`
}

function categoryLabel({ turn, category }: Judged): string {
  return category === 'cold' ? `cold, ${coldReason(turn) ?? ''}` : category
}

function turnLine({ turn }: Judged): string {
  const { usage, range, hit } = turn.prediction
  const reported = turn.reported.read === undefined ? '– (not reported)' : number(readOf(turn))
  const ends = `${number(range.least)}–${number(range.most)}`
  const place = hit === null ? '' : `, through ${hit.path}`
  return `${turn.call.file} #${turn.call.index}: predicted ${number(usage.read)}${place}, reported ${reported}, range ${ends}, total ${number(turn.reported.total ?? 0)} (estimated ${number(usage.total)})`
}

function ratio(part: number, whole: number): string {
  return whole === 0 ? '0 of 0' : `${part} of ${whole} (${Math.round((100 * part) / whole)} %)`
}

function number(value: number): string {
  return value === Infinity ? '∞' : Math.round(value).toLocaleString('en-US')
}
