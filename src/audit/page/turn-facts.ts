/** All that a report knows of one turn. */
import type { AuditTokens, AuditTurn } from '../report/types.ts'
import { formatCount, formatDuration, formatNumber, formatShare } from '../words/amounts.ts'
import { meanings } from '../words/meanings.ts'
import { costOf } from '../words/turn.ts'
import type { Unit } from '../words/unit.ts'
import { factList, type Fact } from './facts.ts'
import { element, type Child, type Markup } from './markup.ts'
import type { Numbering } from './numbering.ts'
import { placeInLog } from './place-in-log.ts'
import { reportText } from './texts.ts'

/** The facts of `turn`, those first that a glance is for. */
export function turnFacts(turn: AuditTurn, numbering: Numbering): Markup {
  const { verdict, confidence, reproduced, providerReason, model, lost, rewrittenTokens } = turn
  const { requestId, responseId, startedAt, gapSeconds, ttlSeconds } = turn
  const { unit } = numbering
  const sure = confidence === 1 ? '' : ` (confidence ${formatShare(confidence)})`
  return factList([
    ['verdict', `${verdict}: ${meanings[verdict]}${sure}`],
    ['because', reasonsOf(turn)],
    ...divergenceFacts(turn),
    ['differs in', culpritsOf(turn, numbering)],
    ['tokens', tokensInWords(turn.tokens)],
    ['by the rules', predictionOf(turn)],
    ['lost', lost.tokens === 0 ? null : lossInWords(lost, unit)],
    ['rewritten', rewrittenTokens === null || rewrittenTokens === 0 ? null : tokens(rewrittenTokens)],
    [unit.name === 'seconds' ? 'prefill' : 'cost', costInWords(turn, unit)],
    ['reproduced', reproduced === null ? null : reproduced ? 'yes' : 'no: it read something else than the rules say'],
    ['said by the provider', providerReason],
    ['goes on from', parentOf(turn, numbering)],
    ['after', gapSeconds === null ? null : pauseOf(gapSeconds, ttlSeconds)],
    ['started', startedAt],
    ['model', model],
    ['request', requestId],
    ['answer', responseId],
    ['log', placeInLog(turn.source)],
    ['missing', turn.missing.length === 0 ? null : turn.missing.join(' ')],
  ])
}

/** Amounts of `tokens`, by what became of them. */
export function tokensInWords({ total, read, write5m, write30m, write1h, uncached, output }: AuditTokens): string {
  const named = [
    ['input', total],
    ['read', read],
    ['written for 5 minutes', write5m],
    ['written for 30 minutes', write30m],
    ['written for 1 hour', write1h],
    ['uncached', uncached],
    ['output', output],
  ] as const
  return named.flatMap(([name, count]) => (count === null ? [] : [`${name} ${rounded(count)}`])).join(', ')
}

function divergenceFacts({ divergence }: AuditTurn): Fact[] {
  if (divergence === null) return []
  const { kind, path, offset, before, after } = divergence
  return [
    ['first difference', `${kind} at `, element('code', {}, path), `, character ${formatNumber(offset)}`],
    ['before', before === null ? null : reportText(before)],
    ['now', after === null ? null : reportText(after)],
  ]
}

function reasonsOf({ reasons }: AuditTurn): Markup | null {
  const told = reasons.filter(({ detail }) => detail !== '')
  if (told.length === 0) return null
  const words = told.map(({ kind, tokens: taken, detail }) => {
    const took = taken === 0 ? '' : ` (${tokens(taken)})`
    return element('div', {}, `${kind}${took}: ${detail}`)
  })
  return element('div', {}, ...words)
}

function culpritsOf({ culprits }: AuditTurn, { items, kinds }: Numbering): string | null {
  const names = culprits.map((id) => `${kinds.get(id) ?? id}${items.has(id) ? ` (${items.get(id)})` : ''}`)
  return names.length === 0 ? null : [...new Set(names)].join(', ')
}

function predictionOf({ predicted, basis }: AuditTurn): string | null {
  if (predicted === null) return basis === 'reported' ? 'nothing: the verdict rests on what was reported' : null
  const { read, write, uncached } = predicted
  return `read ${rounded(read)}, written ${rounded(write)}, uncached ${rounded(uncached)}`
}

function lossInWords({ tokens: count, cost }: AuditTurn['lost'], unit: Unit): string {
  return `${tokens(count)}${cost === null ? '' : `, ${unit.of(cost, count)} more than reads`}`
}

function costInWords(turn: AuditTurn, unit: Unit): string | null {
  const total = costOf(turn)
  if (total === null || turn.cost === null) return null
  if (unit.name === 'seconds') return unit.amount(total)
  const parts = Object.entries(turn.cost).flatMap(([name, cost]: [string, number | null]) =>
    cost === null || cost === 0 ? [] : [`${name} ${unit.amount(cost)}`],
  )
  return `${unit.amount(total)}${parts.length === 0 ? '' : `: ${parts.join(', ')}`}`
}

function parentOf({ parent, index }: AuditTurn, { places }: Numbering): Child {
  const [from, here] = [parent === null ? undefined : places.get(parent), places.get(index)]
  if (from === undefined) return null
  const where = from.conversation === here?.conversation ? '' : ` of conversation ${from.conversation}`
  return `turn ${from.turn}${where}`
}

function pauseOf(gap: number, lifetime: number | null): string {
  return `${formatDuration(gap)}${lifetime === null ? '' : `, of a lifetime of ${formatDuration(lifetime)}`}`
}

function tokens(count: number): string {
  return formatCount(Math.round(count), 'token')
}

function rounded(count: number): string {
  return formatNumber(Math.round(count))
}
