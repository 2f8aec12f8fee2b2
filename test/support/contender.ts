/**
 * One of several that work on the same session at once, each as if it were alone: it submits inputs, takes turns and answers
 * them, until every input of everybody is in the conversation and answered.
 */
import { setTimeout } from 'node:timers/promises'
import { defineSource, TurnSupersededError } from '../../src/index.ts'
import type { Context, PlainMessage, Receipt, Session, Turn } from '../../src/index.ts'
import { Random } from './random.ts'

/** Many times as many turns as it takes. */
const MAX_ATTEMPTS = 2000

export interface Contender {
  /** Begins the ids of all that it records. */
  readonly name: string
  readonly seed: number
  /** How many inputs it submits. */
  readonly inputs: number
  /** How many inputs all submit together. */
  readonly total: number
}

/** What a contender was told. */
export interface Findings {
  readonly inputs: readonly Receipt[]
  /** The answers that were recorded. */
  readonly answers: readonly Receipt[]
  /** Ids of the answers that were refused, because the conversation had moved on. */
  readonly refused: readonly string[]
  /** Texts of the updates that its turns admitted. */
  readonly updates: readonly string[]
  /** What the model had seen in the end. */
  readonly entries: Turn<PlainMessage>['entries']
}

/** A context whose value changes now and then, for every contender in another way. */
export function contendedContext({ name, seed }: Pick<Contender, 'name' | 'seed'>): Context {
  const random = new Random(seed)
  let value = 'nothing'
  return defineSource<string>({
    key: 'contender/value',
    codec: { encode: (json) => json, decode: (json) => String(json) },
    load: async () => {
      await setTimeout(random.below(2))
      if (random.chance(0.3)) value = `${name} ${random.below(100)}`
      return value
    },
    baseline: (current) => `The value is ${current}.`,
    update: (previous, current) => `The value changed from ${previous} to ${current}.`,
  })
}

/** Rejects with whatever a call of the session should not have thrown. */
export async function contend(
  session: Session<PlainMessage>,
  { name, seed, inputs, total }: Contender,
): Promise<Findings> {
  const random = new Random(seed + 1)
  const submitted: Receipt[] = []
  const answers: Receipt[] = []
  const refused: string[] = []
  const updates: string[] = []
  const submit = async (): Promise<void> => {
    if (submitted.length === inputs) return
    const id = `${name}-input-${submitted.length + 1}`
    submitted.push(await session.submit({ role: 'user', content: id }, { id }))
  }
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    if (random.chance(0.5)) await submit()
    const turn = await session.turn()
    if (turn.update !== null) updates.push(turn.update.text)
    if (isDone(turn, total)) return { inputs: submitted, answers, refused, updates, entries: turn.entries }
    // The model thinks; an input that arrives meanwhile does not supersede the turn.
    await setTimeout(random.below(5))
    if (random.chance(0.3)) await submit()
    if (!awaitsAnswer(turn)) continue
    const id = `${name}-answer-${attempt}`
    try {
      answers.push(await turn.answer([{ role: 'assistant', content: id }], { id }))
    } catch (error) {
      if (!(error instanceof TurnSupersededError)) throw error
      refused.push(id)
    }
  }
  throw new Error(`${name} has not seen ${total} inputs answered after ${MAX_ATTEMPTS} turns`)
}

function messagesOf(turn: Turn<PlainMessage>): PlainMessage[] {
  return turn.entries.flatMap((entry) => (entry.type === 'message' ? [entry.message] : []))
}

function awaitsAnswer(turn: Turn<PlainMessage>): boolean {
  return messagesOf(turn).at(-1)?.role === 'user'
}

function isDone(turn: Turn<PlainMessage>, total: number): boolean {
  return !awaitsAnswer(turn) && messagesOf(turn).filter((message) => message.role === 'user').length === total
}
