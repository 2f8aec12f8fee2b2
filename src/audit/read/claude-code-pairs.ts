/**
 * Which answer belongs to which request, and in what order they were made, where nothing but the bodies says so: the
 * answer to a request stands in the next request of that conversation, behind the messages of the first.
 *
 * What cannot be told stays apart: a request without an answer, an answer without a request. Calls that no other call
 * refers to have no place in the order.
 */
import { digest } from '../../base/digest.ts'
import { field, list, textOf } from '../../cache/layout/peek.ts'
import { idsOf } from './http-ids.ts'

/** One call, by the names of its files. */
export interface PairedCall {
  readonly request: string
  readonly response: string | undefined
  /** True where the call before or after it is known. */
  readonly order: boolean
}

export interface Pairing {
  /** The calls of a conversation one behind the other; conversations in the order of their first names. */
  readonly calls: readonly PairedCall[]
  /** Answers that are nobody's. */
  readonly unclaimed: readonly string[]
}

/** What is kept of a request while all of them are looked at. */
interface Sent {
  readonly name: string
  readonly model: string
  /** The id of the request before, where the client says so. */
  readonly previous: string | undefined
  /** Session and messages as far as they identify a state of a conversation. */
  readonly state: string
  /** The state that its last answer was given in; undefined for the first request of a conversation. */
  readonly answeredState: string | undefined
  readonly answer: string
}

interface Received {
  readonly name: string
  readonly model: string
  readonly answer: string
}

const nameOfResponse = (request: string): string => `${request}.response.json`

/** Pairs requests with responses; `load` gives the parsed JSON of a file, or undefined where it has none. */
export async function pairBodies(
  requests: readonly string[],
  responses: readonly string[],
  load: (name: string) => Promise<unknown>,
): Promise<Pairing> {
  const sent: Sent[] = []
  for (const name of requests) sent.push(describeRequest(name, await load(name)))
  const received: Received[] = []
  for (const name of responses) received.push(describeResponse(name, await load(name)))

  const answered = new Map<string, string>()
  const before = linkByContent(sent, received, answered)
  pairTheRest(sent, received, answered)
  const requestOf = new Map([...answered].map(([request, response]) => [response, request]))
  for (const { name, previous } of sent) {
    const known = previous === undefined ? undefined : requestOf.get(nameOfResponse(previous))
    if (known !== undefined && known !== name && !before.has(name)) before.set(name, known)
  }
  return {
    calls: inOrder(requests, before).map(({ name, order }) => ({ request: name, response: answered.get(name), order })),
    unclaimed: responses.filter((name) => !requestOf.has(name)),
  }
}

/** The request before each, and into `answered` the response of that: found in what the later one repeats. */
function linkByContent(
  sent: readonly Sent[],
  received: readonly Received[],
  answered: Map<string, string>,
): Map<string, string> {
  const byState = groupBy(sent, ({ state }) => state)
  const byAnswer = groupBy(received, ({ answer }) => answer)
  const before = new Map<string, string>()
  for (const { name, previous, answeredState, answer } of sent) {
    if (answeredState === undefined) continue
    const candidates = (byState.get(answeredState) ?? []).filter((each) => each.name !== name)
    const responses = answer === '' ? [] : (byAnswer.get(answer) ?? [])
    const named = responses.find((each) => previous !== undefined && each.name === nameOfResponse(previous))
    const response = named ?? (responses.length === 1 ? responses[0] : undefined)
    // A request may have been sent twice: then the one that has no answer yet, or has this one.
    const request =
      candidates.find((each) => response !== undefined && answered.get(each.name) === response.name) ??
      candidates.find((each) => !answered.has(each.name)) ??
      candidates[0]
    if (request === undefined) continue
    before.set(name, request.name)
    if (response !== undefined && !answered.has(request.name)) answered.set(request.name, response.name)
  }
  return before
}

/** The last call of a conversation is repeated by none. Where a model has one request and one response left, they are a pair. */
function pairTheRest(sent: readonly Sent[], received: readonly Received[], answered: Map<string, string>): void {
  const claimed = new Set(answered.values())
  const requests = groupBy(
    sent.filter(({ name }) => !answered.has(name)),
    ({ model }) => model,
  )
  const responses = groupBy(
    received.filter(({ name }) => !claimed.has(name)),
    ({ model }) => model,
  )
  for (const [model, [request, ...others]] of requests) {
    const [response, ...moreResponses] = responses.get(model) ?? []
    if (request === undefined || response === undefined || others.length + moreResponses.length > 0) continue
    answered.set(request.name, response.name)
  }
}

function inOrder(
  names: readonly string[],
  before: ReadonlyMap<string, string>,
): readonly { readonly name: string; readonly order: boolean }[] {
  const after = groupBy(names, (name) => before.get(name) ?? '')
  const placed = new Set<string>()
  // Whoever is in a circle has no start, and comes at the end.
  for (const root of [...names.filter((name) => !before.has(name)), ...names]) {
    const open = [root]
    for (let name = open.pop(); name !== undefined; name = open.pop()) {
      if (placed.has(name)) continue
      placed.add(name)
      open.push(...(after.get(name) ?? []).toReversed())
    }
  }
  return [...placed].map((name) => ({ name, order: names.length === 1 || before.has(name) || after.has(name) }))
}

function describeRequest(name: string, body: unknown): Sent {
  const messages = list(field(body, 'messages'))
  const { session, previousRequest } = idsOf({
    request: typeof body === 'object' && body !== null ? body : {},
    answer: {},
  })
  const at = messages.findLastIndex((message) => field(message, 'role') === 'assistant')
  const stateAt = (length: number): string =>
    `${session ?? ''} ${length} ${keyOf(field(messages[length - 1], 'content'))}`
  return {
    name,
    model: textOf(body, 'model'),
    previous: previousRequest,
    state: messages.length === 0 ? name : stateAt(messages.length),
    answeredState: at < 1 ? undefined : stateAt(at),
    answer: at < 1 ? '' : keyOf(field(messages[at], 'content')),
  }
}

function describeResponse(name: string, body: unknown): Received {
  return { name, model: textOf(body, 'model'), answer: keyOf(field(body, 'content')) }
}

/** What of a message stays the same however it is written: texts, and the ids of calls and results. No thinking, no marks. */
function keyOf(content: unknown): string {
  if (typeof content === 'string') return digest(content.trim())
  const parts = list(content).map((block) => {
    const type = textOf(block, 'type')
    if (type === 'text') return textOf(block, 'text').trim()
    return textOf(block, 'id') || textOf(block, 'tool_use_id')
  })
  const text = parts.filter((part) => part !== '').join('\n')
  return text === '' ? '' : digest(text)
}

function groupBy<Value>(values: readonly Value[], keyOfValue: (value: Value) => string): Map<string, Value[]> {
  return Map.groupBy(values, keyOfValue)
}
