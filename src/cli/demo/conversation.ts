/** Runs the script: each step is one request, built in every way, sent, billed and answered. */
import { initialize, type Snapshot, type Update } from '../../context/index.ts'
import { toBill, type Bill } from './bill.ts'
import type { Provider } from './providers/provider.ts'
import { MINUTES_PER_TURN, type Step } from './script.ts'
import type { Service } from './service.ts'
import { runTool, type AnsweredCall, type IdentifiedCall } from './tools.ts'
import type { Way, WayName } from './ways.ts'
import type { World } from './world.ts'

/** One turn of the conversation. */
export interface TurnRecord {
  /** From 1. */
  readonly turn: number
  /** When its requests were sent. */
  readonly at: Date
  readonly user: string | null
  /** What happened in the world before it. */
  readonly note: string | null
  /** What was true at this turn, read apart from any session: what the model must know by now. */
  readonly truth: Snapshot
  readonly ways: Readonly<Record<WayName, WayTurn>>
}

/** What one way sent in a turn, and what that came to. */
export interface WayTurn {
  /** As it arrived. */
  readonly body: object
  readonly response: unknown
  readonly bill: Bill
  readonly update: Update | null
}

/** Plays the steps one after the other. Every way sees the same conversation and the same world. */
export async function converse(
  world: World,
  script: readonly Step[],
  ways: readonly Way[],
  provider: Pick<Provider, 'model' | 'usage' | 'writes' | 'callPrefix'>,
  service: Pick<Service, 'exchange'>,
): Promise<readonly TurnRecord[]> {
  const records: TurnRecord[] = []
  for (const [index, step] of script.entries()) {
    const turn = index + 1
    if (step.user !== undefined) for (const way of ways) await way.say(step.user)
    await step.event?.happen(world)

    const calls = (step.calls ?? []).map((call, position) => ({
      ...call,
      id: `${provider.callPrefix}${turn}_${position + 1}`,
    }))
    const now = await initialize(world.context)
    const at = world.now()
    const turns: Partial<Record<WayName, WayTurn>> = {}
    for (const way of ways) {
      const request = await way.request(now)
      const { body, response } = await service.exchange(way.name, request, { text: step.answer, toolCalls: calls })
      turns[way.name] = { body, response, bill: toBill(response, provider, at), update: request.update }
    }
    records.push({
      turn,
      at,
      user: step.user ?? null,
      note: step.event?.note ?? null,
      truth: now.snapshot,
      ways: turns as Record<WayName, WayTurn>,
    })

    for (const way of ways) await way.answer(step.answer, calls)
    if (calls.length > 0) {
      const answered = await runCalls(calls, world)
      for (const way of ways) await way.results(answered)
    }
    world.passMinutes(MINUTES_PER_TURN)
  }
  return records
}

/** One after the other: a later call may need what an earlier one did. */
async function runCalls(calls: readonly IdentifiedCall[], world: World): Promise<readonly AnsweredCall[]> {
  const answered: AnsweredCall[] = []
  for (const call of calls) answered.push({ call, ...(await runTool(call, world)) })
  return answered
}
