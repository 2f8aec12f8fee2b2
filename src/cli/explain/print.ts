/** An explanation for a terminal of 80 columns; every text from the bodies comes out printable. */
import type { Explanation } from '../../audit/index.ts'
import type { Miss, MissReason } from '../../cache/index.ts'
import { clip, formatNumber, table, WIDTH, wrap } from '../layout.ts'
import type { Paint } from '../output.ts'
import { printableLine } from '../printable.ts'

/** Why something is not read, in words. */
const words: Readonly<Record<MissReason, string>> = {
  first: 'nothing like it was sent before',
  appended: 'new: it follows what was sent before',
  rewritten: 'the first request had something else there',
  expired: 'cached, and its lifetime is over',
  'maybe-expired': 'cached, and its lifetime may be over',
  'below-minimum': 'shorter than the provider caches',
  'outside-window': 'cached, too far behind the breakpoint that looks for it',
  'not-marked': 'no breakpoint wrote it, or none looks for it',
  'scope-changed': 'cached under another value of a parameter',
  'not-readable': 'still being written',
  'partial-block': 'in the last block, which is not full',
}

/** The explanation as text. */
export function printExplanation(explanation: Explanation, paint: Paint): string {
  const { usage, same, misses, scope, gapSeconds, provider, model } = explanation
  const share = usage.total === 0 ? 0 : Math.round((100 * usage.read) / usage.total)
  const written = usage.write5m + usage.write30m + usage.write1h
  const head = [
    clip(
      `${printableLine(model ?? 'An unnamed model')}, by the rules of ${printableLine(provider)}, ${gapSeconds} s later:`,
      WIDTH,
    ),
    '',
    `read      ${tokens(usage.read)} of ${tokens(usage.total)}, ${share} %`,
    `written   ${tokens(written)}`,
    `uncached  ${tokens(usage.uncached)}`,
    ...costLine(explanation),
    '',
    `Both begin with the same ${same.segments} of ${same.of} segments, ${tokens(same.tokens)} tokens.`,
    ...divergenceLines(explanation, paint),
    ...scope.flatMap(({ name, before, after, invalidates }) =>
      wrap(
        `${name} was ${JSON.stringify(before)} and is ${JSON.stringify(after)}: loses ${invalidates.join(', ')}.`,
        WIDTH,
      ),
    ),
  ]
  return [...head, ...missLines(misses)].map((line) => `${line}\n`).join('')
}

function costLine({ cost }: Explanation): readonly string[] {
  if (cost === null) return []
  return [`cost      ${dollars(cost.amount)} of input, and ${dollars(cost.uncached)} without a cache`]
}

function divergenceLines({ divergence }: Explanation, paint: Paint): readonly string[] {
  if (divergence === null) return ['The second begins with all of the first.']
  const { kind, path, offset, before, after } = divergence
  const at = kind === 'changed' && offset > 0 ? `, character ${formatNumber(offset)}` : ''
  return [
    clip(`First difference: ${kind} at ${printableLine(path)}${at}`, WIDTH),
    ...(before === null ? [] : [paint('red', clip(`  - ${printableLine(before)}`, WIDTH))]),
    ...(after === null ? [] : [paint('green', clip(`  + ${printableLine(after)}`, WIDTH))]),
  ]
}

function missLines(misses: readonly Miss[]): readonly string[] {
  if (misses.length === 0) return ['', 'All of it is read.']
  const rows = misses.map((miss) => [tokens(miss.tokens), printableLine(miss.from), reasonOf(miss)])
  return ['', ...table([{ title: 'not read', align: 'right' }, { title: 'from' }, { title: 'because' }], rows, WIDTH)]
}

function reasonOf({ reason, minimum, window, seconds, parameters }: Miss): string {
  const more = [
    minimum !== undefined && `${formatNumber(minimum)} tokens`,
    window !== undefined && `${window} positions`,
    seconds !== undefined && `for ${Math.round(seconds)} s`,
    parameters !== undefined && parameters.map(printableLine).join(', '),
  ].filter((part) => part !== false)
  return more.length === 0 ? words[reason] : `${words[reason]} (${more.join(', ')})`
}

function tokens(count: number): string {
  return formatNumber(Math.round(count))
}

function dollars(amount: number): string {
  return `$${amount.toFixed(4)}`
}
