/**
 * What the demo claims, checked on what it did. Nothing here asks the session or the emulator: requests are compared as
 * they were sent and played once more, and changes are found by holding what was true at one turn against the turn before.
 */
import { canonicalJson } from '../../base/json.ts'
import { createSimulator, layout, type CountTokens } from '../../cache/index.ts'
import type { Snapshot } from '../../context/index.ts'
import type { Verification } from '../../session/index.ts'
import { writtenOf } from './bill.ts'
import type { TurnRecord } from './conversation.ts'
import type { Body } from './message.ts'
import { WAY_NAMES } from './report.ts'

export interface Check {
  readonly ok: boolean
  /** What holds; or what does not, and where. */
  readonly text: string
}

/** The claims about the way with epochs and the bills of all, each with its verdict. Tokens are counted as for the bills. */
export function checkConversation(
  records: readonly TurnRecord[],
  verification: Verification,
  countTokens: CountTokens,
): readonly Check[] {
  return [
    checkPrefix(records),
    checkTold(records),
    checkOnce(records),
    checkReplay(verification),
    checkBills(records, countTokens),
  ]
}

/** Each request must begin with all of the one before it. */
function checkPrefix(records: readonly TurnRecord[]): Check {
  const requests = records.map(({ ways }) => segmentsOf(ways.epochs.body))
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
function checkOnce(records: readonly TurnRecord[]): Check {
  const last = records.at(-1)!.ways.epochs.body
  const admitted = records.flatMap(({ ways }) => ways.epochs.update?.parts ?? []).map(({ text }) => text)
  const sent = toldIn(last)
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

/** What came back over HTTP must be what the simulator says of the same requests. */
function checkBills(records: readonly TurnRecord[], countTokens: CountTokens): Check {
  const problems: string[] = []
  for (const name of WAY_NAMES) {
    const simulator = createSimulator({ provider: 'anthropic', countTokens })
    for (const { turn, at, ways } of records) {
      const { body, bill } = ways[name]
      const { usage } = simulator.send(body, { startedAt: at })
      const due = [usage.read, usage.write5m + usage.write1h, usage.uncached].join(' + ')
      const billed = [bill.read, writtenOf(bill), bill.uncached].join(' + ')
      if (billed !== due) problems.push(`turn ${turn}, ${name}: billed ${billed} tokens, simulated ${due}`)
    }
  }
  return verdict(problems, `All ${WAY_NAMES.length * records.length} bills are what the simulator says without HTTP.`)
}

function verdict(problems: readonly string[], claim: string): Check {
  return problems.length === 0 ? { ok: true, text: claim } : { ok: false, text: problems.join('\n') }
}

/** The segments of a request, each with its place: the same text elsewhere is another. */
function segmentsOf(body: Body): readonly string[] {
  return layout(body, { format: 'anthropic' }).segments.map(
    ({ path, role, type, content }) => `${path} ${role} ${type}: ${content}`,
  )
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

const TAGGED = /^<system-reminder id="[^"]*">\n(.*)\n<\/system-reminder>$/s

/** The texts of updates in a request: its system messages, and what is tagged in those of the user. */
function toldIn({ messages }: Body): readonly string[] {
  return messages.flatMap(({ role, content }) => {
    const texts =
      typeof content === 'string' ? [content] : content.flatMap((block) => (block.type === 'text' ? block.text : []))
    return role === 'system' ? texts : texts.flatMap((text) => TAGGED.exec(text)?.[1] ?? [])
  })
}

function countOf(texts: readonly string[], text: string): number {
  return texts.filter((other) => other === text).length
}
