/** Conversations, each with a picture: one bar for each turn. */
import type { AuditStream } from '../report/types.ts'
import { formatCount, formatNumber } from '../words/amounts.ts'
import { costOf, partsOf } from '../words/turn.ts'
import { factList } from './facts.ts'
import { fidelityInWords } from './fidelity.ts'
import { element, type Markup } from './markup.ts'
import { turnsInWords, type Numbering } from './numbering.ts'
import { paged, type Rest } from './pages.ts'
import { placeInLog } from './place-in-log.ts'
import { turnRow } from './turn-row.ts'

/** Conversations, and turns of one, of which there are elements at the same time. */
const STREAMS = 20
const TURNS = 40
/** Conversations that are open from the start. */
const OPEN = 3
/** Turns that a page has at most, so that a browser can hold them: about 1.5 kB each. */
const LIMIT = 20_000

/** The section. */
export function streamSection(numbering: Numbering, rest: Rest): Markup | null {
  const { streams } = numbering
  if (streams.length === 0) return null
  const items: Markup[] = []
  let turns = 0
  for (const [index, stream] of streams.entries()) {
    turns += stream.turns.length
    // The most expensive one is there, however long it is.
    if (index > 0 && turns > LIMIT) break
    items.push(streamItem(stream, index, numbering, rest))
  }
  const left = streams.length - items.length
  return element(
    'section',
    { 'aria-labelledby': 'turns' },
    element('h2', { id: 'turns' }, 'Turns'),
    element('p', {}, 'A bar is as wide as its request. Open a turn for its details. What lost most comes first.'),
    legend(),
    paged({ noun: 'Conversations', items, size: STREAMS, name: 'streams', tag: 'div' }, rest),
    left === 0
      ? null
      : element('p', {}, `${formatCount(left, 'more conversation')} are not on this page; JSON has them.`),
  )
}

/** What the patterns mean. */
function legend(): Markup {
  const entries = [
    ['read', 'read from the cache'],
    ['again', 'sent again, although the cache had had it'],
    ['new', 'new: written or uncached'],
  ] as const
  return element(
    'ul',
    { class: 'legend' },
    ...entries.map(([name, words]) =>
      element(
        'li',
        {},
        element(
          'svg',
          { class: 'swatch', 'aria-hidden': 'true' },
          element('rect', { class: name, width: '100%', height: '100%' }),
        ),
        ` ${words}`,
      ),
    ),
  )
}

function streamItem(stream: AuditStream, index: number, numbering: Numbering, rest: Rest): Markup {
  const { turns, notes, provider, model, parent } = stream
  const costs = turns.map(costOf).filter((cost) => cost !== null)
  const cost = costs.length === 0 ? '' : `, ${numbering.unit.amount(costs.reduce((sum, one) => sum + one, 0))}`
  const most = turns.reduce((largest, turn) => Math.max(largest, partsOf(turn)?.total ?? 0), 0)
  const rows = turns.map((turn, position) => turnRow(turn, position + 1, most, numbering))
  const title = `Conversation ${index + 1}: ${model ?? provider}, ${formatCount(turns.length, 'turn')}${cost}`
  return element(
    'details',
    { class: 'stream', ...(index < OPEN && { open: '' }) },
    element('summary', {}, element('h3', {}, title + (parent === null ? '' : ', a fork'))),
    streamFacts(stream, numbering),
    paged({ noun: 'Turns', items: rows, size: TURNS, name: 'turns' }, rest),
    notes.length === 0
      ? null
      : element(
          'ul',
          { class: 'notes' },
          ...notes.map(({ kind, path, text, turns: where }) =>
            element(
              'li',
              {},
              `No break: ${kind === 'raw' ? '' : `${kind} at ${path ?? ''}: `}${text} (${turnsInWords(where, numbering)})`,
            ),
          ),
        ),
  )
}

function streamFacts(stream: AuditStream, numbering: Numbering): Markup {
  const { conversations, places, items, kinds, unit } = numbering
  const { turns, parent, session, provider, fidelity, culprits, counterfactual, missing } = stream
  const source = turns[0]?.source
  const lossy = turns.filter(({ lost }) => lost.tokens > 0).map(({ index }) => index)
  const from = parent === null ? undefined : places.get(parent.turn)
  const named = culprits.map(({ id, kind }) => `${kinds.get(id) ?? kind} (${items.get(id) ?? '?'})`)
  const played = [counterfactual?.asSent, counterfactual?.floor].map((one) => one?.cost ?? null)
  const amounts = played.flatMap((amount) => (amount === null ? [] : unit.amount(amount)))
  return factList([
    ['log', source === undefined ? null : placeInLog(source)],
    ['session', session],
    ['provider', provider],
    ['forked from', from === undefined ? null : `turn ${from.turn} of conversation ${from.conversation}`],
    ['largest request', largestOf(stream)],
    ['as sent, floor', amounts.length < played.length ? null : amounts.join(', ')],
    ['culprits', [...new Set(named)].join(', ')],
    ['lost on', turnsInWords(lossy, numbering)],
    ['log has', fidelityInWords(fidelity)],
    ['missing', missing.join(' ')],
    ['family', conversations.size > 1 ? stream.family : null],
  ])
}

function largestOf({ turns }: AuditStream): string | null {
  const totals = turns.flatMap((turn) => partsOf(turn)?.total ?? [])
  const most = totals.reduce((largest, total) => Math.max(largest, total), 0)
  return totals.length === 0 ? null : `${formatNumber(Math.round(most))} tokens`
}
