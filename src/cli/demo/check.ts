/**
 * What the demo claims, checked on what it did. Nothing here asks the session or the emulator: requests are compared as
 * they arrived and played once more, and changes are found by holding what was true at one turn against the turn before.
 */
import { canonicalJson } from '../../base/json.ts'
import { createSimulator, layout, type CountTokens, type Segment } from '../../cache/index.ts'
import type { Snapshot } from '../../context/index.ts'
import type { Verification } from '../../session/index.ts'
import { writtenOf } from './bill.ts'
import type { TurnRecord } from './conversation.ts'
import type { Provider } from './providers/provider.ts'
import { WAY_NAMES } from './report.ts'

export interface Check {
  readonly ok: boolean
  /** What holds; or what does not, and where. */
  readonly text: string
}

/** How the bodies of a conversation are read, and how they were billed. */
export interface Billing extends Pick<Provider, 'model' | 'format' | 'simulator'> {
  readonly countTokens: CountTokens
  /** The bills came over HTTP. */
  readonly sent: boolean
}

/** The claims about the way with epochs and the bills of all, each with its verdict. Tokens are counted as for the bills. */
export function checkConversation(
  records: readonly TurnRecord[],
  verification: Verification,
  billing: Billing,
): readonly Check[] {
  return [
    checkPrefix(records, billing),
    checkTold(records),
    checkOnce(records, billing),
    checkReplay(verification),
    checkBills(records, billing),
  ]
}

/** Each request must begin with all of the one before it. */
function checkPrefix(records: readonly TurnRecord[], billing: Billing): Check {
  const requests = records.map(({ ways }) =>
    segmentsOf(ways.epochs.body, billing).map(
      ({ section, message, role, type, content }) => `${section} ${message} ${role} ${type}: ${content}`,
    ),
  )
  const broken = records.filter(
    (_, index) => index > 0 && !requests[index - 1]!.every((segment, at) => segment === requests[index]![at]),
  )
  return verdict(
    broken.map(({ turn }) => `the request of turn ${turn} does not start with the whole request before it`),
    'With epochs, each request starts with the whole request before it.',
  )
}

/** The model must be told of exactly what has changed since the turn before, at this turn. */
function checkTold(records: readonly TurnRecord[]): Check {
  const problems: string[] = []
  let count = 0
  for (const [index, { turn, truth, ways }] of records.entries()) {
    const changed = index === 0 ? [] : changedKeys(records[index - 1]!.truth, truth)
    const told = (ways.epochs.update?.changes ?? []).map(({ key }) => key).sort()
    count += changed.length
    const missed = changed.filter((key) => !told.includes(key))
    const unfounded = told.filter((key) => !changed.includes(key))
    problems.push(
      ...missed.map((key) => `${key} changed before turn ${turn}, and the model was not told`),
      ...unfounded.map((key) => `the model was told of ${key} at turn ${turn}, and it had not changed`),
    )
  }
  return verdict(
    problems,
    count === 0
      ? 'Nothing has changed, and the model was told nothing.'
      : `The model was told of each change at its turn: ${count} in all.`,
  )
}

/** Whatever was told must stand in the last request, once. */
function checkOnce(records: readonly TurnRecord[], billing: Billing): Check {
  const last = records.at(-1)!.ways.epochs.body
  const admitted = records.flatMap(({ ways }) => ways.epochs.update?.parts ?? []).map(({ text }) => text)
  const sent = toldIn(segmentsOf(last, billing))
  const problems: string[] = []
  for (const text of new Set([...admitted, ...sent])) {
    const times = countOf(sent, text)
    const due = countOf(admitted, text)
    if (times !== due) problems.push(`"${text}" stands ${times} times in the last request, and was told ${due} times`)
  }
  return verdict(problems, 'The last request holds each of these updates once.')
}

function checkReplay({ problems }: Verification): Check {
  return verdict(
    problems.map(({ revision, message }) => `event ${revision} of the session: ${message}`),
    'The session in the file replays without a problem.',
  )
}

/** What was billed must be what the simulator says of the same requests, one way after the other. */
function checkBills(
  records: readonly TurnRecord[],
  { simulator: provider, model, format, countTokens, sent }: Billing,
): Check {
  const problems: string[] = []
  for (const name of WAY_NAMES) {
    const simulator = createSimulator({ provider, model, format, countTokens })
    for (const { turn, at, ways } of records) {
      const { body, bill } = ways[name]
      const { usage } = simulator.send(body, { startedAt: at })
      const due = [usage.read, writtenOf(usage), usage.uncached].join(' + ')
      const billed = [bill.read, writtenOf(bill), bill.uncached].join(' + ')
      if (billed !== due) problems.push(`turn ${turn}, ${name}: billed ${billed} tokens, simulated ${due}`)
    }
  }
  const bills = `All ${WAY_NAMES.length * records.length} bills are what the simulator says`
  return verdict(problems, sent ? `${bills} without HTTP.` : `${bills} when it plays the requests again.`)
}

function verdict(problems: readonly string[], claim: string): Check {
  return problems.length === 0 ? { ok: true, text: claim } : { ok: false, text: problems.join('\n') }
}

/** A segment, and where it stands: the same text elsewhere is another. */
interface PlacedSegment extends Segment {
  /** The list, and the place in it. A segment has none of its own there: marks may be blocks, and move. */
  readonly message: string
}

function segmentsOf(body: object, { format, model }: Billing): readonly PlacedSegment[] {
  return layout(body, { format, model }).segments.map((segment) => ({
    ...segment,
    message: segment.section === 'messages' ? (/^\w+\[\d+\]/.exec(segment.path)?.[0] ?? '') : '',
  }))
}

/** The sources whose value differs, or that are there in only one of the two, by key. */
function changedKeys(before: Snapshot, after: Snapshot): string[] {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...keys].filter((key) => valueOf(before, key) !== valueOf(after, key)).sort()
}

/** The value as JSON; empty where there is none. */
function valueOf(snapshot: Snapshot, key: string): string {
  const entry = snapshot[key]
  return entry === undefined ? '' : canonicalJson(entry.value)
}

const SYSTEM_ROLES = new Set(['system', 'developer'])
const TAGGED = /(?:^|\n)<system-reminder id="[^"]*">\n(.*?)\n<\/system-reminder>(?=\n|$)/gs

/** The texts of updates in a request: its system messages, and what is tagged in those of the user. */
function toldIn(segments: readonly Segment[]): readonly string[] {
  return segments
    .filter(({ section, type }) => section === 'messages' && type === 'text')
    .flatMap(({ role, content }) => {
      if (SYSTEM_ROLES.has(role)) return [content]
      return role === 'user' ? [...content.matchAll(TAGGED)].map(([, text = '']) => text) : []
    })
}

function countOf(texts: readonly string[], text: string): number {
  return texts.filter((other) => other === text).length
}
