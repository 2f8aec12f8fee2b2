/** Runs the script: each step is one request, built in every way, sent, billed and answered. */
import { initialize, type Snapshot, type Update } from '../../context/index.ts'
import type { Bill } from './bill.ts'
import type { Block, Body, Message } from './message.ts'
import type { Provider } from './provider.ts'
import { MINUTES_PER_TURN, type Step } from './script.ts'
import { runTool, type ToolCall } from './tools.ts'
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
  readonly body: Body
  readonly bill: Bill
  readonly update: Update | null
}

/** Plays the steps one after the other. Every way sees the same conversation and the same world. */
export async function converse(
  world: World,
  script: readonly Step[],
  ways: readonly Way[],
  provider: Pick<Provider, 'bill'>,
): Promise<readonly TurnRecord[]> {
  const records: TurnRecord[] = []
  for (const [index, step] of script.entries()) {
    const turn = index + 1
    if (step.user !== undefined) {
      const message: Message = { role: 'user', content: step.user }
      for (const way of ways) await way.submit(message)
    }
    await step.event?.happen(world)

    const calls = (step.calls ?? []).map((call, position) => ({ ...call, id: `toolu_${turn}_${position + 1}` }))
    const now = await initialize(world.context)
    const requests: Partial<Record<WayName, WayTurn>> = {}
    for (const way of ways) {
      const request = await way.request(now)
      const bill = await provider.bill(way.name, request, { text: step.answer, toolCalls: calls })
      requests[way.name] = { body: request.body, bill, update: request.update }
    }
    records.push({
      turn,
      at: world.now(),
      user: step.user ?? null,
      note: step.event?.note ?? null,
      truth: now.snapshot,
      ways: requests as Record<WayName, WayTurn>,
    })

    for (const way of ways) await way.answer(toAnswer(step.answer, calls))
    if (calls.length > 0) {
      const results = await toResults(calls, world)
      for (const way of ways) await way.append(results)
    }
    world.passMinutes(MINUTES_PER_TURN)
  }
  return records
}

type IdentifiedCall = ToolCall & { readonly id: string }

function toAnswer(text: string, calls: readonly IdentifiedCall[]): Message {
  if (calls.length === 0) return { role: 'assistant', content: text }
  return {
    role: 'assistant',
    content: [{ type: 'text', text }, ...calls.map((call) => ({ type: 'tool_use' as const, ...call }))],
  }
}

/** One after the other: a later call may need what an earlier one did. */
async function toResults(calls: readonly IdentifiedCall[], world: World): Promise<Message> {
  const content: Block[] = []
  for (const call of calls) {
    const { text, failed } = await runTool(call, world)
    content.push({ type: 'tool_result', tool_use_id: call.id, content: text, ...(failed && { is_error: true }) })
  }
  return { role: 'user', content }
}
