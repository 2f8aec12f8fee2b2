/** Conversations as agents have them, for the benches: inputs, tool calls with their results, answers, and now and then an update. */
import {
  createSessions,
  type EventStore,
  type Json,
  type PlainMessage,
  type Session,
  type Sessions,
} from '../src/index.ts'
import { contextOver, prose, seeded, sourceValues } from './fixtures.ts'

const SOURCES = 8
/** Tool calls that the answer to one input takes, one after the other. */
const CALLS = 3
/** Of an input with all that follows: itself, its boundary, calls with their answers and results, the last answer. */
export const EVENTS_OF_AN_INPUT: number = 2 + 2 * CALLS + 1
/** Inputs between two at which a source has changed. */
const CHANGE_EVERY = 4

const values = sourceValues(SOURCES)
const instructions = prose(seeded(3), 6_000)

/** Sessions over a world that changes when it is told to. */
export interface Agent {
  readonly sessions: Sessions<PlainMessage>
  /** Gives a source another value. */
  change(): void
}

export function startAgent(store: EventStore): Agent {
  let counter = 0
  const loaders = [...values.slice(1).map((value) => (): Json => value), (): Json => ({ branch: `work-${counter}` })]
  return {
    sessions: createSessions({ store, context: contextOver(loaders), instructions }),
    change() {
      counter++
    },
  }
}

/** Has the conversation go on until its log has `events` events, to the end of an answer. Gives its newest revision. */
export async function converse(
  agent: Agent,
  session: Session<PlainMessage>,
  events: number,
  seed = 1,
): Promise<number> {
  const random = seeded(seed)
  let revision = 0
  for (let input = 1; revision < events; input++) {
    if (input % CHANGE_EVERY === 0) agent.change()
    await session.submit({ role: 'user', content: prose(random, 200 + Math.floor(random() * 400)) })
    for (let call = 0; call < CALLS; call++) {
      const id = `call_${seed}_${input}_${call}`
      const turn = await session.turn()
      await turn.answer([calling(random, id)])
      await session.append([
        { role: 'tool', content: prose(random, 300 + Math.floor(random() * 2_400)), tool_call_id: id },
      ])
    }
    const turn = await session.turn()
    const answer = await turn.answer([{ role: 'assistant', content: prose(random, 300 + Math.floor(random() * 900)) }])
    revision = answer.revision
  }
  return revision
}

/** Lets all that was said until now give way to a summary; the next input's turn starts the epoch. */
export async function compact(session: Session<PlainMessage>, through: number): Promise<void> {
  await session.compact({ summary: [{ role: 'user', content: prose(seeded(5), 2_000) }], through })
}

function calling(random: () => number, id: string): PlainMessage {
  const call = {
    id,
    type: 'function',
    function: { name: 'read_file', arguments: JSON.stringify({ path: prose(random, 60) }) },
  }
  return { role: 'assistant', content: prose(random, 150), tool_calls: [call] }
}
