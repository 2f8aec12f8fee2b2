/**
 * A second opinion on sessions: the laws checked against the events alone, by code that is slow, simple, and shares nothing
 * with what it checks. {@link stateAt} rebuilds what a model was sent from the whole log each time it is asked.
 */
import { expect } from 'vitest'
import type { Entry, PlainMessage, Session, SessionEvent, Snapshot, Tool, Turn } from '../../src/index.ts'
import { beliefsFrom, collect } from './session.ts'
import { descriptionsAside, toolBeliefsFrom, toolBeliefsOf } from './session-tools.ts'

type Event = SessionEvent<PlainMessage>
type EpochEvent = Extract<Event, { type: 'epoch' }>

/** What a model that is asked at some revision is sent, and what we hold it to believe. */
export interface State {
  readonly epoch: EpochEvent | undefined
  readonly entries: readonly Entry<PlainMessage>[]
  readonly snapshot: Snapshot
}

/** What the events up to `revision` come to. */
export function stateAt(events: readonly Event[], revision: number): State {
  const past = events.filter((event) => event.revision <= revision)
  const inputs = new Map(past.flatMap((event) => (event.type === 'input' ? [[event.revision, event.message]] : [])))
  const epoch = past.findLast((event) => event.type === 'epoch')
  const through = epoch?.view.through ?? 0
  const summary = past.find((event) => event.type === 'compaction' && event.revision === epoch?.view.summary)
  const entries: Entry<PlainMessage>[] = []
  const bring = (by: number, number: number, messages: readonly PlainMessage[]): void => {
    for (const message of messages) entries.push({ revision: by, epoch: number, type: 'message', message })
  }
  if (summary?.type === 'compaction') bring(through, summary.epoch, summary.summary)
  let snapshot: Snapshot = {}
  for (const event of past) {
    const inView = event.revision > through
    if (event.type === 'boundary' || event.type === 'epoch') {
      if (inView)
        bring(
          event.revision,
          event.epoch,
          event.promoted.map((input) => inputs.get(input)!),
        )
    } else if (event.type === 'answer' || event.type === 'append') {
      if (inView) bring(event.revision, event.epoch, event.messages)
    }
    if (event.type === 'epoch') snapshot = event.snapshot
    if (event.type !== 'boundary') continue
    const { set, gone } = event.snapshot
    snapshot = Object.fromEntries(Object.entries({ ...snapshot, ...set }).filter(([key]) => !gone.includes(key)))
    if (event.update !== null && event.epoch === epoch?.epoch) {
      entries.push({ revision: event.revision, epoch: event.epoch, type: 'update', ...event.update })
    }
  }
  return { epoch, entries, snapshot }
}

/** Events that change what the model sees. */
const seen = new Set<Event['type']>(['boundary', 'epoch', 'answer', 'append'])

/** Throws unless the session's log obeys the laws, in the eyes of `verify()` and in ours. Returns the events. */
export async function expectLaws(session: Pick<Session<PlainMessage>, 'events' | 'verify'>): Promise<readonly Event[]> {
  expect(await session.verify()).toEqual({ ok: true, problems: [] })
  const events = await collect(session.events())
  expect(events.map((event) => event.revision)).toEqual(events.map((_, index) => index + 1))
  expectOnce(events)
  expectAtomic(events)
  expectBelief(events)
  expectPrefix(events)
  return events
}

/** Inputs are promoted once and in order; an answer stands directly after what the turn it answers was sent. */
function expectOnce(events: readonly Event[]): void {
  const promoted = events.flatMap((event) =>
    event.type === 'boundary' || event.type === 'epoch' ? event.promoted : [],
  )
  expect(promoted, 'promoted once, in order').toEqual([...new Set(promoted)].toSorted((a, b) => a - b))
  for (const answer of events.filter((event) => event.type === 'answer')) {
    const before = events.findLast((event) => event.revision < answer.revision && seen.has(event.type))
    expect(answer.turn, `answer ${answer.revision}`).toBe(before?.revision)
  }
  const ids = events.flatMap((event) => ('id' in event ? [`${event.type} ${event.id}`] : []))
  expect(new Set(ids).size).toBe(ids.length)
}

/** A boundary takes the whole inbox along. */
function expectAtomic(events: readonly Event[]): void {
  let inbox: number[] = []
  for (const event of events) {
    if (event.type === 'input') inbox.push(event.revision)
    if (event.type !== 'boundary' && event.type !== 'epoch') continue
    expect(event.promoted, `promoted at ${event.revision}`).toEqual(inbox)
    inbox = []
  }
}

/** A model that reads nothing but the texts in view believes what the snapshot says. */
function expectBelief(events: readonly Event[]): void {
  for (const { revision, type } of events) {
    if (type !== 'boundary' && type !== 'epoch') continue
    const { epoch, entries, snapshot } = stateAt(events, revision)
    const texts = entries.flatMap((entry) => (entry.type === 'update' ? [entry.text] : []))
    const values = Object.fromEntries(Object.entries(snapshot).map(([key, entry]) => [key, entry.value]))
    expect(beliefsFrom([epoch!.baseline, ...texts]), `beliefs at ${revision}`).toEqual(values)
    expectToolBeliefs(epoch!, entries)
  }
}

