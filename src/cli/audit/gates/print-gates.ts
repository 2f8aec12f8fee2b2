/** What became of the gates, in short lines of 80 columns: a figure and its limit each, then where most was lost. */
import type { AuditReport, GateCheck, GateCulprit, GatesResult, GateTurn } from '../../../audit/index.ts'
import { formatNumber, WIDTH, wrap } from '../../layout.ts'
import type { Paint } from '../../output.ts'
import { formatCount, formatShare, short } from '../print/amounts.ts'
import { middleOut, placeOf } from '../print/place.ts'

/** New culprits that are named. */
const CULPRITS = 10
/** What stands below a gate. */
const INDENT = ' '.repeat(8)
/** Columns of a place in the list of turns, at most. */
const PLACE = 34

/** What it came to, as text; every text in it comes out printable. */
export function printGates(result: GatesResult, { culprits }: Pick<AuditReport, 'culprits'>, paint: Paint): string {
  const { outcome, comparableTurns, minTurns, checks, worstTurns } = result
  const turns = formatCount(comparableTurns, 'comparable turn')
  if (outcome === 'too-few-turns') {
    const why = `${turns}, and ${formatNumber(minTurns)} are needed. A turn is comparable when it continues another one and the log has its whole request.`
    return `${wrap(`Gates: nothing can be said: ${why}`, WIDTH)
      .map((line) => paint('yellow', line))
      .join('\n')}\n`
  }
  const word = outcome === 'passed' ? paint('green', 'ok') : paint('red', 'FAILED')
  const lossFailed = checks.some(({ gate, passed }) => !passed && gate !== 'baseline-culprits')
  const lines = [
    `${paint('bold', 'Gates')}: ${word}, by the rules of the provider, over ${turns}`,
    ...checks.flatMap((check) => checkLines(check, paint)),
    ...(lossFailed ? turnLines(worstTurns, culprits) : []),
  ]
  return `${lines.join('\n')}\n`
}

function checkLines(check: GateCheck, paint: Paint): string[] {
  const [name, text] = textOf(check)
  const word = check.passed ? paint('green', 'ok    ') : paint('red', 'FAILED')
  const line = `${word}  ${short(`${name.padEnd(18)}${text}`, WIDTH - 8)}`
  if (check.gate !== 'baseline-culprits') return [line]
  const named = check.new.slice(0, CULPRITS).flatMap((culprit) => culpritLines(culprit))
  const left = check.new.length - Math.min(CULPRITS, check.new.length)
  return [line, ...named, ...(left > 0 ? [`${INDENT}… and ${formatNumber(left)} more`] : [])]
}

function culpritLines({ id, kind, path, resembles }: GateCulprit): string[] {
  const start = `${INDENT}${short(kind, 20)} at `
  const end = ` (${short(id, 30)})`
  const line = start + middleOut(path, WIDTH - Array.from(start + end).length) + end
  if (resembles === null) return [line]
  return [line, short(`${INDENT}  perhaps ${short(resembles, 30)}, with other text around: then save a new one`, WIDTH)]
}

function textOf(check: GateCheck): readonly [name: string, text: string] {
  switch (check.gate) {
    case 'max-rewritten-tokens':
      return ['rewritten tokens', `${formatTokens(check.tokens)}; at most ${formatTokens(check.limit)}`]
    case 'min-hit-rate': {
      const { hitRate, reusable, limit } = check
      const rate =
        hitRate === null
          ? 'nothing could be read'
          : `${formatExact(hitRate, check)} of ${formatTokens(reusable)} reusable tokens`
      return ['hit rate', `${rate}; at least ${formatExact(limit, check)}`]
    }
    case 'baseline-culprits':
      return [
        'culprits',
        check.passed
          ? 'none that the baseline does not have'
          : `${formatNumber(check.new.length)} that the baseline does not have:`,
      ]
    case 'baseline-loss': {
      const { tokensPerTurn, baselineTokensPerTurn: before } = check
      const change = before === 0 ? '' : ` (${signed((100 * (tokensPerTurn - before)) / before)} %)`
      return [
        'loss per turn',
        `${formatTokens(tokensPerTurn)} tokens; ${formatTokens(before)} in the baseline${change}`,
      ]
    }
  }
}

/** Where most was lost, why, and by which culprit. */
function turnLines(turns: readonly GateTurn[], culprits: AuditReport['culprits']): string[] {
  if (turns.length === 0) return []
  const places = turns.map(({ source }) => placeOf(source, PLACE))
  const width = Math.max(...places.map((place) => Array.from(place).length))
  const tokens = turns.map((turn) => formatCount(Math.round(turn.tokens), 'token'))
  const most = Math.max(...tokens.map(({ length }) => length))
  const rows = turns.map((turn, index) => {
    const place = places[index] ?? ''
    const start = `  ${place}${' '.repeat(width - Array.from(place).length)}  ${(tokens[index] ?? '').padStart(most)}  `
    return start + reasonOf(turn, culprits, WIDTH - Array.from(start).length)
  })
  return ['Worst turns:', ...rows]
}

function reasonOf({ losses, culprits: ids }: GateTurn, culprits: AuditReport['culprits'], width: number): string {
  const names = losses.map(({ reason, parameters }) =>
    reason === 'scope' && parameters.length > 0 ? `scope (${parameters.join(', ')})` : reason,
  )
  const why = short(names.join(', '), width)
  const culprit = culprits.find(({ id }) => id === ids[0])
  if (culprit === undefined) return why
  const start = `${why}: ${culprit.kind} at `
  const room = width - Array.from(start).length
  return room < 8 ? why : start + middleOut(culprit.path, room)
}

function formatTokens(tokens: number): string {
  return formatNumber(Math.round(tokens))
}

/** A share, in as many digits as it takes to tell the figure from its limit. */
function formatExact(
  share: number,
  { hitRate, limit }: { readonly hitRate: number | null; readonly limit: number },
): string {
  const digits =
    [1, 2, 3].find((count) => hitRate === limit || percent(hitRate ?? 0, count) !== percent(limit, count)) ?? 4
  return digits === 1 ? formatShare(share) : `${percent(share, digits)} %`
}

function percent(share: number, digits: number): string {
  return (100 * share).toFixed(digits)
}

function signed(value: number): string {
  return `${value < 0 ? '' : '+'}${value.toFixed(1)}`
}
