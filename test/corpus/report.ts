/** The result of a run, for people: a summary per provider, a line per miss, and what is accepted. */
import { coldReason, missClass } from './categories.ts'
import { readOf } from './replay.ts'
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

/** Whether enough warm turns are right, for each provider of which something is asked. */
export function acceptance({ judged }: Result): Acceptance[] {
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

/** The report, line by line. */
export function reportLines(result: Result, { verbose }: { readonly verbose: boolean }): string[] {
  const providers = [...new Set(result.judged.map(({ turn }) => turn.call.provider))].sort()
  return [
    `${result.recordings} recordings with ${result.judged.length} calls`,
    ...(result.hasTable ? [] : ['No usage.csv: streams are guessed, and nobody checks how usage is read.']),
    ...providers.flatMap((provider) => [
      '',
      ...providerLines(
        provider,
        result.judged.filter(({ turn }) => turn.call.provider === provider),
        verbose,
      ),
    ]),
    ...section(
      'No bodies',
      result.withoutBodies.map(({ file, reason }) => `${file}: ${reason}`),
    ),
    ...section(
      'Exclusions without their recording',
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