/** The words about tools say what updates do to them. */
export function expectToolBeliefs(epoch: EpochEvent, entries: readonly Entry<PlainMessage>[]): void {
  const updates = entries.filter((entry) => entry.type === 'update')
  expect(toolBeliefsFrom(epoch.tools ?? [], updates), 'tools').toEqual(toolsAfter(epoch, updates))
}

/** The tools that may be called after these updates, by what they hold beside their words. */
function toolsAfter(
  { tools }: EpochEvent,
  updates: readonly Extract<Entry<PlainMessage>, { type: 'update' }>[],
): unknown {
  const defined: Record<string, Tool> = {}
  const callable = new Set<string>()
  const define = (tool: Tool): void => {
    const id = String(tool['name'])
    defined[id] = tool
    callable.add(id)
  }
  tools?.forEach(define)
  for (const update of updates) {
    for (const id of update.tools?.removed ?? []) expect(callable.delete(id), `${id} could be called`).toBe(true)
    for (const id of update.tools?.restored ?? []) {
      const isAnew = update.tools!.added.some((tool) => tool['name'] === id)
      expect(callable.has(id) && !isAnew, `${id} could not be called`).toBe(false)
      callable.add(id)
    }
    update.tools?.added.forEach(define)
  }
  return Object.fromEntries([...callable].map((id) => [id, defined[id]]))
}

/** Throws unless what the model believes of tools is true of `current`, or waits for the next epoch as the host wants it. */
export function expectToolTruth(
  turn: Turn<PlainMessage>,
  current: readonly Tool[],
  onToolAdded: 'epoch' | 'append' | 'hold',
): void {
  if (turn.tools === null) return expect(onToolAdded, 'tools start an epoch').not.toBe('epoch')
  const beliefs = toolBeliefsOf(turn)
  const held = new Map(turn.tools.held.map(({ id, change }) => [id, change]))
  const truth: Record<string, Tool> = {}
  for (const tool of current) {
    const id = String(tool['name'])
    const change = held.get(id)
    if (change === undefined) truth[id] = tool
    if (change !== 'described') continue
    // Other words for what the model knows.
    expect(beliefs[id]).not.toEqual(tool)
    expect(descriptionsAside(beliefs[id]!)).toEqual(descriptionsAside(tool))
    truth[id] = beliefs[id]!
  }
  expect(beliefs, 'tools').toEqual(truth)
  if (onToolAdded !== 'hold') expect(new Set([...held.values(), 'described'])).toEqual(new Set(['described']))
}

/** What was answered is the start of everything that is sent later in its epoch. */
function expectPrefix(events: readonly Event[]): void {
  let answered: State | undefined
  for (const event of events) {
    if (!seen.has(event.type)) continue
    const state = stateAt(events, event.revision)
    if (answered !== undefined && answered.epoch === state.epoch) {
      expect(state.entries.slice(0, answered.entries.length), `prefix at ${event.revision}`).toEqual(answered.entries)
    }
    if (event.type === 'answer') answered = stateAt(events, event.turn)
  }
}

/** Throws unless the turn is what the log says of its revision. */
export function expectReplayed(turn: Turn<PlainMessage>, events: readonly Event[]): void {
  const { epoch, entries } = stateAt(events, turn.revision)
  expect(turn.entries).toEqual(entries)
  expect(turn.tools?.definitions ?? null).toEqual(epoch?.tools)
  if (turn.tools !== null) expect(turn.tools.callable).toEqual(Object.keys(toolBeliefsOf(turn)))
  expect({
    epoch: turn.epoch,
    instructions: turn.instructions,
    baseline: turn.baseline,
    nonce: turn.nonce,
    rulesAsOf: turn.rulesAsOf,
    refusals: turn.refusals,
  }).toEqual({
    epoch: epoch?.epoch,
    instructions: epoch?.instructions,
    baseline: epoch?.baseline,
    nonce: epoch?.nonce,
    rulesAsOf: epoch?.rulesAsOf,
    refusals: epoch?.refusals,
  })
}

/** Throws unless a provider would take the entries: results directly after their calls, and no answer or gap at the end. */
export function expectLegal({ entries }: Pick<Turn<PlainMessage>, 'entries'>): void {
  expect(entries, 'a request has messages').not.toHaveLength(0)
  expectInOrder(entries)
  const last = entries.at(-1)!
  expect(last.type === 'message' && last.message.role === 'assistant', 'the last entry is an answer').toBe(false)
}

/** Throws unless every tool call has its result before anything else comes, and every result its call. */
export function expectInOrder(entries: readonly Entry<PlainMessage>[]): void {
  let open: readonly string[] = []
  let previous: Entry<PlainMessage> | undefined
  for (const entry of entries) {
    if (entry.type === 'message' && entry.message.tool_call_id !== undefined) {
      const id = entry.message.tool_call_id
      expect(open, `the result of ${id} comes while its call is open`).toContain(id)
      open = open.filter((call) => call !== id)
    } else {
      expect(open, 'calls without results').toEqual([])
      if (entry.type === 'message') open = (entry.message.tool_calls ?? []).map((call) => call.id)
      else if (previous?.type === 'message') expect(previous.message.role, 'before an update').not.toBe('assistant')
    }
    previous = entry
  }
  expect(open, 'calls without results').toEqual([])
}
